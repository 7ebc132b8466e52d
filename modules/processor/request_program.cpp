// modules/processor/request_program.cpp: see request_program.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/processor/request_program.hpp"

namespace flitwave {

namespace {

// The tag of a request is twice its index in the window; the tag of its reply is one more.
std::uint64_t request_tag(std::size_t index) { return static_cast<std::uint64_t>(index) * 2; }
bool is_reply(std::uint64_t tag) { return tag % 2 == 1; }
std::size_t index_of(std::uint64_t tag) { return static_cast<std::size_t>(tag / 2); }

}  // namespace

RequestProgram::RequestProgram(int program, const RequestTiming& timing,
                               const TrafficPattern& pattern, TrafficControl& control,
                               RequestLog& log, std::uint64_t seed, NodeId node)
    : program_(program),
      timing_(timing),
      pattern_(pattern),
      control_(control),
      log_(log),
      destinations_(seed, "destination", static_cast<std::uint64_t>(node.value())),
      created_(static_cast<std::size_t>(timing.window), 0) {}

void RequestProgram::start(ProcessorNode& node) {
  node_ = &node;
  for (std::size_t index = 0; index < created_.size(); ++index) request(index);
}

void RequestProgram::received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) {
  if (is_reply(message.tag)) {
    const std::size_t index = index_of(message.tag);
    // Later replies arrive while the network drains; the run does not wait for them.
    if (node.domain().now() < control_.until) log_.answered(created_[index], done);
    request(index);
    return;
  }
  const PendingReply pending{done + timing_.service, message.source, message.tag + 1};
  if (pending.at <= node.domain().now()) {
    reply(pending);
    return;
  }
  replies_.push_back(pending);
  node.domain().at(pending.at, *this);
}

void RequestProgram::due() {
  while (!replies_.empty() && replies_.front().at <= node_->domain().now()) {
    const PendingReply pending = replies_.front();
    replies_.pop_front();
    reply(pending);
  }
}

void RequestProgram::request(std::size_t index) {
  const NodeId destination = pattern_.destination(node_->node(), destinations_);
  if (!destination.valid() || node_->domain().now() >= control_.until) return;
  created_[index] = node_->domain().now();
  control_.tag(created_[index]);
  send(destination, timing_.request, request_tag(index), 0);
}

void RequestProgram::reply(const PendingReply& reply) {
  if (node_->domain().now() >= control_.until) return;
  send(reply.to, timing_.reply, reply.tag, 1);
}

void RequestProgram::send(NodeId to, std::int64_t flits, std::uint64_t tag, int message_class) {
  OutgoingMessage message;
  message.destination = to;
  message.packets = flits;
  message.program = program_;
  message.tag = tag;
  message.message_class = message_class;
  const JobPart part = message_class == 0 ? JobPart::requests : JobPart::replies;
  message.part = part;
  node_->inject(std::move(message));
  control_.offer(part, node_->node(), flits, node_->domain().now());
}

}  // namespace flitwave
