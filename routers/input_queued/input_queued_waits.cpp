// routers/input_queued/input_queued_waits.cpp: what the packets in an input-queued router wait for.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::add_waits(WaitPoint& point) const {
  const int port = point.input.value();
  const InputVc& in = at(port, point.vc);
  if (in.state == State::active) {
    point.movable = out_port(in.output).can_send(in.output_vc);
    point.waits_for.push_back({true, PortId(in.output), in.output_vc, 1});
    return;
  }
  if (in.state != State::waiting) return;
  point.movable = false;
  for (const Candidate& candidate : route_of(in).candidates())
    for_each_output(candidate, port, [&](int output) {
      const std::uint64_t wanted = mask_of(candidate);
      for (int vc = 0; vc < vc_count(); ++vc) {
        if ((wanted & word_bit(vc)) == 0) continue;
        const OutputPort& out = out_port(output);
        const int holder = out.holder(vc);
        const bool free = (out.free_vcs() & word_bit(vc)) != 0;
        if (holder >= 0)
          point.waits_for.push_back(
              {false, PortId(holder / vc_count()), holder % vc_count(), 1, 0, PortId(output)});
        else if (!free)  // under atomic re-allocation the whole buffer must empty
          point.waits_for.push_back({true, PortId(output), vc, out.channel().params().depth()});
        else if (whole_packets_ && with_room(word_bit(vc), output, in, port) == 0)
          point.waits_for.push_back({true, PortId(output), vc, room_needed(in, port, output)});
        else
          point.movable = true;
      }
      return false;
    });
}

template <int FixedVcs, class Listener>
bool InputQueued<FixedVcs, Listener>::lost_switch(PortId input, int vc) const {
  const InputVc& in = at(input.value(), vc);
  const InputPort& buffer = in_port(input.value());
  if (in.state != State::active || buffer.empty(vc)) return false;
  const InputPort::Slot& slot = buffer.front(vc);
  const Cycle earliest = slot.flit.head() ? in.ready_at : slot.arrived + timing_.passage;
  return earliest <= now_ && out_port(in.output).can_send(in.output_vc);
}

template <int FixedVcs, class Listener>
std::uint64_t InputQueued<FixedVcs, Listener>::lost_claims(PortId input, int vc) const {
  const InputVc& in = at(input.value(), vc);
  if (in.state != State::waiting || now_ < in.ready_at) return 0;
  std::uint64_t outputs = 0;
  for (const Candidate& candidate : route_of(in).candidates())
    for_each_output(candidate, input.value(), [&](int output) {
      outputs |= word_bit(output);
      return false;
    });
  return outputs;
}

/// The space that a head waits for. Unit: flit
template <int FixedVcs, class Listener>
int InputQueued<FixedVcs, Listener>::room_needed(const InputVc& in, int port, int output) const {
  if (!whole_packets_) return 1;
  const int ring = site().rings[index(output)];
  if (!params_.bubble || ring < 0) return static_cast<int>(site().packets.packet(in.head).length);
  const int slot = out_port(output).channel().params().whole_packet;
  return site().rings[index(port)] != ring ? 2 * slot : slot;
}

template class InputQueued<0, Unobserved>;
template class InputQueued<1, Unobserved>;
template class InputQueued<0, StallReporter<0>>;
template class InputQueued<1, StallReporter<1>>;

}  // namespace flitwave
