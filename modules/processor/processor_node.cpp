// modules/processor/processor_node.cpp: see processor_node.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/processor/processor_node.hpp"

#include <algorithm>

namespace flitwave {

namespace {

bool earlier(const OverheadStart& a, const OverheadStart& b) { return a.at < b.at; }

}  // namespace

std::vector<std::string> names_of(Overhead) { return {"serialized", "overlapped", "path_held"}; }

PortCount Codec<PortCount>::read(const ConfigNode& node) {
  if (node.is_scalar() && node.text() == "all") return {true, 0};
  if (node.is_scalar() && node.text() == "one") return {false, 1};
  try {
    const int count = Codec<int>::read(node);
    if (count >= 1 && count <= 32) return {false, count};
  } catch (const ConfigError&) {
    // Reported below, with all allowed values.
  }
  throw node.error("`" + node.text() + "` is not a number of ports",
                   "write one, all, or a number from 1 to 32");
}

std::string Codec<PortCount>::print(PortCount value) {
  return value.all ? "all" : value.count == 1 ? "one" : std::to_string(value.count);
}

ValueType Codec<PortCount>::type() {
  return {"number of ports", "all",
          R"({"anyOf":[{"enum":["one","all"]},{"type":"integer","minimum":1,"maximum":32}]})"};
}

Schema<NodeParams> node_schema() {
  return Schema<NodeParams>{}
      .optional("ports", &NodeParams::ports,
                "injection channels, and as many ejection channels: one, all (as many as network "
                "channels) or a number")
      .optional("send_overhead", &NodeParams::send_overhead,
                "software time before the first flit of a message", at_least(0))
      .optional("receive_overhead", &NodeParams::receive_overhead,
                "software time after the last flit of a message", at_least(0))
      .optional("combine_overhead", &NodeParams::combine_overhead,
                "software time for each byte that is combined with the data of the node, a part of "
                "the receive overhead",
                at_least(0))
      .optional("overhead", &NodeParams::overhead,
                "how the overheads of several messages at a node relate")
      .optional(
          "ejection", &NodeParams::ejection,
          "whether an ejection channel waits: drains: never; held: for the software; half_duplex: "
          "while the node sends a packet, and injection waits while the node receives one")
      .optional("ejection_sharing", &NodeParams::ejection_sharing,
                "how packets on several virtual channels share an ejection channel: flit by flit, "
                "or packet by packet, while other packets wait in the router")
      .optional(
          "queue", &NodeParams::queue,
          "which of the waiting messages is sent next: the first or the last in the queue, one "
          "whose receiver has most nodes to serve, or one of the earliest phase of its "
          "algorithm")
      .optional("injection_vc", &NodeParams::injection_vc,
                "on which virtual channel a packet is injected: the next free one in round-robin "
                "order, or the next free one with a free slot")
      .optional("credit_delay", &NodeParams::credit_delay,
                "time from the arrival of a credit at the interface to its use", between(0, 64))
      .optional(
          "start_skew", &NodeParams::start_skew,
          "each node begins with a collective at a random time, at most this long after the first "
          "cycle",
          at_least(0));
}

ProcessorNode::ProcessorNode(const sc_core::sc_module_name& name, NodeId node, ClockDomain& domain,
                             MessagePort& network, const NodeTiming& timing)
    : sc_module(name),
      node_(node),
      domain_(domain),
      network_(network),
      timing_(timing),
      free_ports_(static_cast<std::size_t>(network.ports())) {
  network.listen(*this);
}

void ProcessorNode::add(std::unique_ptr<NodeProgram> program) {
  programs_.push_back(std::move(program));
}

void ProcessorNode::start() {
  if (!programs_.empty()) domain_.at(1, *this);
}

void ProcessorNode::send(OutgoingMessage message, Cycle ready) {
  sends_.push_back({std::move(message), ready});
}

void ProcessorNode::wake(int program, Cycle cycle) {
  Event event{Event::Kind::wake, {}, {}, 0};
  event.arrival.program = program;
  schedule(cycle, std::move(event));
}

void ProcessorNode::resume(int program) {
  programs_[static_cast<std::size_t>(program)]->woken(*this);
  work();
}

void ProcessorNode::arrived(const ArrivedMessage& message) {
  arrivals_.push_back(message);
  domain_.at(domain_.now() + 1, *this);
}

void ProcessorNode::injected(const OutgoingMessage& message, Cycle at) {
  programs_[static_cast<std::size_t>(message.program)]->sent(message.tag, at + 1);
  if (!message.takes_port) return;
  free_ports_.push_back({at + 1, 0, OverheadStart::After::port, message.program, message.tag});
  domain_.at(at + 1, *this);
}

void ProcessorNode::due() {
  if (!started_) {
    started_ = true;
    for (const auto& program : programs_) program->start(*this);
  }
  while (!events_.empty() && events_.begin()->first <= domain_.now()) {
    Event event = std::move(events_.begin()->second);
    events_.erase(events_.begin());
    run(event);
  }
  work();
}

void ProcessorNode::run(Event& event) {
  if (event.kind == Event::Kind::hand_over) {
    network_.send(std::move(event.message));
    return;
  }
  if (event.kind == Event::Kind::wake) {
    programs_[static_cast<std::size_t>(event.arrival.program)]->woken(*this);
    return;
  }
  if (timing_.ejection == Ejection::held) network_.release(event.arrival.port);
  programs_[static_cast<std::size_t>(event.arrival.program)]->received(*this, event.arrival,
                                                                       event.done);
}

/// Starts every overhead that can be started now; received messages precede messages to be sent.
void ProcessorNode::work() {
  while (serve_arrival() || serve_send()) {
  }
}

bool ProcessorNode::serve_arrival() {
  // A message that ends in this cycle is known one cycle later.
  if (arrivals_.empty() || arrivals_.front().at >= domain_.now()) return false;
  const bool alone = timing_.overhead == Overhead::serialized;
  if (alone && software_.at > domain_.now()) return false;
  const ArrivedMessage arrival = arrivals_.front();
  arrivals_.pop_front();
  OverheadStart begin;
  begin.at = arrival.at;
  if (alone && software_.at > arrival.at) begin = software_;
  begin.ready = arrival.at;
  const NodeProgram& program = *programs_[static_cast<std::size_t>(arrival.program)];
  const Cycle done = begin.at + timing_.receive + timing_.combining(program.combines(arrival.tag));
  if (alone) software_ = {done, 0, OverheadStart::After::receive, arrival.program, arrival.tag};
  programs_[static_cast<std::size_t>(arrival.program)]->receive_begins(arrival.tag, begin);
  schedule(done, {Event::Kind::received, {}, arrival, done});
  return true;
}

std::deque<ProcessorNode::PendingSend>::iterator ProcessorNode::next_send() {
  // In the other cases the interface orders the messages.
  if (timing_.overhead != Overhead::serialized || timing_.queue == QueueOrder::fifo)
    return sends_.begin();
  return next_in_queue(sends_.begin(), sends_.end(), timing_.queue,
                       [](const PendingSend& send) { return send.message.rank; });
}

bool ProcessorNode::serve_send() {
  if (sends_.empty()) return false;
  const auto place = next_send();
  PendingSend& next = *place;
  const int program = next.message.program;
  const std::uint64_t tag = next.message.tag;
  OverheadStart begin;
  begin.at = next.ready;
  Cycle hand_over = next.ready;
  switch (timing_.overhead) {
    // [serialized]
    case Overhead::serialized: {
      if (software_.at > domain_.now() || free_ports_.empty()) return false;
      const auto port = std::min_element(free_ports_.begin(), free_ports_.end(), earlier);
      if (port->at > domain_.now()) return false;
      begin = std::max({begin, software_, *port}, earlier);
      free_ports_.erase(port);
      next.message.takes_port = true;
      hand_over = begin.at + timing_.send;
      software_ = {hand_over, 0, OverheadStart::After::send, program, tag};
      break;
    }
    // [serialized]
    case Overhead::overlapped:
      hand_over += timing_.send;
      break;
    case Overhead::path_held:
      next.message.hold = timing_.send;
      break;
  }
  begin.ready = next.ready;
  programs_[static_cast<std::size_t>(program)]->send_begins(tag, begin);
  schedule(hand_over, {Event::Kind::hand_over, std::move(next.message), {}, 0});
  sends_.erase(place);
  return true;
}

/// Runs the event at its cycle, or now when that cycle has passed.
void ProcessorNode::schedule(Cycle cycle, Event event) {
  if (cycle <= domain_.now()) {
    run(event);
    return;
  }
  events_.emplace(cycle, std::move(event));
  domain_.at(cycle, *this);
}

}  // namespace flitwave
