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
/// the reply has returned from the destination. Its tail releases each channel that it crosses. A
/// flit is never buffered behind a head: it crosses from input to output in `traversal_delay`
/// cycles.
///
/// The virtual channels of a channel are time slots: flits that are taken in cycle t belong to
/// slot t modulo their number. Since no flit waits, a circuit's slot at an input determines its
/// slot at an output, and each slot of an output is reserved separately.
///
/// Each cycle, in this order: replies are returned, and rejections release their outputs; flits
/// of circuits pass; probes are routed, and each free output is granted to one that requests it. An
/// output by which a tail has left is free from the next cycle on, since it carries one flit per
/// cycle.
/// Source: Dally & Towles 2004, section 13.1.1; the rules of a rejection are ours. Time slots:
/// Goossens, Dielissen and Radulescu 2005, IEEE Design & Test 22(5); that probes search for them is
/// ours.
class Circuit final : public Router {
 public:
  Circuit(const sc_core::sc_module_name& name, const CircuitParams& params, const RouterSite& site);

  void report_waits(std::vector<WaitPoint>& points) const override;
  int flits_inside() const override { return Router::flits_inside() + probes_; }
  std::int64_t flits_dropped() const override { return dropped_; }
  bool at_rest() const override {
    for (const SlotState& circuit : circuits_)
      if (circuit.state != State::idle) return false;
    return Router::at_rest();
  }

 private:
  enum class State : std::uint8_t {
    idle,      ///< No circuit through this input.
    probing,   ///< A probe that has no output yet.
    leaving,   ///< A probe that has one and waits for the switch allocator's delay.
    reserved,  ///< The probe has left.
  };
  /// The state of a slot of an input.
  struct SlotState {
    State state = State::idle;
    TimeSlot output;     // when leaving or reserved
    Cycle ready_at = 0;  // when the stage can end at the earliest
    Cycle arrived = 0;   // when the probe arrived
    Flit probe;          // when probing or leaving
    bool routed = false;
    Route route;
  };
  struct Claim {
    TimeSlot input;
    TimeSlot output;
  };

  void tick() override;
  void take_replies();
  void pass_flits();
  void take_probe(TimeSlot input, Flit probe);
  void reserve();
  TimeSlot free_output(const SlotState& circuit, TimeSlot input) const;
  void allocate();
  void grant(TimeSlot input, TimeSlot output);
  void reject(TimeSlot input);
  void send_probes();
  void send(Flit flit, TimeSlot output);
  void send_replies();
  void report_passage(const SlotState& circuit) const;
  template <class Visit>
  void for_each_output(const SlotState& circuit, TimeSlot input, Visit visit) const;

  std::size_t position(TimeSlot at) const { return index(at.port * slots_ + at.slot); }
  SlotState& state_of(TimeSlot input) { return circuits_[position(input)]; }
  /// The slot at an output's port in which flits of an input's slot arrive at the next router.
  TimeSlot output_slot(int port, int slot) const {
    return {port, static_cast<int>((slot + shifts_[index(port)]) % slots_)};
  }
  bool is_free(TimeSlot output) const {
    return input_of_[position(output)] < 0 && !left_by_tail_.has(output);
  }
  TimeSlot time_slot(int position) const { return {position / slots_, position % slots_}; }
  /// Whether a flit of an input's slot may leave in this cycle.
  bool in_slot(TimeSlot input) const { return now_ % slots_ == input.slot; }

