// modules/processor/request_program.hpp: closed-loop load: every request has a reply, and the
// number of outstanding requests is limited. [program] -> processor -> interface -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "algorithms/traffic.hpp"
#include "modules/processor/processor_node.hpp"
#include "modules/processor/traffic_control.hpp"

namespace flitwave {

/// The lengths and times of requests and replies.
struct RequestTiming {
  int window = 1;            ///< Greatest number of outstanding requests of a node.
  std::int64_t request = 1;  ///< Length. Unit: flit
  std::int64_t reply = 1;    ///< Length. Unit: flit
  Cycle service = 0;         ///< From the arrival of a request until its reply is handed over.
};

/// A sink for requests whose reply has arrived.
class RequestLog {
 public:
  /// The request was created at cycle `created`, its reply received at cycle `done`.
  virtual void answered(Cycle created, Cycle done) = 0;

 protected:
  ~RequestLog() = default;
};

/// Keeps `window` requests outstanding, with destinations by the pattern, and replies to the
/// requests of other nodes after the service time. Receive overheads are charged, send overheads
/// are not.
class RequestProgram final : public NodeProgram, private Sleeper {
 public:
  /// `program`: the number of the program at every node. The references outlive it.
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
  void request(std::size_t index);
  void reply(const PendingReply& reply);
  void send(NodeId to, std::int64_t flits, std::uint64_t tag, int message_class);

  int program_;
  RequestTiming timing_;
  const TrafficPattern& pattern_;
  TrafficControl& control_;
  RequestLog& log_;
  Random destinations_;
  std::vector<Cycle> created_;        // of the outstanding requests. Shape: [window]
  std::deque<PendingReply> replies_;  // requests in service, in the order of their end
  ProcessorNode* node_ = nullptr;
};

}  // namespace flitwave
