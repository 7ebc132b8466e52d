// testbenches/observers/message_model.cpp: see message_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/message_model.hpp"

#include "testbenches/job/results/microseconds.hpp"

namespace flitwave {

/// For a transfer from one receiver of its message to the next: all channels so far.
int MessageModel::hops(const Transfer& transfer) const {
  int count = 0;
  for (const Transfer* part = &transfer; part != nullptr;) {
    const Transfer* before = part->follows < 0 ? nullptr : &plan_.schedule->transfer(part->follows);
    const NodeId from = before ? before->to : part->from;
    count += static_cast<int>(path(*plan_.routing, *plan_.topology,
                                   {from, part->to, 0, 0, part->direction},
                                   before ? arrival_at(*plan_.topology, from) : Arrival{})
                                  .size());
    part = before;
  }
  return count;
}

std::optional<double> MessageModel::alone(const Transfer& transfer) const {
  if (!plan_.closed_form || job_.node.overhead == Overhead::path_held) return std::nullopt;
  const auto packets = plan_.format->packets(transfer.size, transfer.addresses);
  if (packets.size() != 1 || transfer.from == transfer.to) return std::nullopt;
  const Duration period = job_.clock.period;
  const Delay combining = job_.node.combine_overhead * transfer.combined;
  const Cycle network = plan_.closed_form->packet_latency(hops(transfer), packets.front());
  return microseconds(
      job_.node.send_overhead.exact_picoseconds(period) + network * period.picoseconds +
      job_.node.receive_overhead.exact_picoseconds(period) + combining.exact_picoseconds(period));
}

double MessageModel::rounding() const {
  const Duration period = job_.clock.period;
  std::int64_t error = 0;
  for (const Delay& delay : {job_.node.send_overhead, job_.node.receive_overhead})
    error += delay.rounded(period) * period.picoseconds - delay.exact_picoseconds(period);
  return microseconds(error);
}

}  // namespace flitwave
