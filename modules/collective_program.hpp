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

/// The data that transfers carry, from hand-over to receipt. Shape: [transfers][pieces]
using Payloads = std::vector<std::vector<Datum>>;

/// Sends what its node has to send of a schedule at dataflow pace: transfers in their order, each
/// as soon as all that it carries is here, and its own contributions are released. The data of
/// reductions are really combined.
class CollectiveProgram final : public NodeProgram {
 public:
  /// `program`: its number at every node. Schedule, payloads and log outlive it. `payloads` is
  /// shared by all nodes of the schedule.
  CollectiveProgram(NodeId node, int program, const Schedule& schedule, const PacketFormat& format,
                    Payloads& payloads, TransferLog& log);

  /// Compares what the node has with what the schedule says that it ends up with. Needs: all
  /// transfers are delivered. `topology`: for the node's name.
  /// Throws: ModelError when they differ.
  void check_results(const Topology& topology) const;

  Bytes combines(std::uint64_t tag) const override {
    return schedule_.transfer(static_cast<int>(tag)).combined;
  }
  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;
  void woken(ProcessorNode& node) override;
  void send_begins(std::uint64_t tag, const OverheadStart& start) override {
    for (int transfer : message_of(tag)) log_.send_begins(transfer, start);
  }
  void receive_begins(std::uint64_t tag, const OverheadStart& start) override {
    log_.receive_begins(static_cast<int>(tag), start);
  }
  void sent(std::uint64_t tag, Cycle cycle) override {
    for (int transfer : message_of(tag)) log_.sent(transfer, cycle);
  }

 private:
  /// A transfer from this node that waits for its release.
  struct Release {
    Cycle at;  ///< After the start of the programs.
    int transfer;
  };

  void issue(ProcessorNode& node, int transfer, Cycle ready);
  void sleep(ProcessorNode& node);
  void take(int transfer);
  PieceHistory& own(int piece);
  /// The transfers that one message makes: that of its tag, and its copies.
  const std::vector<int>& message_of(std::uint64_t tag) const {
    return messages_.at(static_cast<int>(tag));
  }

  NodeId node_;
  int program_;
  const Schedule& schedule_;
  const PacketFormat& format_;
  Payloads& payloads_;
  TransferLog& log_;
  std::map<int, PieceHistory> held_;       // by piece
  std::map<int, std::vector<int>> waits_;  // transfer to this node -> those from it that need it
  std::map<int, std::size_t> missing_;     // transfer from this node -> those it waits for, release
  std::map<int, std::vector<int>> messages_;  // by first transfer
  std::vector<Release> releases_;             // in the order of time
  std::size_t released_ = 0;                  // of these
  Cycle start_ = 0;
};

}  // namespace flitwave
