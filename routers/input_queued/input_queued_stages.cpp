// routers/input_queued/input_queued_stages.cpp: the clocked stages of an input-queued router.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include <algorithm>

#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

/// Calls `visit(candidate, output port, virtual channels)` for the virtual channels that a head
/// could claim now.
template <int FixedVcs, class Listener>
template <class Visit>
void InputQueued<FixedVcs, Listener>::for_each_offer(const InputVc& in, int port,
                                                     Visit visit) const {
  for (const Candidate& candidate : route_of(in).candidates())
    for_each_output(candidate, port, [&](int output) {
      std::uint64_t free = out_port(output).free_vcs() & mask_of(candidate);
      if (whole_packets_) free = with_room(free, output, in, port);
      if (free != 0) visit(candidate, output, free);
      return false;
    });
}

// Every stage uses the decisions of the others before this cycle: all begin before any ends.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::run_stages() {
  const Stages& stages = *stages_;
  if (heads_.ports != 0) begin_routes();
  if (heads_.ports != 0 && now_ > stages.vc_until) begin_claims();
  if ((active_.ports != 0 || (stages.rule.speculative && heads_.ports != 0)) &&
      now_ > stages.switch_until)
    begin_passages();
  if (now_ == stages.route_until) end_routes();
  if (now_ == stages.vc_until) end_claims();
  if (now_ == stages.switch_until) end_passages();
  // Changes while a stage is busy are considered when it begins again.
  const bool vc_again = now_ < stages.vc_until || (now_ == stages.vc_until && stages.rule.vc > 1);
  const bool switch_again =
      now_ < stages.switch_until || (now_ == stages.switch_until && stages.rule.passage > 1);
  again_ = again_ || now_ < stages.route_until || vc_again || switch_again;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::begin_routes() {
  Stages& stages = *stages_;
  if (now_ <= stages.route_until) return;
  stages.routing.clear();
  for_each_bit(heads_.ports, [&](int port) {
    heads_.for_each(port, [&](int vc) {
      InputVc& in = at(port, vc);
      if (in.state == State::routing && stages.first_try[index(port * vc_count() + vc)] <= now_)
        stages.routing.push_back(port * vc_count() + vc);
    });
  });
  if (stages.routing.empty()) return;
  if (stages.rule.route == 0) return end_routes();
  stages.route_until = now_ + stages.rule.route - 1;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::end_routes() {
  const int next = stages_->rule.route == 0 ? 0 : 1;  // cycles until the next stage
  for (const int input : stages_->routing) {
    InputVc& in = vcs_[input];
    look_up(in, input / vc_count());
    in.ready_at = now_ + next + stages_->rule.vc - 1;
  }
  stages_->routing.clear();
  again_ = true;
}

/// Heads request every virtual channel that they could claim; escapes have the lowest priority.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::begin_claims() {
  Stages& stages = *stages_;
  stages.claiming.clear();
  stages.vc_allocator.clear();
  bool& requested = stages.requested;
  requested = false;
  for_each_bit(heads_.ports, [&](int port) {
    heads_.for_each(port, [&](int vc) {
      InputVc& in = at(port, vc);
      if (in.state != State::waiting) return;
      const int input = port * vc_count() + vc;
      const Request head = request(input, in);
      stages.claiming.push_back(input);
      bool offered = false;
      for_each_offer(in, port, [&](const Candidate& candidate, int output, std::uint64_t free) {
        offered = true;
        for_each_bit(free, [&](int out_vc) {
          stages.vc_allocator.request(input, output * vc_count() + out_vc, candidate.escape ? 0 : 1,
                                      {head.since, head.created});
        });
      });
      if (offered)
        listener_.on_credit(input, true);
      else
        listener_.on_refusal(input);
      requested = requested || offered;
    });
  });
  if (stages.claiming.empty()) return;
  stages.vc_until = now_ + stages.rule.vc - 1;
  if (requested) stages.vc_allocator.allocate();
  again_ = again_ || requested;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::end_claims() {
  Stages& stages = *stages_;
  for (const int input : stages.claiming) {
    InputVc& in = vcs_[input];
    const int output = stages.vc_allocator.output_of(input);
    const int port = input / vc_count();
    if (output < 0 || !still_open(in, port, output)) continue;
    grant({input, output});
    in.ready_at = now_ + stages.rule.allocation() - stages.rule.vc;
  }
  listener_.on_claims(stages.claiming);
  // The winners go on to the switch, the losers request again.
  again_ = again_ || stages.requested;
  stages.claiming.clear();
}

/// Whether a virtual channel that was allocated some cycles ago can still be granted.
template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::still_open(const InputVc& in, int port, int output) const {
  const int out_port = output / vc_count();
  std::uint64_t wanted = this->out_port(out_port).free_vcs() & word_bit(output % vc_count());
  if (whole_packets_) wanted = with_room(wanted, out_port, in, port);
  return wanted != 0;
}

/// Flits request the switch; of those of an input that want the same output, one does.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::begin_passages() {
  Stages& stages = *stages_;
  stages.passages.clear();
  stages.switch_allocator.clear();
  bool busy = false;
  bool requested = false;
  for (int port = 0; port < ports(); ++port) {
    stages.bids.clear();
    busy = collect_bids(port) || busy;
    requested = requested || !stages.bids.empty();
    place_bids(port);
  }
  if (!busy) return;
  stages.switch_until = now_ + stages.rule.passage - 1;
  if (!requested) return;
  again_ = true;
  stages.switch_allocator.allocate();
  for (Stages::Passage& passage : stages.passages) {
    if (stages.switch_allocator.output_of(passage.port) != passage.output) {
      passage.output = -1;
      continue;
    }
    stages.vc_arbiters[index(passage.port)].served(passage.vc);
  }
  listener_.on_passages(stages);
}