  CircuitParams params_;
  int slots_;
  Cycle now_ = 0;
  std::vector<SlotState> circuits_;  // Shape: [ports][slots]; of inputs
  std::vector<int> input_of_;  // Shape: [ports][slots]; of outputs: the input of its circuit, or -1
  std::vector<Cycle> shifts_;  // Shape: [ports]; from a slot of an input to that of an output
  TimeSlots probing_;          // inputs in state probing
  TimeSlots leaving_;          // inputs in state leaving
  TimeSlots left_by_tail_;     // outputs by which a tail left in this tick
  std::vector<std::uint64_t> granted_;   // Shape: [ports]; slots whose reply is to be returned
  std::vector<std::uint64_t> rejected_;  // Shape: [ports]; the same
  std::uint64_t to_reply_ = 0;           // ports with such replies
  int probes_ = 0;                       // in this router
  std::int64_t dropped_ = 0;
  std::vector<Arbiter> arbiters_;  // Shape: [ports][slots]; of outputs
  std::vector<Claim> claims_;      // scratch
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
      rejected_(index(site.ports()), 0) {
  const auto node = static_cast<std::uint64_t>(site.node.value());
  for (int port = 0; port < site.ports(); ++port) {
    const Channel* output = site.outputs[index(port)];
    shifts_.push_back(
        output ? (params.traversal_delay.count + output->params().latency.count) % slots_ : 0);
    for (int slot = 0; slot < slots_; ++slot) {
      const std::uint64_t position =
          (static_cast<std::uint64_t>(slot) * max_nodes + node) * 64 + index(port);
      arbiters_.emplace_back(params.arbitration, site.ports(),
                             Random(site.seed, "circuit arbiter", position));
    }
  }
}

void Circuit::tick() {
  now_ = this_cycle();
  take_replies();
  pass_flits();
  if (!probing_.none()) reserve();
  if (!leaving_.none()) send_probes();
  if (to_reply_ != 0) send_replies();
  if (!left_by_tail_.none() && !probing_.none()) stay_awake();
  left_by_tail_.clear();
}

void Circuit::take_replies() {
  for_each_bit(returns_, [this](int port) {
    const CircuitAnswer reply = out_port(port).answer();
    const TimeSlot output{port, reply.slot};
    if (reply.slot >= slots_ || input_of_[position(output)] < 0)
      throw ModelError(std::string(name()) + ": an acknowledgement arrived for no circuit");
    int& holder = input_of_[position(output)];
    const TimeSlot input = time_slot(holder);
    to_reply_ |= word_bit(input.port);
    if (reply.answer == Answer::granted) {
      granted_[index(input.port)] |= word_bit(input.slot);
      return;
    }
    rejected_[index(input.port)] |= word_bit(input.slot);
    state_of(input).state = State::idle;
    holder = -1;
  });
}

/// One reply is returned per port and cycle; of several, that of the lowest slot.
void Circuit::send_replies() {
  for_each_bit(to_reply_, [this](int port) {
    std::uint64_t& granted = granted_[index(port)];
    std::uint64_t& rejected = rejected_[index(port)];
    const int slot = lowest_of(granted | rejected);
    const bool busy = (rejected >> slot & 1) != 0;
    in_port(port).answer({busy ? Answer::busy : Answer::granted, slot});
    granted &= ~word_bit(slot);
    rejected &= ~word_bit(slot);
    if ((granted | rejected) == 0) to_reply_ &= ~word_bit(port);
  });
}

void Circuit::pass_flits() {
  for_each_bit(arrivals_, [this](int port) {
    const Flit flit = in_port(port).standing();
    const TimeSlot input{port, flit.vc()};
    if (!in_slot(input))
      throw ModelError(std::string(name()) + ": a flit arrived outside of its time slot");
    if (flit.head()) return take_probe(input, flit);
    SlotState& circuit = state_of(input);
    if (circuit.state != State::reserved)
      throw ModelError(std::string(name()) + ": a flit arrived without a circuit");
    send(flit, circuit.output);
    if (!flit.tail()) return;
    circuit.state = State::idle;
    input_of_[position(circuit.output)] = -1;
    left_by_tail_.add(circuit.output);
  });
}

void Circuit::send(Flit flit, TimeSlot output) {
  out_port(output.port).send(flit.on_vc(output.slot), output.slot, now_);
}

void Circuit::take_probe(TimeSlot input, Flit probe) {
  SlotState& circuit = state_of(input);
  if (circuit.state != State::idle)
    throw ModelError(std::string(name()) + ": a probe arrived in a circuit");
  circuit.state = State::probing;
  circuit.probe = probe;
  circuit.routed = false;
  circuit.arrived = now_;
  circuit.ready_at = now_ + params_.route_delay.count;
  probing_.add(input);
  ++probes_;
}

/// Calls `visit(output)` for the possible outputs, in order, until it returns true.
template <class Visit>
void Circuit::for_each_output(const SlotState& circuit, TimeSlot input, Visit visit) const {
  const int locals = site().local_ports();
  for (const Candidate& candidate : circuit.route.candidates()) {
    if (!candidate.local()) {
      if (visit(output_slot(candidate.port.value(), input.slot))) return;
      continue;
    }
    for (int i = 0; i < locals; ++i)
      if (visit(output_slot(site().network_ports + (input.port + i) % locals, input.slot))) return;
  }
}

/// Returns: port -1 if there is none.
TimeSlot Circuit::free_output(const SlotState& circuit, TimeSlot input) const {
  TimeSlot found;
  for_each_output(circuit, input, [&](TimeSlot output) {
    if (is_free(output)) found = output;
    return found.port >= 0;
  });
  return found;
}

// Probes -> routes -> outputs.
void Circuit::reserve() {
  claims_.clear();
  probing_.for_each([this](TimeSlot input) {
    SlotState& circuit = state_of(input);
    if (now_ < circuit.ready_at) {
      stay_awake();
      return;
    }
    if (!circuit.routed) {
      const bool from_network = input.port < site().network_ports;
      circuit.route.clear();
      site().routing.route(node(), Arrival{from_network ? PortId(input.port) : PortId{}, 0},
                           site().packets.packet(circuit.probe).header, circuit.route);
      circuit.routed = true;
    }
    const TimeSlot output = free_output(circuit, input);
    if (output.port >= 0)
      claims_.push_back({input, output});
    else if (params_.busy == Busy::teardown)
      reject(input);
  });
  allocate();
}

/// Grants each requested output to one of its requesters.
void Circuit::allocate() {
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const TimeSlot output = claims_[i].output;
    if (input_of_[position(output)] >= 0) {  // granted to another one in this tick
      stay_awake();
      continue;
    }
    requests_.clear();
    for (std::size_t j = i; j < claims_.size(); ++j) {
      if (position(claims_[j].output) != position(output)) continue;
      const SlotState& circuit = state_of(claims_[j].input);
      requests_.push_back(
          {claims_[j].input.port, circuit.ready_at, site().packets.packet(circuit.probe).created});
    }
    // All requesters of a slot of an output have the same slot of their inputs.
    const int port = requests_[arbiters_[position(output)].pick(requests_)].index;
    grant({port, claims_[i].input.slot}, output);
  }
}

