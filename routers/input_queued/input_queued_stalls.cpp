// routers/input_queued/input_queued_stalls.cpp: see input_queued_stalls.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/input_queued_stalls.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

template <int FixedVcs>
StallReporter<FixedVcs>::StallReporter(const Owner& router, const RouterSite& site)
    : router_(router),
      listener_(*site.listener),
      denials_(index(site.ports() * router.vc_count())),
      passages_(denials_.size()),
      last_sent_(denials_.size()) {}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_refusal(int input) {
  bool free = false;
  const auto& in = router_.vcs_[input];
  if (router_.whole_packets_)
    for (const Candidate& candidate : router_.route_of(in).candidates())
      router_.for_each_output(candidate, port_of(input), [&](int output) {
        const std::uint64_t wanted = router_.mask_of(candidate);
        free = free || (router_.out_port(output).free_vcs() & wanted) != 0;
        return free;
      });
  on_credit(input, !free);
  if (!free) name_holder(input);
}

/// Records the packet that holds the first virtual channel that a head wanted, or that held it last
/// if the virtual channel is draining.
template <int FixedVcs>
void StallReporter<FixedVcs>::name_holder(int input) {
  Denial& denial = this->denial(input);
  if (denial.seen) return;
  denial.seen = true;
  const Candidate& wanted = router_.route_of(router_.vcs_[input]).candidates().front();
  router_.for_each_output(wanted, port_of(input), [&](int output) {
    for (int vc = 0; vc < router_.vc_count(); ++vc) {
      if ((router_.mask_of(wanted) & word_bit(vc)) == 0) continue;
      const int holder = router_.out_port(output).holder(vc);
      if (holder < 0) {
        if (denial.number >= 0) continue;
        denial.source = last_sent(output, vc).source;
        denial.number = last_sent(output, vc).number;
        continue;
      }
      denial.seen = false;
      name_blocker(input, holder);
      return true;
    }
    return false;
  });
}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_lost_claim(int input, int winner) {
  name_blocker(input, winner);
}

template <int FixedVcs>
void StallReporter<FixedVcs>::name_blocker(int input, int blocker) {
  on_credit(input, true);
  Denial& denial = this->denial(input);
  if (denial.seen) return;
  denial.seen = true;
  const Packet& packet = router_.site().packets.packet(router_.vcs_[blocker].head);
  denial.source = packet.header.source;
  denial.number = packet.number;
}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_claims(const std::vector<int>& inputs) {
  for (const int input : inputs)
    if (router_.vcs_[input].state == Owner::State::waiting) name_holder(input);
}

/// Counts the cycles in which a flit has no space.
template <int FixedVcs>
void StallReporter<FixedVcs>::on_credit(int input, bool space) {
  Denial& denial = this->denial(input);
  if (!space && denial.no_room_since < 0) denial.no_room_since = router_.now_;
  if (!space || denial.no_room_since < 0) return;
  denial.no_room += router_.now_ - denial.no_room_since;
  denial.no_room_since = -1;
}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_nomination(int port, std::uint64_t vcs, int winner) {
  const int first = port * router_.vc_count();
  for_each_bit(vcs, [&](int vc) {
    if (vc != winner) lose_switch(first + vc, first + winner, 1);
  });
}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_passage_grant(std::uint64_t inputs, const std::int16_t* nominees,
                                               int winner) {
  for_each_bit(inputs, [&](int port) {
    if (port != winner)
      lose_switch(port * router_.vc_count() + nominees[port],
                  winner * router_.vc_count() + nominees[winner], 1);
  });
}

/// Flits that requested the switch and lost have lost to the flit that crosses to their output, or
/// else from their input.
template <int FixedVcs>
void StallReporter<FixedVcs>::on_passages(const Stages& stages) {
  const int vcs = router_.vc_count();
  for_each_bit(router_.active_.ports, [&](int port) {
    router_.active_.for_each(port, [&](int vc) {
      const auto& in = router_.at(port, vc);
      if (!router_.out_port(in.output).can_send(in.output_vc)) return;
      int winner = -1;
      for (const Stages::Passage& passage : stages.passages) {
        const bool same_output = passage.output == in.output;
        if (same_output || (winner < 0 && passage.output >= 0 && passage.port == port))
          winner = passage.port * vcs + passage.vc;
      }
      const int input = port * vcs + vc;
      if (winner >= 0 && winner != input) lose_switch(input, winner, stages.rule.passage);
    });
  });
}

