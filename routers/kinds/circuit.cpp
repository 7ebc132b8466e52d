// routers/kinds/circuit.cpp: a probe reserves the way, then data flow without buffers.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "configs/error.hpp"
#include "modules/router.hpp"
#include "modules/signals/bits.hpp"
#include "routers/parts/arbiter.hpp"
#include "routers/parts/needs.hpp"

namespace flitwave {
namespace {

/// What a probe does when all its ways on are taken.
enum class Busy {
  teardown,  ///< The circuit is released up to here, and its source asks again later.
  wait,      ///< The probe stays, and holds what it has.
};
[[maybe_unused]] std::vector<std::string> names_of(Busy) { return {"teardown", "wait"}; }

struct CircuitParams {
  Busy busy = Busy::teardown;
  Cycles route_delay{1};
  Cycles switch_delay{1};
  Cycles traversal_delay{1};
  Arbitration arbitration = Arbitration::round_robin;
  Cycles backoff{8};
  Cycles longest_backoff{1024};
  int attempts = 1000;
};

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
  Circuit(const sc_core::sc_module_name& name, const CircuitParams& params, const RouterSite& site)
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
  /// A slot of a port: an input or an output of circuits.
  struct Lane {
    int port = -1;
    int slot = 0;
  };
  /// What stands at one input.
  struct Way {
    State state = State::idle;
    Lane output;         // when leaving or reserved
    Cycle ready_at = 0;  // when the stage can end at the earliest
    Cycle arrived = 0;   // when the probe came
    Flit probe;          // when probing or leaving
    bool routed = false;
    Route route;
  };
  /// Some of all slots of all ports.
  struct Lanes {
    explicit Lanes(int count) : slots(index(count), 0) {}

    std::uint64_t ports = 0;           // those with members
    std::vector<std::uint64_t> slots;  // Shape: [ports]

    bool none() const { return ports == 0; }
    bool has(Lane lane) const { return (slots[index(lane.port)] >> lane.slot & 1) != 0; }
    void add(Lane lane) {
      ports |= word_bit(lane.port);
      slots[index(lane.port)] |= word_bit(lane.slot);
    }
    void remove(Lane lane) {
      if ((slots[index(lane.port)] &= ~word_bit(lane.slot)) == 0) ports &= ~word_bit(lane.port);
    }
    void clear() {
      for_each_bit(ports, [this](int port) { slots[index(port)] = 0; });
      ports = 0;
    }
    /// Calls `visit(lane)` in order of ports, then slots.
    template <class Visit>
    void for_each(Visit visit) const {
      for_each_bit(ports, [&](int port) {
        for_each_bit(slots[index(port)], [&](int slot) { visit(Lane{port, slot}); });
      });
    }
  };
  struct Wish {
    Lane input;
    Lane output;
  };

  void tick() override;
  void answers();
  void pass_flits();
  void take_probe(Lane input, Flit probe);
  void reserve();
  Lane free_output(const Way& way, Lane input) const;
  void settle();
  void grant(Lane input, Lane output);
  void refuse(Lane input);
  void send_probes();
  void send(Flit flit, Lane output);
  void send_answers();
  void report_passage(const Way& way) const;
  template <class Visit>
  void for_each_output(const Way& way, Lane input, Visit visit) const;

  std::size_t place(Lane lane) const { return index(lane.port * slots_ + lane.slot); }
  Way& way_at(Lane input) { return circuits_[place(input)]; }
  /// That which flits of an input's slot have at an output's port.
  Lane behind(int port, int slot) const {
    return {port, static_cast<int>((slot + shifts_[index(port)]) % slots_)};
  }
  bool is_free(Lane output) const {
    return input_of_[place(output)] < 0 && !left_by_tail_.has(output);
  }
  Lane lane_of(int place) const { return {place / slots_, place % slots_}; }
  /// Whether a flit may leave now by the output that goes with an input's slot.
  bool in_slot(Lane input) const { return now_ % slots_ == input.slot; }

