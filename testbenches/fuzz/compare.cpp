// testbenches/fuzz/compare.cpp: see compare.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/compare.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"

namespace flitwave::fuzz {

namespace {

ConfigError unknown(const std::string& key, const std::string& what) {
  return ConfigError(key, "the reference does not support " + what,
                     "leave it out, or simulate without the reference: tools/flitwave run");
}

/// The printed parameters of a router.
class RouterSettings {
 public:
  explicit RouterSettings(const Printed& printed) : printed_(printed) {}

  std::string text(const std::string& name) const {
    for (const auto& [key, value] : printed_)
      if (key == name) return value;
    throw unknown("router", "a router without `" + name + "`");
  }
  int cycles(const std::string& name) const {
    return static_cast<int>(Codec<Cycles>::read(ConfigNode::parse(text(name), "router")).count);
  }

 private:
  const Printed& printed_;
};

reference::Arbitration arbitration_of(const std::string& name) {
  if (name == "round_robin") return reference::Arbitration::round_robin;
  if (name == "first_come") return reference::Arbitration::first_come;
  if (name == "oldest_packet") return reference::Arbitration::oldest_packet;
  if (name == "fixed") return reference::Arbitration::fixed;
  if (name == "random") return reference::Arbitration::random;
  throw unknown("router.arbitration", "the rule " + name);
}

reference::Switching switching_of(const std::string& kind) {
  if (kind == "wormhole") return reference::Switching::wormhole;
  if (kind == "virtual_cut_through") return reference::Switching::virtual_cut_through;
  if (kind == "store_and_forward") return reference::Switching::store_and_forward;
  if (kind == "circuit") return reference::Switching::circuit;
  throw unknown("router.kind", kind);
}

reference::Handshake handshake_of(Handshake handshake) {
  if (handshake == Handshake::credit) return reference::Handshake::credit;
  if (handshake == Handshake::ready_valid) return reference::Handshake::ready_valid;
  return reference::Handshake::acknowledge;
}

void read_circuits(const RouterSettings& router, reference::Params& params) {
  params.teardown = router.text("busy") == "teardown";
  params.route = router.cycles("route_delay");
  params.passage = router.cycles("switch_delay");
  params.traversal = router.cycles("traversal_delay");
  params.backoff = router.cycles("backoff");
  params.longest_backoff = router.cycles("longest_backoff");
  params.attempts = std::stoll(router.text("attempts"));
}

reference::Allocation allocation_of(const std::string& name) {
  if (name == "separable_input_first") return reference::Allocation::input_first;
  if (name == "separable_output_first") return reference::Allocation::output_first;
  if (name == "islip") return reference::Allocation::islip;
  throw unknown("router.allocator", "the allocator " + name);
}

void read_stages(const RouterSettings& router, reference::Params& params) {
  params.clocked = true;
  params.allocation = allocation_of(router.text("allocator"));
  params.iterations = std::stoi(router.text("iterations"));
  params.speculative = router.text("speculative") == "true";
}

void read_router(const Job& job, reference::Params& params) {
  params.switching = switching_of(job.router.kind());
  if (!job.router_overrides.empty()) throw unknown("router.at", "routers of several kinds");
  const RouterSettings router(job.router.parameters());
  params.arbitration = arbitration_of(router.text("arbitration"));
  if (params.switching == reference::Switching::circuit) return read_circuits(router, params);
  if (router.text("stages") != "merged") read_stages(router, params);
  params.atomic = router.text("vc_reallocation") == "atomic";
  params.bubble = router.text("torus") == "bubble";
  if (router.text("preset") == "single_cycle") return;
  params.route = router.cycles("route_delay");
  params.vc = router.cycles("vc_delay");
  params.passage = router.cycles("switch_delay");
  params.traversal = router.cycles("traversal_delay");
}

void read_requests(const Job& job, const Plan& plan, reference::Params& params) {
  if (params.switching == reference::Switching::circuit)
    throw unknown("requests", "requests that make circuits");
  const RequestParams& given = *job.requests;
  params.pattern = plan.pattern.get();
  params.requests = {given.window, given.request.count, given.reply.count, given.service.count,
                     given.reply_queue};
  params.longest = static_cast<int>(std::max(given.request.count, given.reply.count));
  params.receive = job.node.receive_overhead.rounded(job.clock.period);
  params.serialized = job.node.overhead == Overhead::serialized;
  params.held = job.node.ejection == Ejection::held;
}

void read_load(const Job& job, const Plan& plan, reference::Params& params) {
  if (!job.measurement || job.operation || (job.requests && (job.traffic || job.trace)))
    throw unknown("operation", "anything except one kind of traffic");
  if (job.requests) {
    read_requests(job, plan, params);
  } else if (plan.trace) {
    params.trace = &*plan.trace;
    params.longest = 1;
    for (const TracedPacket& packet : plan.trace->packets())
      params.longest = std::max(params.longest, static_cast<int>(packet.flits));
  } else {
    params.injection = plan.injection.get();
    params.pattern = plan.pattern.get();
    params.length = params.longest = static_cast<int>(job.traffic->packet.count);
  }
  params.warmup = job.measurement->warmup.count;
  params.measure = job.measurement->measure.count;
  params.drain = job.measurement->drain.count;
}

std::string differs(const std::string& what, const std::string& network,
                    const std::string& reference) {
  return fmt::format("{}: {} in the network, {} in the reference", what, network, reference);
}

template <class T>
std::string difference(const std::string& what, T network, T reference) {
  if (network == reference) return "";
  return differs(what, fmt::format("{}", network), fmt::format("{}", reference));
}

/// The cells of a row, in the order of the reference's record.
std::vector<std::string> packet_cells(const Topology& topology,
                                      const reference::PacketTimes& times) {
  std::vector<std::string> cells{topology.label(NodeId(times.source)), std::to_string(times.number),
                                 topology.label(NodeId(times.destination))};
  for (Cycle cycle : {times.created, times.injected, times.head_taken, times.tail_taken})
    cells.push_back(std::to_string(cycle));
  return cells;
}

std::string packet_difference(const Table& table, const Topology& topology,
                              const std::vector<reference::PacketTimes>& packets) {
  std::vector<std::size_t> columns;
  for (const char* name :
       {"source", "number", "destination", "created", "injected", "head_ejected", "ejected"})
    columns.push_back(static_cast<std::size_t>(
        std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin()));
  for (std::size_t i = 0; i < std::min(packets.size(), table.rows.size()); ++i) {
    std::vector<std::string> row;
    for (std::size_t column : columns) row.push_back(table.rows[i].at(column));
    const std::vector<std::string> cells = packet_cells(topology, packets[i]);
    if (row == cells) continue;
    return differs(
        "a packet (source, number, destination, created, injected, head and tail ejected)",
        fmt::format("{}", fmt::join(row, " ")), fmt::format("{}", fmt::join(cells, " ")));
  }
  return difference("packets in the window", table.rows.size(), packets.size());
}

std::string circuit_difference(const Results& network, const reference::CircuitCounts& counts) {
  const auto value = [&network](const char* name) {
    return static_cast<std::int64_t>(network.value(name));
  };
  std::string text = difference("circuits granted", value("circuits.granted"), counts.granted);
  if (text.empty()) text = difference("rejections", value("circuits.refused"), counts.refused);
  if (text.empty())
    text = difference("most rejections", value("circuits.refused.max"), counts.most_refused);
  if (text.empty())
    text = difference("longest wait", value("circuits.wait.max"), counts.longest_wait);
  return text;
}

std::string latency_difference(const Results& network, const reference::Sample& total) {
  const auto value = [&network](const char* name) {
    return static_cast<Cycle>(network.value(name));
  };
  std::string text = difference("mean latency", network.value("latency.mean"), total.mean());
  if (text.empty())
    text = difference("median latency", value("latency.p50"), total.percentile(0.5));
  if (text.empty())
    text = difference("99th percentile", value("latency.p99"), total.percentile(0.99));
  if (text.empty()) text = difference("greatest latency", value("latency.max"), total.greatest());
  return text;
}

/// Mean and percentiles of the times from a request to its reply, and the number of replies.
std::string request_difference(const Results& network, const reference::Results& reference) {
  const reference::Sample& times = reference.round_trips;
  const auto value = [&network](const char* name) {
    return static_cast<Cycle>(network.value(name));
  };
  std::string text = difference("replies to requests", value("requests.answered"), times.count());
  if (!text.empty() || !network.has("round_trip.mean")) return text;
  text = difference("mean round trip", network.value("round_trip.mean"), times.mean());
  if (text.empty())
    text = difference("median round trip", value("round_trip.p50"), times.percentile(0.5));
  if (text.empty())
    text = difference("greatest round trip", value("round_trip.max"), times.greatest());
  return text;
}

std::string name_of(Outcome outcome) {
  return names_of(Outcome{})[static_cast<std::size_t>(outcome)];
}

std::string difference_of(const Results& network, const reference::Results& reference,
                          const Topology& topology) {
  if (network.outcome == Outcome::livelock && reference.livelock)
    return difference("cycle of livelock", network.cycles, reference.cycles);
  if (network.outcome != Outcome::complete)
    return fmt::format("outcome: {} in the network: {}", name_of(network.outcome), network.message);
  if (!reference.complete)
    return fmt::format("outcome: {} in the reference", reference.livelock ? "livelock" : "limit");
  std::string text = packet_difference(network.table("packets"), topology, reference.packets);
  if (text.empty())
    text = difference("transits", static_cast<std::int64_t>(network.value("transits")),
                      reference.transits);
  if (text.empty()) text = difference("fingerprint", network.fingerprint, reference.fingerprint);
  if (text.empty()) text = difference("cycles", network.cycles, reference.cycles);
  if (network.has("circuits.granted")) {
    if (text.empty()) text = circuit_difference(network, reference.circuits);
  } else if (text.empty() && network.has("contention.blocked")) {
    text = difference("blocked cycles", static_cast<Cycle>(network.value("contention.blocked")),
                      reference.blocked);
  }
  if (text.empty() && network.has("requests.answered"))
    text = request_difference(network, reference);
  if (text.empty() && network.has("latency.mean"))
    text = latency_difference(network, reference.total);
  return text;
}

reference::Params params_of(const Job& job, const Plan& plan) {
  reference::Params params;
  params.topology = plan.topology.get();
  params.routing = plan.routing.get();
  params.handshake = handshake_of(job.channel.handshake);
  params.latency = static_cast<int>(job.channel.latency.count);
  params.vcs = job.channel.vcs;
  params.depth = job.channel.depth();
  params.credit_delay = job.channel.credit_delay.count;
  params.interface_delay = job.node.credit_delay.count;
  params.injects_with_room = job.node.injection_vc == InjectionVc::with_room;
  read_router(job, params);
  params.local_ports = job.node.ports.all ? 0 : job.node.ports.count;
  read_load(job, plan, params);
  params.limit = job.stop.limit.rounded(job.clock.period);
  params.seed = job.top.seed;
  return params;
}

double blocked_share(const reference::Results& results) {
  Cycle travelled = 0;
  for (const reference::PacketTimes& packet : results.packets)
    travelled += packet.head_taken - packet.injected;
  return travelled == 0 ? 0 : static_cast<double>(results.blocked) / static_cast<double>(travelled);
}

}  // namespace

reference::Params reference_params(const Job& job, const Plan& plan) {
  try {
    return params_of(job, plan);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written);
  }
}

// With contention or anatomy, routers record more. This must not change the movement of flits.
Comparison compare(const Scenario& scenario) {
  const std::uint64_t seed = Job::read(scenario, standard_catalog()).top.seed;
  const char* contention = seed % 2 == 0 ? "" : ", {kind: contention}";
  const char* anatomy = seed / 2 % 2 == 0 ? "" : ", {kind: anatomy}";
  const Job job = Job::read(
      scenario.with("observe",
                    fmt::format("[{{kind: latency, packets: true}}{}{}]", contention, anatomy)),
      standard_catalog());
  const Plan plan = Plan::make(job);
  reference::Params params = reference_params(job, plan);
  params.keep_packets = true;
  const Results network = simulate(job, plan, {});
  const reference::Results reference = reference::run(params);
  Comparison comparison;
  comparison.difference = difference_of(network, reference, *plan.topology);
  comparison.blocked = blocked_share(reference);
  comparison.packets = static_cast<std::int64_t>(reference.packets.size());
  comparison.transits = reference.transits;
  return comparison;
}

}  // namespace flitwave::fuzz