/// Body flits that lose to a flit of the same input but of another output are not counted: the
/// packets already share the channel into this input.
template <int FixedVcs>
void StallReporter<FixedVcs>::lose_switch(int input, int winner, Cycle cycles) {
  const int port = port_of(input);
  const int vc = input % router_.vc_count();
  const bool head = router_.in_port(port).front(vc).flit.head();
  if (!head && router_.vcs_[input].output != router_.vcs_[winner].output) return;
  name_blocker(input, winner);
  denial(input).lost += cycles;
}

/// Reports all waits of the head up to the claim.
template <int FixedVcs>
void StallReporter<FixedVcs>::on_claim(int input) {
  const auto& in = router_.vcs_[input];
  const PipelineTiming& least = router_.timing_;
  const Cycle earliest = std::max(in.ready_at, denial(input).first_try);
  Passage& passage = this->passage(input);
  passage = {};
  passage.front = earliest - least.route - least.vc;
  if (router_.stages_) {
    const StageRule& rule = router_.stages_->rule;
    const Cycle begun = in.ready_at - rule.route - rule.vc + 1;
    passage.front = denial(input).first_try;
    passage.route_wait = begun - passage.front;
  }
  on_credit(input, true);
  report_stalls(input, Stall::Cause::vc_taken, router_.now_ - earliest);
}

template <int FixedVcs>
void StallReporter<FixedVcs>::on_departure(int input) {
  const auto& in = router_.vcs_[input];
  const PipelineTiming& timing = router_.timing_;
  const Cycle now = router_.now_;
  const InputPort::Slot& slot = router_.in_port(port_of(input)).front(input % router_.vc_count());
  Passage& passage = this->passage(input);
  passage.node = router_.node();
  passage.flit = slot.flit.on_vc(in.output_vc);
  passage.output = PortId(in.output);
  passage.arrived = slot.arrived;
  passage.stored = router_.stores_ && slot.flit.head();
  passage.least = timing;
  if (!slot.flit.head()) {
    passage.least.route = passage.least.vc = 0;
    passage.front = std::max(slot.arrived, passage.left + 1);  // left: that of the flit before it
    passage.route_wait = passage.vc_wait = passage.room_wait = passage.switch_wait = 0;
  }
  const Cycle begin = timing.clocked ? passage.front : slot.arrived;
  const Cycle earliest =
      slot.flit.head() ? in.ready_at : std::max(passage.front, begin + timing.passage);
  // A speculating head passes the switch stage while it waits for a virtual channel.
  const Cycle overlap = std::max<Cycle>(0, earliest - now);
  const Cycle room_overlap = std::max<Cycle>(0, overlap - passage.vc_wait);
  passage.vc_wait -= overlap - room_overlap;
  passage.room_wait -= room_overlap;
  report_stalls(input, Stall::Cause::switch_taken, now - earliest + overlap);
  passage.left = now;
  const Packet& packet = router_.site().packets.packet(in.head);
  last_sent(in.output, in.output_vc) = {packet.header.source, packet.number};
  listener_.on_passage(passage);
}

/// Reports the waits of a flit at the end of a stage. For body flits only arbitrations that were
/// lost to flits for the same output are reported: they wait for space because their head does.
template <int FixedVcs>
void StallReporter<FixedVcs>::report_stalls(int input, Stall::Cause cause, Cycle cycles) {
  const Denial denial = this->denial(input);
  this->denial(input) = {};
  Passage& passage = this->passage(input);
  passage.room_wait += denial.no_room;
  (cause == Stall::Cause::vc_taken ? passage.vc_wait : passage.switch_wait) =
      cycles - denial.no_room;
  const auto& in = router_.vcs_[input];
  const NodeId node = router_.node();
  const PortId output(in.output);
  if (cause == Stall::Cause::switch_taken && !passage.flit.head()) {
    if (denial.lost > 0)
      listener_.on_stall(
          {node, passage.flit, output, cause, denial.lost, denial.source, denial.number});
    return;
  }
  if (cycles <= 0) return;
  if (denial.no_room > 0) {
    const PacketName& last = last_sent(in.output, in.output_vc);
    listener_.on_stall(
        {node, in.head, output, Stall::Cause::no_room, denial.no_room, last.source, last.number});
  }
  if (cycles > denial.no_room)
    listener_.on_stall(
        {node, in.head, output, cause, cycles - denial.no_room, denial.source, denial.number});
}

template class StallReporter<0>;
template class StallReporter<1>;

}  // namespace flitwave