/// Returns: whether any flit of the input is in the stage, including flits that cannot win.
template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::collect_bids(int port) {
  Stages& stages = *stages_;
  active_.for_each(port, [&](int vc) {
    InputVc& in = at(port, vc);
    const bool room = out_port(in.output).can_send(in.output_vc);
    if (room) stages.bids.push_back({in.output, vc, false});
    listener_.on_credit(port * vc_count() + vc, room);
  });
  bool busy = active_.has(port);
  if (!stages.rule.speculative) return busy;
  // A passage that is granted before the virtual channel could not be used.
  if (stages.rule.vc > stages.rule.passage && now_ + stages.rule.passage - 1 < stages.vc_until)
    return busy;
  heads_.for_each(port, [&](int vc) {
    const InputVc& in = at(port, vc);
    if (in.state != State::waiting) return;
    busy = true;
    for_each_offer(in, port, [&](const Candidate&, int output, std::uint64_t free) {
      bool room = false;
      for_each_bit(free, [&](int out_vc) { room = room || out_port(output).can_send(out_vc); });
      if (room) stages.bids.push_back({output, vc, true});
    });
  });
  return busy;
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::place_bids(int port) {
  Stages& stages = *stages_;
  if (params_.arbitration == Arbitration::random) stages.sort_bids();
  while (!stages.bids.empty()) {
    const int output = stages.bids.front().output;
    bool certain = false;
    for (const Stages::Bid& bid : stages.bids)
      certain = certain || (bid.output == output && !bid.speculative);
    stages.requests.clear();
    for (const Stages::Bid& bid : stages.bids) {
      if (bid.output != output || (certain && bid.speculative)) continue;
      Request entry = request(bid.vc, at(port, bid.vc));
      entry.since = in_port(port).front(bid.vc).arrived;
      stages.requests.push_back(entry);
    }
    const Request& best = stages.requests[stages.vc_arbiters[index(port)].pick(stages.requests)];
    stages.switch_allocator.request(port, output, certain ? 1 : 0, {best.since, best.created});
    stages.passages.push_back({port, best.index, output});
    const auto same = [output](const Stages::Bid& bid) { return bid.output == output; };
    stages.bids.erase(std::remove_if(stages.bids.begin(), stages.bids.end(), same),
                      stages.bids.end());
  }
}

/// A passage that was granted on speculation can be used only by a head that got a virtual channel
/// of that output.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::end_passages() {
  for (const Stages::Passage& passage : stages_->passages) {
    if (passage.output < 0) continue;
    const InputVc& in = at(passage.port, passage.vc);
    if (in.state != State::active || in.output != passage.output) continue;
    if (!out_port(in.output).can_send(in.output_vc)) continue;
    traverse(passage.port, passage.vc);
  }
  again_ = again_ || !stages_->passages.empty();  // for the flits that lost
  stages_->passages.clear();
}

template void InputQueued<0, Unobserved>::run_stages();
template void InputQueued<1, Unobserved>::run_stages();
template void InputQueued<0, StallReporter<0>>::run_stages();
template void InputQueued<1, StallReporter<1>>::run_stages();

}  // namespace flitwave
