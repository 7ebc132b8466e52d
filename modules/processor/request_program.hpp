// modules/processor/request_program.hpp: closed-loop load: every request is answered, and few are
// open. [program] -> processor -> interface -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "algorithms/traffic.hpp"
#include "modules/processor/processor_node.hpp"
#include "modules/processor/traffic_control.hpp"

namespace flitwave {

/// What requests and replies are.
struct RequestTiming {
  int window = 1;            ///< Requests of a node that may be open at a time.
  std::int64_t request = 1;  ///< Length. Unit: flit
  std::int64_t reply = 1;    ///< Length. Unit: flit
  Cycle service = 0;         ///< From a request's arrival to its reply's hand-over.
};

/// Told of requests whose reply has come.
class RequestLog {
 public:
  /// Created at cycle `created`, answered at cycle `done`.
  virtual void answered(Cycle created, Cycle done) = 0;

 protected:
  ~RequestLog() = default;
};

/// Keeps `window` requests open, each to where the pattern says, and answers those of others after
/// the time of service. Receive overheads are charged, send overheads are not.
class RequestProgram final : public NodeProgram, private Sleeper {
 public:
  /// `program`: its number at every node. The references outlive it.
  RequestProgram(int program, const RequestTiming& timing, const TrafficPattern& pattern,
                 TrafficControl& control, RequestLog& log, std::uint64_t seed, NodeId node);

  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;

 private:
  struct PendingReply {
    Cycle at;
    NodeId to;
    std::uint64_t tag;
  };

  void due() override;
  void request(std::size_t place);
  void reply(const PendingReply& reply);
  void send(NodeId to, std::int64_t flits, std::uint64_t tag, int message_class);

  int program_;
  RequestTiming timing_;
  const TrafficPattern& pattern_;
  TrafficControl& control_;
  RequestLog& log_;
  Random destinations_;
  std::vector<Cycle> created_;        // of the open requests. Shape: [window]
  std::deque<PendingReply> replies_;  // in service, in the order of their end
  ProcessorNode* node_ = nullptr;
};

}  // namespace flitwave
