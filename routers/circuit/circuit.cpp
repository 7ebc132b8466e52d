// routers/circuit/circuit.cpp: see circuit.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/circuit/circuit.hpp"

#include <cstdint>
#include <utility>

#include "configs/error.hpp"
#include "modules/passage.hpp"
#include "routers/circuit/time_slots.hpp"

namespace flitwave {
namespace {

/// A packet's head is the probe: it reserves an output in each router, and the rest follows when
/// the answer has come back from the destination. Its tail releases what it passes. A flit is
/// never buffered behind a head: it goes from input to output in `traversal_delay` cycles.
///
/// The virtual channels of a channel are time slots: flits that are taken in cycle t are of slot
/// t modulo their number. As nothing waits, the slot in which a circuit comes in decides that in
/// which it goes out, and each slot of an output is reserved by itself.
///
/// Each cycle, in this order: answers go back and release what they refuse; flits of circuits
/// pass; probes are routed, and each free output is given to one that wants it. An output by which
/// a tail has left is free from the next cycle on, for it carries one flit per cycle.
/// Source: Dally & Towles 2004, section 13.1.1; the rules of a refusal are ours. Time slots:
/// Goossens, Dielissen and Radulescu 2005, IEEE Design & Test 22(5); that they are found by probes
/// is ours.
class Circuit final : public Router {
 public:
  Circuit(const sc_core::sc_module_name& name, const CircuitParams& params, const RouterSite& site);

  void report_waits(std::vector<WaitPoint>& points) const override;
  int flits_inside() const override { return Router::flits_inside() + probes_; }
  std::int64_t flits_dropped() const override { return dropped_; }
  bool at_rest() const override {
    for (const Way& way : circuits_)
      if (way.state != State::idle) return false;
    return Router::at_rest();
  }

 private:
  enum class State : std::uint8_t {
    idle,      ///< No circuit through this input.
    probing,   ///< A probe that has no output yet.
    leaving,   ///< A probe that has one and crosses the switch allocator's delay.
    reserved,  ///< The probe has gone on.
  };
  /// What stands at one input.
  struct Way {
    State state = State::idle;
    TimeSlot output;     // when leaving or reserved
    Cycle ready_at = 0;  // when the stage can end at the earliest
    Cycle arrived = 0;   // when the probe came
    Flit probe;          // when probing or leaving
    bool routed = false;
    Route route;
  };
  struct Wish {
    TimeSlot input;
    TimeSlot output;
  };

  void tick() override;
  void answers();
  void pass_flits();
  void take_probe(TimeSlot input, Flit probe);
  void reserve();
  TimeSlot free_output(const Way& way, TimeSlot input) const;
  void settle();
  void grant(TimeSlot input, TimeSlot output);
  void refuse(TimeSlot input);
  void send_probes();
  void send(Flit flit, TimeSlot output);
  void send_answers();
  void report_passage(const Way& way) const;
  template <class Visit>
  void for_each_output(const Way& way, TimeSlot input, Visit visit) const;

  std::size_t place(TimeSlot at) const { return index(at.port * slots_ + at.slot); }
  Way& way_at(TimeSlot input) { return circuits_[place(input)]; }
  /// That which flits of an input's slot have at an output's port.
  TimeSlot behind(int port, int slot) const {
    return {port, static_cast<int>((slot + shifts_[index(port)]) % slots_)};
  }
  bool is_free(TimeSlot output) const {
    return input_of_[place(output)] < 0 && !left_by_tail_.has(output);
  }
  TimeSlot time_slot(int place) const { return {place / slots_, place % slots_}; }
  /// Whether a flit may leave now by the output that goes with an input's slot.
  bool in_slot(TimeSlot input) const { return now_ % slots_ == input.slot; }

