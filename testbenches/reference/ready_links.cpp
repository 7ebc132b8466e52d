// testbenches/reference/ready_links.cpp: see ready_links.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/ready_links.hpp"

#include <algorithm>

namespace flitwave::reference {

ReadyLinks::ReadyLinks(const Params& params, const Wiring& wiring)
    : wiring_(wiring),
      vcs_(params.vcs),
      depth_(params.depth),
      whole_(moves_whole_packets(params.switching) ? params.longest : 1),
      traversal_(params.traversal),
      most_room_(std::max(2, 1 + params.traversal)),
      free_(wiring.ends, first(vcs_)),
      held_(wiring.ends * vcs_, 0),
      between_packets_(wiring.ends, first(vcs_)) {
  constexpr Index slice_room = 2;
  for (Index end = 0; end < wiring.ends; ++end) {
    const bool router = wiring.unit_of[end] < wiring.nodes;
    first_stage_.push_back(room_.size());
    if (wiring.receiver_of[end] >= 0) room_.push_back(router ? 1 + traversal_ : 1);
    for (Index slice = 1; slice < wiring.latency_of[end]; ++slice) room_.push_back(slice_room);
    last_stage_.push_back(room_.size() - 1);
  }
  const Index stages = room_.size();
  count_ = first_ = Field<Index>(stages * vcs_, 0);
  flits_ = Field<Word>(stages * vcs_ * most_room_, no_flit);
  from_ = Field<Cycle>(stages * vcs_ * most_room_, 0);
  taken_now_ = Field<Index>(stages, -1);
  last_taken_ = Field<Index>(stages, vcs_ - 1);
  offers_ = Field<Word>(2 * stages, no_flit);
  readies_ = Field<Mask>(2 * stages, first(vcs_));
}

Mask ReadyLinks::arrivals(Index unit) const {
  Mask ports = 0;
  const Index first_end = wiring_.first_end(unit);
  for_each(wiring_.inputs[unit], [&](Index port) {
    if (taken(last_stage_[wiring_.sender_of[first_end + port]])) ports |= bit(port);
  });
  return ports;
}

void ReadyLinks::collect(Index unit) {
  const Index first_end = wiring_.first_end(unit);
  for_each(wiring_.outputs[unit],
           [&](Index port) { drop_if_taken(first_stage_[first_end + port]); });
}

void ReadyLinks::drop_if_taken(Index stage) {
  taken_now_[stage] = -1;
  if (!taken(stage)) return;
  const Index vc = vc_of(offers_[register_of(stage, old_)]);
  Index& position = first_[stage * vcs_ + vc];
  position = (position + 1) % room_[stage];
  --count_[stage * vcs_ + vc];
  taken_now_[stage] = last_taken_[stage] = vc;
}

void ReadyLinks::push(Index stage, Word flit, Cycle from) {
  const Index queue = stage * vcs_ + vc_of(flit);
  const Index position = queue * most_room_ + (first_[queue] + count_[queue]) % room_[stage];
  flits_[position] = flit;
  from_[position] = from;
  ++count_[queue];
}

Mask ReadyLinks::with_room(Mask vcs, Index /*input*/, Index output, Index /*flits*/) const {
  const Index stage = first_stage_[output];
  Mask found = 0;
  for_each(vcs & readies_[register_of(stage, old_)], [&](Index vc) {
    if (count_[stage * vcs_ + vc] == 0 && taken_now_[stage] != vc) found |= bit(vc);
  });
  return found;
}

void ReadyLinks::send(Index output, Word flit, Index vc, bool from_router) {
  if (is_tail(flit)) free_[output] |= bit(vc);
  push(first_stage_[output], flit, now_ + (from_router ? traversal_ : 0));
}

/// Offers one of the flits at the fronts of queues, in turn. Flits that are certain to be taken
/// have priority: their `ready` is high, and none of their virtual channel is taken in this cycle.
void ReadyLinks::offer(Index stage) {
  Mask due = 0;
  for (Index vc = 0; vc < vcs_; ++vc) {
    const Index queue = stage * vcs_ + vc;
    if (count_[queue] > 0 && from_[queue * most_room_ + first_[queue]] <= now_) due |= bit(vc);
  }
  Word& offer = offers_[register_of(stage, 1 - old_)];
  offer = no_flit;
  if (due == 0) return;
  Mask certain = due & readies_[register_of(stage, old_)];
  if (taken_now_[stage] >= 0) certain &= ~bit(taken_now_[stage]);
  const Index queue =
      stage * vcs_ + next_from(certain != 0 ? certain : due, last_taken_[stage] + 1);
  offer = flits_[queue * most_room_ + first_[queue]];
}

void ReadyLinks::choose(Index unit) {
  const Index first_end = wiring_.first_end(unit);
  for_each(wiring_.outputs[unit], [&](Index port) { offer(first_stage_[first_end + port]); });
  for_each(wiring_.inputs[unit], [&](Index port) {
    const Index input = first_end + port;
    Mask ready = 0;
    for (Index vc = 0; vc < vcs_; ++vc) {
      const Index needed = has(between_packets_[input], vc) ? whole_ : 1;
      if (held_[input * vcs_ + vc] + needed <= depth_) ready |= bit(vc);
    }
    readies_[register_of(last_stage_[wiring_.sender_of[input]], 1 - old_)] = ready;
  });
}

Mask ReadyLinks::room(Index stage) const {
  Mask vcs = 0;
  for (Index vc = 0; vc < vcs_; ++vc)
    if (count_[stage * vcs_ + vc] < room_[stage]) vcs |= bit(vc);
  return vcs;
}

void ReadyLinks::finish() {
  for (Index output = 0; output < wiring_.ends; ++output)
    for (Index stage = first_stage_[output] + 1; stage <= last_stage_[output]; ++stage) {
      drop_if_taken(stage);
      if (taken(stage - 1)) push(stage, offers_[register_of(stage - 1, old_)], now_);
      offer(stage);
      readies_[register_of(stage - 1, 1 - old_)] = room(stage);
    }
}

}  // namespace flitwave::reference
