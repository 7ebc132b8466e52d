// testbenches/message_model.cpp: see message_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/message_model.hpp"

#include "flitwave/testbenches/microseconds.hpp"

namespace flitwave {

std::optional<double> MessageModel::alone(const Transfer& transfer) const {
  if (!plan_.closed_form || job_.node.overhead == Overhead::path_held) return std::nullopt;
  const auto packets = plan_.format->packets(transfer.size, transfer.addresses);
  if (packets.size() != 1 || transfer.from == transfer.to) return std::nullopt;
  const auto hops = path(*plan_.routing, *plan_.topology, {transfer.from, transfer.to, 0}).size();
  const Duration period = job_.clock.period;
  const Delay combining = job_.node.combine_overhead * transfer.combined;
  const Cycle network = plan_.closed_form->packet_latency(static_cast<int>(hops), packets.front());
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
