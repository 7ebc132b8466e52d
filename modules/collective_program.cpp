// modules/collective_program.cpp: see collective_program.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/collective_program.hpp"

namespace flitwave {

CollectiveProgram::CollectiveProgram(NodeId node, int program, const Schedule& schedule,
                                     const PacketFormat& format, TransferLog& log)
    : program_(program), schedule_(schedule), format_(format), log_(log) {
  const auto& deliveries = schedule.demand().deliveries;
  for (std::size_t message = 0; message < deliveries.size(); ++message)
    if (deliveries[message].source == node) own_.push_back(static_cast<int>(message));
  const auto& transfers = schedule.transfers();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (transfers[i].from == node) sends_[transfers[i].message].push_back(static_cast<int>(i));
    receives_ = receives_ || transfers[i].to == node;
  }
}

void CollectiveProgram::start(ProcessorNode& node) {
  for (int message : own_) issue(node, message, node.domain().now());
}

// [received]
void CollectiveProgram::received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) {
  const int transfer = static_cast<int>(message.tag);
  log_.delivered(transfer, done);
  issue(node, schedule_.transfers()[message.tag].message, done);
}
// [received]

void CollectiveProgram::issue(ProcessorNode& node, int message, Cycle ready) {
  const auto found = sends_.find(message);
  if (found == sends_.end()) return;
  const Bytes size = schedule_.demand().deliveries[static_cast<std::size_t>(message)].size;
  for (int index : found->second) {
    const Transfer& transfer = schedule_.transfers()[static_cast<std::size_t>(index)];
    OutgoingMessage outgoing;
    outgoing.destination = transfer.to;
    outgoing.packets = format_.packets(size, transfer.addresses);
    outgoing.program = program_;
    outgoing.tag = static_cast<std::uint64_t>(index);
    log_.ready(index, ready);
    node.send(std::move(outgoing), ready);
  }
}

}  // namespace flitwave
