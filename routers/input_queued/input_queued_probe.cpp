// routers/input_queued/input_queued_probe.cpp: what an input-queued router reports to its stall
// probe.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

/// A head got no virtual channel: none is free, or where packets move whole, none has room.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_refusal(InputVc& in, int port) {
  if (!probe_) return;
  bool free = false;
  if (whole_packets_)
    for (const Candidate& candidate : route_of(in).candidates())
      for_each_output(candidate, port, [&](int output) {
        const std::uint64_t wanted = mask_of(candidate);
        free = free || (out_port(output).free_vcs() & wanted) != 0;
        return free;
      });
  note_room(in, !free);
  if (!free) note_holder(in, port);
}

/// Remembers who holds what a head wanted first, or who held it last if it only drains.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_holder(InputVc& in, int port) {
  Denial& denial = denial_of(in);
  if (denial.seen) return;
  denial.seen = true;
  const Candidate& wanted = route_of(in).candidates().front();
  for_each_output(wanted, port, [&](int output) {
    for (int vc = 0; vc < vc_count(); ++vc) {
      if ((mask_of(wanted) & word_bit(vc)) == 0) continue;
      const int holder = out_port(output).holder(vc);
      if (holder < 0) {
        if (denial.number >= 0) continue;
        denial.source = last_sent(output, vc).source;
        denial.number = last_sent(output, vc).number;
        continue;
      }
      denial.seen = false;
      note_blocker(in, vcs_[holder]);
      return true;
    }
    return false;
  });
}

template <int FixedVcs>
void InputQueued<FixedVcs>::note_blocker(InputVc& in, const InputVc& blocker) {
  if (!probe_) return;
  note_room(in, true);
  if (denial_of(in).seen) return;
  denial_of(in).seen = true;
  const Packet& packet = site().packets.packet(blocker.head);
  denial_of(in).source = packet.header.source;
  denial_of(in).number = packet.number;
}

/// Counts the cycles in which a flit has no room.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_room(InputVc& in, bool room) {
  if (!room && denial_of(in).no_room_since < 0) denial_of(in).no_room_since = now_;
  if (!room || denial_of(in).no_room_since < 0) return;
  denial_of(in).no_room += now_ - denial_of(in).no_room_since;
  denial_of(in).no_room_since = -1;
}

/// Of an input's virtual channels, those whose flit lost the switch to another packet's.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_losers(int port, std::uint64_t vcs, int winner) {
  for_each_bit(vcs, [&](int vc) {
    if (&at(port, vc) != &vcs_[winner]) note_loss(port, vc, vcs_[winner], 1);
  });
}

/// Body flits that only share an input have shared the channel before it: nothing is new.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_loss(int port, int vc, const InputVc& winner, Cycle cycles) {
  InputVc& in = at(port, vc);
  const bool head = in_port(port).front(vc).flit.head();
  if (!head && in.output != winner.output) return;
  note_blocker(in, winner);
  denial_of(in).gave_way += cycles;
}

/// A head gets a virtual channel: all that it waited for until now.
template <int FixedVcs>
void InputQueued<FixedVcs>::note_grant(InputVc& in) {
  const PipelineTiming& least = timing_;
  const Cycle earliest = std::max(in.ready_at, denial_of(in).first_try);
  Passage& passage = passage_of(in);
  passage = {};
  passage.front = earliest - least.route - least.vc;
  if (stages_) {
    const Cycle begun = in.ready_at - stages_->rule.route - stages_->rule.vc + 1;
    passage.front = denial_of(in).first_try;
    passage.route_wait = begun - passage.front;
  }
  note_room(in, true);
  tell(in, Stall::Cause::vc_taken, now_ - earliest);
}

/// The flit at the front is about to leave.
template <int FixedVcs>
void InputQueued<FixedVcs>::tell_passage(InputVc& in, int port, int vc) {
  const InputUnit::Slot& slot = in_port(port).front(vc);
  Passage& passage = passage_of(in);
  passage.node = node();
  passage.flit = slot.flit.on_vc(in.output_vc);
  passage.output = PortId(in.output);
  passage.arrived = slot.arrived;
  passage.stored = stores_ && slot.flit.head();
  passage.least = timing_;
  if (!slot.flit.head()) {
    passage.least.route = passage.least.vc = 0;
    passage.front = std::max(slot.arrived, passage.left + 1);  // left: by the flit before it
    passage.route_wait = passage.vc_wait = passage.room_wait = passage.switch_wait = 0;
  }
  const Cycle begin = timing_.clocked ? passage.front : slot.arrived;
  const Cycle earliest =
      slot.flit.head() ? in.ready_at : std::max(passage.front, begin + timing_.passage);
  // Who speculates crosses the switch's stage while it waits for a virtual channel.
  const Cycle overlap = std::max<Cycle>(0, earliest - now_);
  const Cycle room_overlap = std::max<Cycle>(0, overlap - passage.vc_wait);
  passage.vc_wait -= overlap - room_overlap;
  passage.room_wait -= room_overlap;
  tell(in, Stall::Cause::switch_taken, now_ - earliest + overlap);
  passage.left = now_;
  const Packet& packet = site().packets.packet(in.head);
  last_sent_[index(in.output * vc_count() + in.output_vc)] = {packet.header.source, packet.number};
  probe_->passed(passage);
}

/// A flit goes on after a stage in which it was denied something. The probe is told, but of body
/// flits only when others crossed to their output: for room they wait because their head does.
template <int FixedVcs>
void InputQueued<FixedVcs>::tell(InputVc& in, Stall::Cause cause, Cycle cycles) {
  const Denial denial = denial_of(in);
  denial_of(in) = {};
  Passage& passage = passage_of(in);
  passage.room_wait += denial.no_room;
  (cause == Stall::Cause::vc_taken ? passage.vc_wait : passage.switch_wait) =
      cycles - denial.no_room;
  const PortId output(in.output);
  if (cause == Stall::Cause::switch_taken && !passage.flit.head()) {
    if (denial.gave_way > 0)
      probe_->waited(
          {node(), passage.flit, output, cause, denial.gave_way, denial.source, denial.number});
    return;
  }
  if (cycles <= 0) return;
  if (denial.no_room > 0) {
    const PacketName& last = last_sent(in.output, in.output_vc);
    probe_->waited(
        {node(), in.head, output, Stall::Cause::no_room, denial.no_room, last.source, last.number});
  }
  if (cycles > denial.no_room)
    probe_->waited(
        {node(), in.head, output, cause, cycles - denial.no_room, denial.source, denial.number});
}

template void InputQueued<0>::note_refusal(InputVc&, int);
template void InputQueued<0>::note_holder(InputVc&, int);
template void InputQueued<0>::note_blocker(InputVc&, const InputVc&);
template void InputQueued<0>::note_room(InputVc&, bool);
template void InputQueued<0>::note_losers(int, std::uint64_t, int);
template void InputQueued<0>::note_loss(int, int, const InputVc&, Cycle);
template void InputQueued<0>::note_grant(InputVc&);
template void InputQueued<0>::tell_passage(InputVc&, int, int);
template void InputQueued<1>::note_refusal(InputVc&, int);
template void InputQueued<1>::note_holder(InputVc&, int);
template void InputQueued<1>::note_blocker(InputVc&, const InputVc&);
template void InputQueued<1>::note_room(InputVc&, bool);
template void InputQueued<1>::note_losers(int, std::uint64_t, int);
template void InputQueued<1>::note_loss(int, int, const InputVc&, Cycle);
template void InputQueued<1>::note_grant(InputVc&);
template void InputQueued<1>::tell_passage(InputVc&, int, int);

}  // namespace flitwave
