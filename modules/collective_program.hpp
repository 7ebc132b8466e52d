// modules/collective_program.hpp: a node's part of a schedule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/modules/packet_format.hpp"
#include "flitwave/modules/processor_node.hpp"

namespace flitwave {

/// Told what became of the transfers of a schedule.
class TransferLog {
 public:
  /// The sender could have begun: it has the message. `ready`: since which cycle.
  virtual void ready(int transfer, Cycle ready) = 0;
  /// The receiver has the message; its receive overhead is over at `done`.
  virtual void delivered(int transfer, Cycle done) = 0;
  /// Its overhead at the sender, or at the receiver, begins.
  virtual void send_begins(int transfer, const OverheadStart& start) = 0;
  virtual void receive_begins(int transfer, const OverheadStart& start) = 0;
  /// Its injection channel is free again from `cycle` on.
  virtual void sent(int transfer, Cycle cycle) = 0;

 protected:
  ~TransferLog() = default;
};

/// Sends what its node has to send of a schedule at dataflow pace: each message's transfers in
/// their order, as soon as the message is here.
class CollectiveProgram final : public NodeProgram {
 public:
  /// `program`: its number at every node. Schedule and log outlive it.
  CollectiveProgram(NodeId node, int program, const Schedule& schedule, const PacketFormat& format,
                    TransferLog& log);

  /// Whether the node takes any part.
  bool idle() const { return sends_.empty() && !receives_; }

  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;
  void send_begins(std::uint64_t tag, const OverheadStart& start) override {
    log_.send_begins(static_cast<int>(tag), start);
  }
  void receive_begins(std::uint64_t tag, const OverheadStart& start) override {
    log_.receive_begins(static_cast<int>(tag), start);
  }
  void sent(std::uint64_t tag, Cycle cycle) override { log_.sent(static_cast<int>(tag), cycle); }

 private:
  void issue(ProcessorNode& node, int message, Cycle ready);

  int program_;
  const Schedule& schedule_;
  const PacketFormat& format_;
  TransferLog& log_;
  bool receives_ = false;
  std::vector<int> own_;                   // messages that the node has from the start
  std::map<int, std::vector<int>> sends_;  // message -> transfers from this node
};

}  // namespace flitwave
