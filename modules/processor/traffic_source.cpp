// modules/processor/traffic_source.cpp: see traffic_source.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/processor/traffic_source.hpp"

namespace flitwave {

namespace {

void make_packet(ProcessorNode& node, NodeId destination, std::int64_t flits, Cycle now,
                 TrafficControl& control) {
  node.inject({destination, flits});
  control.tag(now);
  control.offer(JobPart::background, node.node(), flits, now);
}

}  // namespace

TrafficSource::TrafficSource(const InjectionProcess& injection, const TrafficPattern& pattern,
                             std::int64_t length, TrafficControl& control, std::uint64_t seed,
                             NodeId node)
    : injection_(injection),
      pattern_(pattern),
      length_(length),
      control_(control),
      gaps_(seed, "injection", static_cast<std::uint64_t>(node.value())),
      destinations_(seed, "destination", static_cast<std::uint64_t>(node.value())) {}

void TrafficSource::start(ProcessorNode& node) {
  node_ = &node;
  sleep(node.domain().now(), injection_.first(kept_, gaps_));
}

void TrafficSource::received(ProcessorNode&, const ArrivedMessage&, Cycle) {}

void TrafficSource::sleep(Cycle now, Cycle gap) {
  const Cycle next = now + gap;
  if (next < control_.until) node_->domain().at(next, *this);
}

void TrafficSource::due() {
  const Cycle now = node_->domain().now();
  if (now >= control_.until) return;
  const NodeId destination = pattern_.destination(node_->node(), destinations_);
  if (!destination.valid()) return;
  make_packet(*node_, destination, length_, now, control_);
  sleep(now, injection_.next(kept_, gaps_));
}

TraceSource::TraceSource(const Trace& trace, TrafficControl& control, NodeId node)
    : trace_(trace),
      control_(control),
      next_(trace.first(node.value())),
      end_(trace.first(node.value() + 1)) {}

void TraceSource::start(ProcessorNode& node) {
  node_ = &node;
  start_ = node.domain().now();
  due();
}

void TraceSource::received(ProcessorNode&, const ArrivedMessage&, Cycle) {}

void TraceSource::due() {
  const Cycle now = node_->domain().now();
  if (now >= control_.until) return;
  const auto& packets = trace_.packets();
  for (; next_ < end_ && start_ + packets[next_].at == now; ++next_)
    make_packet(*node_, packets[next_].destination, packets[next_].flits, now, control_);
  if (next_ < end_) node_->domain().at(start_ + packets[next_].at, *this);
}

}  // namespace flitwave