  CircuitParams params_;
  int slots_;
  Cycle now_ = 0;
  std::vector<Way> circuits_;  // Shape: [ports][slots]; of inputs
  std::vector<int> input_of_;  // Shape: [ports][slots]; of outputs: whose circuit it is, or -1
  std::vector<Cycle> shifts_;  // Shape: [ports]; from a slot of an input to that of an output
  Lanes probing_;              // inputs in state probing
  Lanes leaving_;              // inputs in state leaving
  Lanes left_by_tail_;         // outputs by which one went in this tick
  std::vector<std::uint64_t> granted_;  // Shape: [ports]; slots whose answer has to go back
  std::vector<std::uint64_t> refused_;  // Shape: [ports]; the same
  std::uint64_t to_answer_ = 0;         // ports with such answers
  int probes_ = 0;                      // that stand in this router
  std::int64_t dropped_ = 0;
  std::vector<Arbiter> arbiters_;  // Shape: [ports][slots]; of outputs
  std::vector<Wish> wishes_;       // scratch
  std::vector<Request> requests_;  // scratch
};

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
    const Lane input = lane_of(holder);
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
    const Lane input{port, flit.vc()};
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

void Circuit::send(Flit flit, Lane output) {
  out_port(output.port).send(flit.on_vc(output.slot), output.slot, now_);
}

void Circuit::take_probe(Lane input, Flit probe) {
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
void Circuit::for_each_output(const Way& way, Lane input, Visit visit) const {
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
Circuit::Lane Circuit::free_output(const Way& way, Lane input) const {
  Lane found;
  for_each_output(way, input, [&](Lane output) {
    if (is_free(output)) found = output;
    return found.port >= 0;
  });
  return found;
}

// Probes -> routes -> outputs.
void Circuit::reserve() {
  wishes_.clear();
  probing_.for_each([this](Lane input) {
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
    const Lane output = free_output(way, input);
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
    const Lane output = wishes_[i].output;
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

void Circuit::grant(Lane input, Lane output) {
  Way& way = way_at(input);
  way.state = State::leaving;
  way.output = output;
  way.ready_at = now_ + params_.switch_delay.count;
  input_of_[place(output)] = static_cast<int>(place(input));
  arbiters_[place(output)].served(input.port);
  probing_.remove(input);
  leaving_.add(input);
}

void Circuit::refuse(Lane input) {
  way_at(input).state = State::idle;
  probing_.remove(input);
  --probes_;
  ++dropped_;
  refused_[index(input.port)] |= word_bit(input.slot);
  to_answer_ |= word_bit(input.port);
}

void Circuit::send_probes() {
  leaving_.for_each([this](Lane input) {
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
  passage.least.route = static_cast<int>(params_.route_delay.count);
  passage.least.passage = static_cast<int>(params_.switch_delay.count);
  passage.least.traversal = static_cast<int>(params_.traversal_delay.count);
  passage.vc_wait = now_ - way.arrived - params_.route_delay.count - params_.switch_delay.count;
  site().listener->on_passage(passage);
}

void Circuit::report_waits(std::vector<WaitPoint>& points) const {
  probing_.for_each([&](Lane input) {
    const Way& way = circuits_[place(input)];
    WaitPoint point;
    point.input = PortId(input.port);
    point.vc = input.slot;
    point.front = way.probe;
    point.movable = !way.routed || free_output(way, input).port >= 0;
    if (way.routed)
      for_each_output(way, input, [&](Lane output) {
        const int holder = input_of_[place(output)];
        if (holder >= 0)
          point.waits_for.push_back({false, PortId(lane_of(holder).port), lane_of(holder).slot, 1});
        return false;
      });
    points.push_back(std::move(point));
  });
  // A reserved way moves when what stands behind its output does.
  for (int at = 0; at < ports() * slots_; ++at) {
    const Way& way = circuits_[index(at)];
    if (way.state != State::reserved) continue;
    WaitPoint point;
    point.input = PortId(lane_of(at).port);
    point.vc = lane_of(at).slot;
    point.front = way.probe;
    point.movable = false;
    point.waits_for.push_back({true, PortId(way.output.port), way.output.slot, 1});
    points.push_back(std::move(point));
  }
}

/// Whoever waits never asks again.
void refuse_backoff_of_waiting(const CircuitParams& params) {
  if (params.busy == Busy::teardown) return;
  const CircuitParams defaults;
  const auto refuse = [](const char* key) {
    throw ConfigError(key, "a probe that waits is never rejected",
                      std::string("leave ") + key + " out, or set busy: teardown");
  };
  if (params.backoff.count != defaults.backoff.count) refuse("backoff");
  if (params.longest_backoff.count != defaults.longest_backoff.count) refuse("longest_backoff");
  if (params.attempts != defaults.attempts) refuse("attempts");
}

/// Circuits have channels of their own, without buffers.
void check_channels(const NetworkFacts& facts) {
  if (!std::all_of(facts.routers.begin(), facts.routers.end(),
                   [](const RouterModel* model) { return model->switching == Switching::circuit; }))
    throw ConfigError("router",
                      "circuits and buffered packets cannot share channels: some routers set up "
                      "circuits, others buffer packets",
                      "use kind: circuit for all routers, or another handshake");
  if (facts.channel.handshake != Handshake::acknowledge)
    throw ConfigError("channel.handshake",
                      "a circuit is granted by an acknowledgement on a dedicated wire",
                      "set channel.handshake to acknowledge");
}

void check_ends(const NetworkFacts& facts) {
  if (facts.channel.buffer.count != ChannelParams{}.buffer.count)
    throw ConfigError("channel.buffer", "data of a circuit flow without buffers",
                      "leave channel.buffer out");
  if (facts.node.ejection != Ejection::drains || facts.node.overhead == Overhead::path_held)
    throw ConfigError("node", "data of a circuit cannot wait for the receiver's software",
                      "use ejection: drains and overhead: serialized or overlapped");
}

RouterNeeds circuit_needs() {
  return needs::all(
      {check_channels,
       needs::no_message_classes("virtual channels of circuits are time slots, so that replies "
                                 "cannot have a class of their own"),
       needs::routing_of_one_class(
           "virtual channels of circuits are time slots and cannot be selected by the routing"),
       check_ends,
       needs::no_choice_of_injection_vc("a circuit takes the time slot in which its probe is sent"),
       needs::packets_of_at_least(
           2,
           "the first flit of a packet is the probe of its circuit; one packet has no other flit",
           "send packets of at least 2 flits")});
}

RouterModel circuit(const CircuitParams& params) {
  if (params.longest_backoff.count < params.backoff.count)
    throw ConfigError("longest_backoff", "it is shorter than backoff, the first mean wait",
                      "set longest_backoff to backoff or more");
  refuse_backoff_of_waiting(params);
  RouterModel model;
  PipelineTiming timing;
  timing.route = static_cast<int>(params.route_delay.count);
  timing.passage = static_cast<int>(params.switch_delay.count);
  timing.traversal = static_cast<int>(params.traversal_delay.count);
  model.timing = timing;
  model.switching = Switching::circuit;
  model.needs = circuit_needs();
  model.supports.reports_passages = true;
  model.avoidance.control.teardown = params.busy == Busy::teardown;
  model.avoidance.serves_escape = true;
  model.avoidance.remedy = "set router.busy: teardown, choose another routing";
  model.retry = {params.backoff.count, params.longest_backoff.count, params.attempts};
  model.build = [params](const char* name, const RouterSite& site) {
    return std::unique_ptr<Router>(std::make_unique<Circuit>(name, params, site));
  };
  return model;
}

}  // namespace

void register_circuit(Routers& routers) {
  using P = CircuitParams;
  constexpr int longest = 64;
  routers.add(
      "circuit",
      {"a probe reserves the whole path, then data flow without buffers; virtual channels are time "
       "slots, each for one circuit",
       "Dally & Towles 2004, section 13.1.1",
       {"{kind: circuit, busy: teardown}", "{kind: circuit, busy: wait}"}},
      Schema<P>{}
          .optional(
              "busy", &P::busy,
              "what a blocked probe does: release its path and try again later, or wait in its "
              "router")
          .optional("route_delay", &P::route_delay, "time from the arrival of a probe to its route",
                    between(0, longest))
          .optional("switch_delay", &P::switch_delay,
                    "time from the grant of an output to the departure of the probe",
                    between(0, longest))
          .optional("traversal_delay", &P::traversal_delay,
                    "time from the wires of an input to those of an output, for every flit",
                    between(0, longest))
          .optional("arbitration", &P::arbitration, "which of several probes gets an output")
          .optional("backoff", &P::backoff,
                    "mean wait after a rejected probe, before jitter; it doubles with each",
                    between(1, 1e9))
          .optional("longest_backoff", &P::longest_backoff, "greatest mean wait", between(1, 1e9))
          .optional("attempts", &P::attempts,
                    "rejected probes of one packet after which the run ends as livelocked",
                    between(1, 1e9)),
      circuit);
}

}  // namespace flitwave