void Circuit::grant(TimeSlot input, TimeSlot output) {
  SlotState& circuit = state_of(input);
  circuit.state = State::leaving;
  circuit.output = output;
  circuit.ready_at = now_ + params_.switch_delay.count;
  input_of_[position(output)] = static_cast<int>(position(input));
  arbiters_[position(output)].served(input.port);
  probing_.remove(input);
  leaving_.add(input);
}

void Circuit::reject(TimeSlot input) {
  state_of(input).state = State::idle;
  probing_.remove(input);
  --probes_;
  ++dropped_;
  rejected_[index(input.port)] |= word_bit(input.slot);
  to_reply_ |= word_bit(input.port);
}

void Circuit::send_probes() {
  leaving_.for_each([this](TimeSlot input) {
    SlotState& circuit = state_of(input);
    if (now_ < circuit.ready_at || !in_slot(input)) {
      stay_awake();
      return;
    }
    if (site().listener) report_passage(circuit);
    send(circuit.probe, circuit.output);
    circuit.state = State::reserved;
    leaving_.remove(input);
    --probes_;
  });
}

/// A probe leaves: the time beyond its delays was spent waiting for outputs and for its slot.
void Circuit::report_passage(const SlotState& circuit) const {
  Passage passage;
  passage.node = node();
  passage.flit = circuit.probe.on_vc(circuit.output.slot);
  passage.output = PortId(circuit.output.port);
  passage.arrived = passage.front = circuit.arrived;
  passage.left = now_;
  passage.least = params_.timing();
  passage.vc_wait = now_ - circuit.arrived - params_.route_delay.count - params_.switch_delay.count;
  site().listener->on_passage(passage);
}

void Circuit::report_waits(std::vector<WaitPoint>& points) const {
  probing_.for_each([&](TimeSlot input) {
    const SlotState& circuit = circuits_[position(input)];
    WaitPoint point;
    point.input = PortId(input.port);
    point.vc = input.slot;
    point.front = circuit.probe;
    point.movable = !circuit.routed || free_output(circuit, input).port >= 0;
    if (circuit.routed)
      for_each_output(circuit, input, [&](TimeSlot output) {
        const int holder = input_of_[position(output)];
        if (holder >= 0)
          point.waits_for.push_back(
              {false, PortId(time_slot(holder).port), time_slot(holder).slot, 1});
        return false;
      });
    points.push_back(std::move(point));
  });
  // A reserved circuit advances when the flit in the next router does.
  for (int at = 0; at < ports() * slots_; ++at) {
    const SlotState& circuit = circuits_[index(at)];
    if (circuit.state != State::reserved) continue;
    WaitPoint point;
    point.input = PortId(time_slot(at).port);
    point.vc = time_slot(at).slot;
    point.front = circuit.probe;
    point.movable = false;
    point.waits_for.push_back({true, PortId(circuit.output.port), circuit.output.slot, 1});
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
