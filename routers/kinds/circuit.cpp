// routers/kinds/circuit.cpp: a probe reserves the way, then data flow without buffers.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/configs/error.hpp"
#include "flitwave/modules/bits.hpp"
#include "flitwave/routers/arbiter.hpp"
#include "flitwave/routers/router.hpp"

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
/// Each cycle, in this order: answers go back and release what they refuse; flits of circuits
/// pass; probes are routed, and each free output is given to one that wants it. An output by which
/// a tail has left is free from the next cycle on, for it carries one flit per cycle.
/// Source: Dally & Towles 2004, section 13.1.1; the rules of a refusal are ours.
class Circuit final : public Router {
 public:
  Circuit(const sc_core::sc_module_name& name, const CircuitParams& params, const RouterSite& site)
      : Router(name, site, static_cast<int>(params.traversal_delay.count),
               VcReallocation::non_atomic),
        params_(params),
        circuits_(index(site.ports())),
        input_of_(index(site.ports()), -1) {
    const auto node = static_cast<std::uint64_t>(site.node.value());
    for (int port = 0; port < site.ports(); ++port)
      arbiters_.emplace_back(
          params.arbitration, site.ports(),
          Random(site.seed, "circuit arbiter", node * 64 + static_cast<std::uint64_t>(port)));
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
  /// What stands at one input.
  struct Way {
    State state = State::idle;
    int output = -1;     // when leaving or reserved
    Cycle ready_at = 0;  // when the stage can end at the earliest
    Cycle arrived = 0;   // when the probe came
    Flit probe;          // when probing or leaving
    bool routed = false;
    Route route;
  };

  bool tick() override;
  void answers();
  void pass_flits();
  void take_probe(int port, Flit probe);
  void reserve();
  int free_output(const Way& way, int port) const;
  void grant(int port, int output);
  void refuse(int port);
  void send_probes();
  void tell(const Way& way) const;
  bool drive();
  template <class Visit>
  void for_each_output(const Way& way, int port, Visit visit) const;

  CircuitParams params_;
  Cycle now_ = 0;
  bool again_ = false;
  std::vector<Way> circuits_;  // per input port
  std::vector<int> input_of_;  // per output port: whose circuit it is, or -1
  std::uint64_t probing_ = 0;  // inputs in state probing
  std::uint64_t leaving_ = 0;  // inputs in state leaving
  std::uint64_t busy_outputs_ = 0;
  std::uint64_t left_by_tail_ = 0;  // outputs by which one went in this tick
  int probes_ = 0;                  // that stand in this router
  std::int64_t dropped_ = 0;
  std::vector<Arbiter> arbiters_;            // per output port
  std::vector<std::pair<int, int>> wishes_;  // input, output; scratch
  std::vector<Request> requests_;            // scratch
};

bool Circuit::tick() {
  now_ = now();
  again_ = false;
  poll();
  answers();
  pass_flits();
  if (probing_ != 0) reserve();
  if (leaving_ != 0) send_probes();
  return drive();
}

void Circuit::answers() {
  for_each_bit(returns_, [this](int output) {
    const int input = input_of_[index(output)];
    if (input < 0) throw ModelError(std::string(name()) + ": an answer came for no circuit");
    const Answer answer = out_port(output).answer();
    in_port(input).answer(answer);
    if (answer == Answer::granted) return;
    circuits_[index(input)].state = State::idle;
    input_of_[index(output)] = -1;
  });
}

void Circuit::pass_flits() {
  for_each_bit(arrivals_, [this](int port) {
    const Flit flit = in_port(port).standing();
    Way& way = circuits_[index(port)];
    if (flit.head()) return take_probe(port, flit);
    if (way.state != State::reserved)
      throw ModelError(std::string(name()) + ": a flit came without a circuit");
    out_port(way.output).send(flit.on_vc(0), 0, now_);
    if (!out_port(way.output).sends_at_once()) busy_outputs_ |= word_bit(way.output);
    if (!flit.tail()) return;
    way.state = State::idle;
    input_of_[index(way.output)] = -1;
    left_by_tail_ |= word_bit(way.output);
  });
}

void Circuit::take_probe(int port, Flit probe) {
  Way& way = circuits_[index(port)];
  if (way.state != State::idle)
    throw ModelError(std::string(name()) + ": a probe came into a circuit");
  way.state = State::probing;
  way.probe = probe;
  way.routed = false;
  way.arrived = now_;
  way.ready_at = now_ + params_.route_delay.count;
  probing_ |= word_bit(port);
  ++probes_;
}

/// Calls `visit(output port)` for the ways on, in order, until it returns true.
template <class Visit>
void Circuit::for_each_output(const Way& way, int port, Visit visit) const {
  const int locals = site().local_ports();
  for (const Candidate& candidate : way.route.candidates()) {
    if (!candidate.local()) {
      if (visit(candidate.port.value())) return;
      continue;
    }
    for (int i = 0; i < locals; ++i)
      if (visit(site().network_ports + (port + i) % locals)) return;
  }
}

int Circuit::free_output(const Way& way, int port) const {
  int found = -1;
  for_each_output(way, port, [&](int output) {
    if (input_of_[index(output)] < 0 && (left_by_tail_ & word_bit(output)) == 0) found = output;
    return found >= 0;
  });
  return found;
}

// Probes -> routes -> outputs.
void Circuit::reserve() {
  wishes_.clear();
  for_each_bit(probing_, [this](int port) {
    Way& way = circuits_[index(port)];
    if (now_ < way.ready_at) {
      again_ = true;
      return;
    }
    if (!way.routed) {
      const bool from_network = port < site().network_ports;
      way.route.clear();
      site().routing.route(node(), Arrival{from_network ? PortId(port) : PortId{}, 0},
                           site().packets.packet(way.probe).header, way.route);
      way.routed = true;
    }
    const int output = free_output(way, port);
    if (output >= 0)
      wishes_.emplace_back(port, output);
    else if (params_.busy == Busy::teardown)
      refuse(port);
  });
  for (std::size_t i = 0; i < wishes_.size(); ++i) {
    const int output = wishes_[i].second;
    if (input_of_[index(output)] >= 0) {  // given to another one just now
      again_ = true;
      continue;
    }
    requests_.clear();
    for (std::size_t j = i; j < wishes_.size(); ++j) {
      if (wishes_[j].second != output) continue;
      const Way& way = circuits_[index(wishes_[j].first)];
      requests_.push_back(
          {wishes_[j].first, way.ready_at, site().packets.packet(way.probe).created});
    }
    grant(requests_[arbiters_[index(output)].pick(requests_)].index, output);
  }
}

void Circuit::grant(int port, int output) {
  Way& way = circuits_[index(port)];
  way.state = State::leaving;
  way.output = output;
  way.ready_at = now_ + params_.switch_delay.count;
  input_of_[index(output)] = port;
  arbiters_[index(output)].served(port);
  probing_ &= ~word_bit(port);
  leaving_ |= word_bit(port);
}

void Circuit::refuse(int port) {
  circuits_[index(port)].state = State::idle;
  probing_ &= ~word_bit(port);
  --probes_;
  ++dropped_;
  in_port(port).answer(Answer::busy);
}

void Circuit::send_probes() {
  for_each_bit(leaving_, [this](int port) {
    Way& way = circuits_[index(port)];
    if (now_ < way.ready_at) {
      again_ = true;
      return;
    }
    if (site().probe) tell(way);
    out_port(way.output).send(way.probe.on_vc(0), 0, now_);
    if (!out_port(way.output).sends_at_once()) busy_outputs_ |= word_bit(way.output);
    way.state = State::reserved;
    leaving_ &= ~word_bit(port);
    --probes_;
  });
}

/// A probe leaves: beyond its delays it has waited for outputs.
void Circuit::tell(const Way& way) const {
  Passage passage;
  passage.node = node();
  passage.flit = way.probe.on_vc(0);
  passage.output = PortId(way.output);
  passage.arrived = passage.front = way.arrived;
  passage.left = now_;
  passage.least.route = static_cast<int>(params_.route_delay.count);
  passage.least.passage = static_cast<int>(params_.switch_delay.count);
  passage.least.traversal = static_cast<int>(params_.traversal_delay.count);
  passage.vc_wait = now_ - way.arrived - params_.route_delay.count - params_.switch_delay.count;
  site().probe->passed(passage);
}

bool Circuit::drive() {
  if (left_by_tail_ != 0 && probing_ != 0) again_ = true;
  left_by_tail_ = 0;
  for_each_bit(busy_outputs_, [this](int port) {
    if (!out_port(port).drive(now_)) busy_outputs_ &= ~word_bit(port);
  });
  return again_ || busy_outputs_ != 0 || leaving_ != 0;
}

void Circuit::report_waits(std::vector<WaitPoint>& points) const {
  for_each_bit(probing_, [&](int port) {
    const Way& way = circuits_[index(port)];
    WaitPoint point;
    point.input = PortId(port);
    point.front = way.probe;
    point.movable = !way.routed || free_output(way, port) >= 0;
    if (way.routed)
      for_each_output(way, port, [&](int output) {
        const int holder = input_of_[index(output)];
        if (holder >= 0) point.waits_for.push_back({false, PortId(holder), 0, 1});
        return false;
      });
    points.push_back(std::move(point));
  });
  // A reserved way moves when what stands behind its output does.
  for (int port = 0; port < ports(); ++port) {
    const Way& way = circuits_[index(port)];
    if (way.state != State::reserved) continue;
    WaitPoint point;
    point.input = PortId(port);
    point.front = way.probe;
    point.movable = false;
    point.waits_for.push_back({true, PortId(way.output), 0, 1});
    points.push_back(std::move(point));
  }
}

/// Whoever waits never asks again.
void refuse_backoff_of_waiting(const CircuitParams& params) {
  if (params.busy == Busy::teardown) return;
  const CircuitParams defaults;
  const auto refuse = [](const char* key) {
    throw ConfigError(key, "a probe that waits is never refused",
                      std::string("leave ") + key + " out, or set busy: teardown");
  };
  if (params.backoff.count != defaults.backoff.count) refuse("backoff");
  if (params.longest_backoff.count != defaults.longest_backoff.count) refuse("longest_backoff");
  if (params.attempts != defaults.attempts) refuse("attempts");
}

RouterModel circuit(const CircuitParams& params) {
  if (params.longest_backoff.count < params.backoff.count)
    throw ConfigError("longest_backoff", "it is shorter than backoff, where doubling starts",
                      "set longest_backoff to backoff or more");
  refuse_backoff_of_waiting(params);
  RouterModel model;
  PipelineTiming timing;
  timing.route = static_cast<int>(params.route_delay.count);
  timing.passage = static_cast<int>(params.switch_delay.count);
  timing.traversal = static_cast<int>(params.traversal_delay.count);
  model.timing = timing;
  model.serves_escape = true;
  model.tells_passages = true;
  model.switching = Switching::circuit;
  model.teardown = params.busy == Busy::teardown;
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
      {"a probe reserves the whole way, then data flow without buffers",
       "Dally & Towles 2004, section 13.1.1"},
      Schema<P>{}
          .optional("busy", &P::busy,
                    "what a probe does that finds its ways taken: release all and ask again "
                    "later, or wait where it is")
          .optional("route_delay", &P::route_delay, "from a probe's arrival to its route",
                    between(0, longest))
          .optional("switch_delay", &P::switch_delay, "from a probe's output to leaving",
                    between(0, longest))
          .optional("traversal_delay", &P::traversal_delay,
                    "from an input's wires to an output's, for every flit", between(0, longest))
          .optional("arbitration", &P::arbitration, "which of several probes gets an output")
          .optional("backoff", &P::backoff,
                    "mean wait after a refusal, before jitter; it doubles with each",
                    between(1, 1e9))
          .optional("longest_backoff", &P::longest_backoff, "where doubling ends", between(1, 1e9))
          .optional("attempts", &P::attempts,
                    "refusals of one packet after which the run ends as livelocked",
                    between(1, 1e9)),
      circuit);
}

}  // namespace flitwave
