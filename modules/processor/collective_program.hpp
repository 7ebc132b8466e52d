// modules/processor/collective_program.hpp: a node's part of a schedule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "algorithms/schedule.hpp"
#include "modules/packet/packet_format.hpp"
#include "modules/processor/processor_node.hpp"

namespace flitwave {

/// A sink for the events of the transfers of a schedule.
class TransferLog {
 public:
  /// The sender has the message and can begin. `ready`: since which cycle.
  virtual void ready(int transfer, Cycle ready) = 0;
  /// The receiver has the message; its receive overhead is over at `done`.
  virtual void delivered(int transfer, Cycle done) = 0;
  /// The overhead of the transfer at the sender, or at the receiver, begins.
  virtual void send_begins(int transfer, const OverheadStart& start) = 0;
  virtual void receive_begins(int transfer, const OverheadStart& start) = 0;
  /// The injection channel of the transfer is free again from `cycle` on.
  virtual void sent(int transfer, Cycle cycle) = 0;
  /// The part of a node that was held begins; all others begin with the programs.
  virtual void part_begins(NodeId, Cycle) {}

 protected:
  ~TransferLog() = default;
};

/// The data that transfers carry, from hand-over to receipt. Shape: [transfers][pieces]
using Payloads = std::vector<std::vector<Datum>>;

class StepBarrier;

/// When a node's part of a schedule begins.
struct ProgramStart {
  Cycle delay = 0;                 ///< After the start of the programs.
  StepBarrier* barrier = nullptr;  ///< Of a schedule with barriers, shared by all nodes; else null.
};

/// Sends the transfers of a schedule that start at its node, in their order, each as soon as all
/// its pieces have been received, its own contributions are released and, at a pace with barriers,
/// its step or phase has begun. The data of reductions are really combined.
class CollectiveProgram final : public NodeProgram {
 public:
  /// `program`: the number of the program at every node. Schedule, payloads and log outlive it.
  /// `payloads` is shared by all nodes of the schedule.
  CollectiveProgram(NodeId node, int program, const Schedule& schedule, const PacketFormat& format,
                    Payloads& payloads, TransferLog& log, const ProgramStart& start = {});

  /// The node's part begins when it is requested. Before the start of the programs.
  /// `ended`: called when all its transfers are sent and all that it receives are delivered.
  void hold(std::function<void()> ended);
  /// Begins the part in this cycle. Needs: within a call of the node to one of its programs
  void request(ProcessorNode& node);
  /// Whether a held part has anything to send or to receive.
  bool has_part() const { return parts_ > 0; }

  /// Compares the data of the node with the final data of the schedule. Needs: all transfers are
  /// delivered. `topology`: for the node's name.
  /// Throws: ModelError when they differ.
  void check_results(const Topology& topology) const;

  Bytes combines(std::uint64_t tag) const override {
    return schedule_.transfer(static_cast<int>(tag)).combined;
  }
  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;
  void woken(ProcessorNode& node) override;
  void send_begins(std::uint64_t tag, const OverheadStart& start) override {
    for_each_of(tag, [&](int transfer) { log_.send_begins(transfer, start); });
  }
  void receive_begins(std::uint64_t tag, const OverheadStart& start) override {
    log_.receive_begins(static_cast<int>(tag), start);
  }
  void sent(std::uint64_t tag, Cycle cycle) override {
    for_each_of(tag, [&](int transfer) { log_.sent(transfer, cycle); });
    count_down();
  }

 private:
  /// A message from this node.
  struct Message {
    int transfer;             ///< The first transfer that it performs; identifies the message.
    std::size_t missing;      ///< Number of conditions that are not met: receipts, turn, release.
    std::vector<int> copies;  ///< The other transfers that it performs.
  };
  /// A message that waits for a transfer to this node.
  struct Wait {
    int transfer;
    int message;
  };
  /// A message that waits for its step or phase.
  struct Turn {
    int stage;
    int message;
  };
  /// A message that waits for its release.
  struct Release {
    Cycle at;  ///< After the start of the programs.
    int message;
  };

  Message& message(int transfer);
  void pass(ProcessorNode& node, int message, Cycle ready);
  void issue(ProcessorNode& node, const Message& message, Cycle ready);
  void begin(ProcessorNode& node);
  void begin_stage(ProcessorNode& node);
  void sleep(ProcessorNode& node);
  void count_down();
  void take(int transfer);
  PieceHistory& own(int piece);
  /// Visits all transfers that a message performs.
  template <class Visit>
  void for_each_of(std::uint64_t tag, Visit visit) {
    visit(static_cast<int>(tag));
    for (int copy : message(static_cast<int>(tag)).copies) visit(copy);
  }

  NodeId node_;
  int program_;
  const Schedule& schedule_;
  const PacketFormat& format_;
  Payloads& payloads_;
  TransferLog& log_;
  std::map<int, PieceHistory> held_;  // by piece
  std::vector<Message> messages_;     // ascending
  std::vector<Wait> waits_;           // by transfer, then by message
  std::vector<Release> releases_;     // in the order of time
  std::size_t released_ = 0;          // number of passed releases
  std::vector<Turn> turns_;           // in the order of stages
  std::size_t begun_ = 0;             // number of passed turns
  ProgramStart when_;
  bool has_begun_ = false;
  Cycle start_ = 0;
  bool is_held_ = false;
  std::size_t parts_ = 0;        // messages to be sent and transfers to be received, if it is held
  std::size_t left_ = 0;         // of these, those that are not over
  std::function<void()> ended_;  // if it is held
};

}  // namespace flitwave
