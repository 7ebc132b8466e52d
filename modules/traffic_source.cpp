// modules/traffic_source.cpp: see traffic_source.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/traffic_source.hpp"

namespace flitwave {

TrafficSource::TrafficSource(const GeometricGap& gap, const TrafficPattern& pattern,
                             std::int64_t length, TrafficControl& control, std::uint64_t seed,
                             NodeId node)
    : gap_(gap),
      pattern_(pattern),
      length_(length),
      control_(control),
      gaps_(seed, "injection", static_cast<std::uint64_t>(node.value())),
      destinations_(seed, "destination", static_cast<std::uint64_t>(node.value())) {}

void TrafficSource::start(ProcessorNode& node) {
  node_ = &node;
  sleep(node.domain().now());
}

void TrafficSource::received(ProcessorNode&, const ArrivedMessage&, Cycle) {}

void TrafficSource::sleep(Cycle from) {
  const Cycle next = from + gap_.draw(gaps_);
  if (next < control_.until) node_->domain().at(next, *this);
}

void TrafficSource::due() {
  const Cycle now = node_->domain().now();
  if (now >= control_.until) return;
  const NodeId destination = pattern_.destination(node_->node(), destinations_);
  if (!destination.valid()) return;
  OutgoingMessage packet;
  packet.destination = destination;
  packet.packets = {length_};
  node_->inject(std::move(packet));
  ++control_.made;
  control_.tagged += now >= control_.tagged_from && now < control_.tagged_until ? 1 : 0;
  sleep(now);
}

}  // namespace flitwave