  CircuitParams params_;
  int slots_;
  Cycle now_ = 0;
  std::vector<Way> circuits_;  // Shape: [ports][slots]; of inputs
  std::vector<int> input_of_;  // Shape: [ports][slots]; of outputs: whose circuit it is, or -1
  std::vector<Cycle> shifts_;  // Shape: [ports]; from a slot of an input to that of an output
  TimeSlots probing_;          // inputs in state probing
  TimeSlots leaving_;          // inputs in state leaving
  TimeSlots left_by_tail_;     // outputs by which one went in this tick
  std::vector<std::uint64_t> granted_;  // Shape: [ports]; slots whose answer has to go back
  std::vector<std::uint64_t> refused_;  // Shape: [ports]; the same
  std::uint64_t to_answer_ = 0;         // ports with such answers
  int probes_ = 0;                      // that stand in this router
  std::int64_t dropped_ = 0;
  std::vector<Arbiter> arbiters_;  // Shape: [ports][slots]; of outputs
  std::vector<Wish> wishes_;       // scratch
  std::vector<Request> requests_;  // scratch
};

Circuit::Circuit(const sc_core::sc_module_name& name, const CircuitParams& params,
                 const RouterSite& site)
    : Router(name, site, static_cast<int>(params.traversal_delay.count),
             VcReallocation::non_atomic),
      params_(params),
      slots_(vcs()),
      circuits_(index(site.ports() * slots_)),
      input_of_(index(site.ports() * slots_), -1),
      probing_(site.ports()),
      leaving_(site.ports()),
      left_by_tail_(site.ports()),
      granted_(index(site.ports()), 0),
      refused_(index(site.ports()), 0) {
  const auto node = static_cast<std::uint64_t>(site.node.value());
  for (int port = 0; port < site.ports(); ++port) {
    const Channel* output = site.outputs[index(port)];
    shifts_.push_back(
        output ? (params.traversal_delay.count + output->params().latency.count) % slots_ : 0);
    for (int slot = 0; slot < slots_; ++slot) {
      const std::uint64_t place =
          (static_cast<std::uint64_t>(slot) * max_nodes + node) * 64 + index(port);
      arbiters_.emplace_back(params.arbitration, site.ports(),
                             Random(site.seed, "circuit arbiter", place));
    }
  }
}

void Circuit::tick() {
  now_ = this_cycle();
  answers();
  pass_flits();
  if (!probing_.none()) reserve();
  if (!leaving_.none()) send_probes();
  if (to_answer_ != 0) send_answers();
  if (!left_by_tail_.none() && !probing_.none()) stay_awake();
  left_by_tail_.clear();
}

void Circuit::answers() {
  for_each_bit(returns_, [this](int port) {
    const CircuitAnswer answer = out_port(port).answer();
    int& holder = input_of_[place({port, answer.slot})];
    if (holder < 0)
      throw ModelError(std::string(name()) + ": an acknowledgement arrived for no circuit");
    const TimeSlot input = time_slot(holder);
    to_answer_ |= word_bit(input.port);
    if (answer.answer == Answer::granted) {
      granted_[index(input.port)] |= word_bit(input.slot);
      return;
    }
    refused_[index(input.port)] |= word_bit(input.slot);
    way_at(input).state = State::idle;
    holder = -1;
  });
}

/// One answer goes back per port and cycle; of several, that of the lowest slot.
void Circuit::send_answers() {
  for_each_bit(to_answer_, [this](int port) {
    std::uint64_t& granted = granted_[index(port)];
    std::uint64_t& refused = refused_[index(port)];
    const int slot = lowest_of(granted | refused);
    const bool busy = (refused >> slot & 1) != 0;
    in_port(port).answer({busy ? Answer::busy : Answer::granted, slot});
    granted &= ~word_bit(slot);
    refused &= ~word_bit(slot);
    if ((granted | refused) == 0) to_answer_ &= ~word_bit(port);
  });
}

void Circuit::pass_flits() {
  for_each_bit(arrivals_, [this](int port) {
    const Flit flit = in_port(port).standing();
    const TimeSlot input{port, flit.vc()};
    if (!in_slot(input))
      throw ModelError(std::string(name()) + ": a flit arrived outside of its time slot");
    if (flit.head()) return take_probe(input, flit);
    Way& way = way_at(input);
    if (way.state != State::reserved)
      throw ModelError(std::string(name()) + ": a flit arrived without a circuit");
    send(flit, way.output);
    if (!flit.tail()) return;
    way.state = State::idle;
    input_of_[place(way.output)] = -1;
    left_by_tail_.add(way.output);
  });
}

void Circuit::send(Flit flit, TimeSlot output) {
  out_port(output.port).send(flit.on_vc(output.slot), output.slot, now_);
}

void Circuit::take_probe(TimeSlot input, Flit probe) {
  Way& way = way_at(input);
  if (way.state != State::idle)
    throw ModelError(std::string(name()) + ": a probe arrived in a circuit");
  way.state = State::probing;
  way.probe = probe;
  way.routed = false;
  way.arrived = now_;
  way.ready_at = now_ + params_.route_delay.count;
  probing_.add(input);
  ++probes_;
}

/// Calls `visit(output)` for the ways on, in order, until it returns true.
template <class Visit>
void Circuit::for_each_output(const Way& way, TimeSlot input, Visit visit) const {
  const int locals = site().local_ports();
  for (const Candidate& candidate : way.route.candidates()) {
    if (!candidate.local()) {
      if (visit(behind(candidate.port.value(), input.slot))) return;
      continue;
    }
    for (int i = 0; i < locals; ++i)
      if (visit(behind(site().network_ports + (input.port + i) % locals, input.slot))) return;
  }
}

/// Its port is -1 if there is none.
TimeSlot Circuit::free_output(const Way& way, TimeSlot input) const {
  TimeSlot found;
  for_each_output(way, input, [&](TimeSlot output) {
    if (is_free(output)) found = output;
    return found.port >= 0;
  });
  return found;
}

// Probes -> routes -> outputs.
void Circuit::reserve() {
  wishes_.clear();
  probing_.for_each([this](TimeSlot input) {
    Way& way = way_at(input);
    if (now_ < way.ready_at) {
      stay_awake();
      return;
    }
    if (!way.routed) {
      const bool from_network = input.port < site().network_ports;
      way.route.clear();
      site().routing.route(node(), Arrival{from_network ? PortId(input.port) : PortId{}, 0},
                           site().packets.packet(way.probe).header, way.route);
      way.routed = true;
    }
    const TimeSlot output = free_output(way, input);
    if (output.port >= 0)
      wishes_.push_back({input, output});
    else if (params_.busy == Busy::teardown)
      refuse(input);
  });
  settle();
}

/// Each output that is wished for goes to one of those that wish for it.
void Circuit::settle() {
  for (std::size_t i = 0; i < wishes_.size(); ++i) {
    const TimeSlot output = wishes_[i].output;
    if (input_of_[place(output)] >= 0) {  // given to another one just now
      stay_awake();
      continue;
    }
    requests_.clear();
    for (std::size_t j = i; j < wishes_.size(); ++j) {
      if (place(wishes_[j].output) != place(output)) continue;
      const Way& way = way_at(wishes_[j].input);
      requests_.push_back(
          {wishes_[j].input.port, way.ready_at, site().packets.packet(way.probe).created});
    }
    // All who wish for a slot of an output have the same slot of their inputs.
    const int port = requests_[arbiters_[place(output)].pick(requests_)].index;
    grant({port, wishes_[i].input.slot}, output);
  }
}

void Circuit::grant(TimeSlot input, TimeSlot output) {
  Way& way = way_at(input);
  way.state = State::leaving;
  way.output = output;
  way.ready_at = now_ + params_.switch_delay.count;
  input_of_[place(output)] = static_cast<int>(place(input));
  arbiters_[place(output)].served(input.port);
  probing_.remove(input);
  leaving_.add(input);
}

void Circuit::refuse(TimeSlot input) {
  way_at(input).state = State::idle;
  probing_.remove(input);
  --probes_;
  ++dropped_;
  refused_[index(input.port)] |= word_bit(input.slot);
  to_answer_ |= word_bit(input.port);
}

void Circuit::send_probes() {
  leaving_.for_each([this](TimeSlot input) {
    Way& way = way_at(input);
    if (now_ < way.ready_at || !in_slot(input)) {
      stay_awake();
      return;
    }
    if (site().listener) report_passage(way);
    send(way.probe, way.output);
    way.state = State::reserved;
    leaving_.remove(input);
    --probes_;
  });
}

/// A probe leaves: beyond its delays it has waited for outputs, and for its slot.
void Circuit::report_passage(const Way& way) const {
  Passage passage;
  passage.node = node();
  passage.flit = way.probe.on_vc(way.output.slot);
  passage.output = PortId(way.output.port);
  passage.arrived = passage.front = way.arrived;
  passage.left = now_;
  passage.least = params_.timing();
  passage.vc_wait = now_ - way.arrived - params_.route_delay.count - params_.switch_delay.count;
  site().listener->on_passage(passage);
}

void Circuit::report_waits(std::vector<WaitPoint>& points) const {
  probing_.for_each([&](TimeSlot input) {
    const Way& way = circuits_[place(input)];
    WaitPoint point;
    point.input = PortId(input.port);
    point.vc = input.slot;
    point.front = way.probe;
    point.movable = !way.routed || free_output(way, input).port >= 0;
    if (way.routed)
      for_each_output(way, input, [&](TimeSlot output) {
        const int holder = input_of_[place(output)];
        if (holder >= 0)
          point.waits_for.push_back(
              {false, PortId(time_slot(holder).port), time_slot(holder).slot, 1});
        return false;
      });
    points.push_back(std::move(point));
  });
  // A reserved way moves when what stands behind its output does.
  for (int at = 0; at < ports() * slots_; ++at) {
    const Way& way = circuits_[index(at)];
    if (way.state != State::reserved) continue;
    WaitPoint point;
    point.input = PortId(time_slot(at).port);
    point.vc = time_slot(at).slot;
    point.front = way.probe;
    point.movable = false;
    point.waits_for.push_back({true, PortId(way.output.port), way.output.slot, 1});
    points.push_back(std::move(point));
  }
}

}  // namespace

std::vector<std::string> names_of(Busy) { return {"teardown", "wait"}; }

std::unique_ptr<Router> circuit_router(const char* name, const CircuitParams& params,
                                       const RouterSite& site) {
  return std::make_unique<Circuit>(name, params, site);
}

}  // namespace flitwave
