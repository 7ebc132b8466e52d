// testbenches/fuzz/case.cpp: see case.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave::fuzz {

namespace {

std::string topology_text(const Case& input) {
  if (input.topology == "custom") {
    std::vector<std::string> pairs;
    for (const auto& [from, to] : input.joined) pairs.push_back(fmt::format("[{}, {}]", from, to));
    return fmt::format("{{kind: custom, channels: [{}]}}", fmt::join(pairs, ", "));
  }
  if (input.topology == "hypercube")
    return fmt::format("{{kind: hypercube, dimensions: {}}}", input.shape.front());
  if (input.topology == "ring")
    return fmt::format("{{kind: ring, nodes: {}, directions: {}}}", input.shape.front(),
                       input.directions);
  if (input.topology == "mesh")
    return fmt::format("{{kind: mesh, shape: [{}]}}", fmt::join(input.shape, ", "));
  std::vector<const char*> wraps;
  for (bool wrap : input.wraps) wraps.push_back(wrap ? "true" : "false");
  return fmt::format("{{kind: torus, shape: [{}], wrap: [{}], directions: {}}}",
                     fmt::join(input.shape, ", "), fmt::join(wraps, ", "), input.directions);
}

std::string routing_text(const Case& input) {
  if (input.routing == "shortest_path")
    return fmt::format("{{kind: shortest_path, rule: up_down, ties: {}, seed: {}}}",
                       input.random_ties ? "random" : "lowest", input.seed);
  if (input.routing != "dimension_order") return fmt::format("{{kind: {}}}", input.routing);
  std::string order;
  if (input.reversed_order) {
    const int dimensions =
        input.topology == "hypercube" ? input.shape.front() : static_cast<int>(input.shape.size());
    std::vector<int> axes(static_cast<std::size_t>(dimensions));
    std::iota(axes.rbegin(), axes.rend(), 0);
    order = fmt::format(", order: [{}]", fmt::join(axes, ", "));
  }
  return fmt::format("{{kind: dimension_order, ties: {}, vc_rule: {}{}}}", input.ties,
                     input.vc_rule, order);
}

std::string router_text(const Case& input) {
  const std::string delays = fmt::format(
      "route_delay: {} cycle, switch_delay: {} cycle, traversal_delay: {} cycle, arbitration: {}",
      input.delays[0], input.delays[2], input.delays[3], input.arbitration);
  if (input.circuits())
    return fmt::format(
        "{{kind: circuit, busy: {}, {}{}}}", input.switching, delays,
        input.switching == "wait"
            ? ""
            : fmt::format(", backoff: {} cycle, longest_backoff: {} cycle, attempts: {}",
                          input.backoff, input.longest_backoff, input.attempts));
  const bool bubble = input.switching == "bubble";
  const std::string kind = !bubble        ? input.switching
                           : input.stored ? "store_and_forward"
                                          : "virtual_cut_through";
  return fmt::format(
      "{{kind: {}, {}, vc_delay: {} cycle, vc_reallocation: {}, torus: {}, stages: {}, "
      "allocator: {}, iterations: {}, speculative: {}}}",
      kind, delays, input.delays[1], input.atomic ? "atomic" : "non_atomic",
      bubble ? "bubble" : "classes", input.stages, input.allocator, input.iterations,
      input.speculative ? "true" : "false");
}

std::string load_text(const Case& input, const std::string& trace) {
  const std::string times = fmt::format("warmup: 0 cycle, measure: {} cycle, drain: {} cycle",
                                        input.measure, input.drain);
  if (!input.shots.empty()) return fmt::format("trace: {{file: '{}', {}}}", trace, times);
  const std::string hotspot =
      input.pattern == "hotspot" ? fmt::format("nodes: [{}], share: 0.5, ", input.hot) : "";
  if (input.window > 0)
    return fmt::format(
        "requests: {{pattern: {{kind: {}, {}self: {}}}, window: {}, request: {} flit, "
        "reply: {} flit, service: {} cycle, message_classes: {}, reply_queue: {}, {}}}",
        input.pattern, hotspot, input.to_self, input.window, input.request, input.length,
        input.service, input.classes ? 2 : 1, input.reply_queue, times);
  const std::string bursts =
      input.injection == "bursty" ? fmt::format(", burst: {} cycle", input.burst) : "";
  return fmt::format(
      "traffic: {{pattern: {{kind: {}, {}self: {}}}, injection: {{kind: {}{}}}, "
      "rate: {} flit/node/cycle, packet: {} flit, {}}}",
      input.pattern, hotspot, input.to_self, input.injection, bursts,
      static_cast<double>(input.rate) / 100, input.length, times);
}

std::string software_text(const Case& input) {
  if (input.window == 0) return "";
  return fmt::format(", ejection: {}, receive_overhead: {} ns, overhead: {}",
                     input.held ? "held" : "drains", input.receive_overhead,
                     input.overlapped ? "overlapped" : "serialized");
}

}  // namespace

int Case::nodes() const {
  if (topology == "hypercube") return 1 << shape.front();
  if (topology != "custom")
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
  int greatest = 0;
  for (const auto& [from, to] : joined) greatest = std::max({greatest, from, to});
  return greatest + 1;
}

int Case::longest() const {
  if (shots.empty()) return window > 0 ? std::max(request, length) : length;
  int longest = 0;
  for (const Shot& shot : shots) longest = std::max(longest, shot.flits);
  return longest;
}

Scenario scenario_of(const Case& input, const std::string& trace) {
  return Scenario::parse(fmt::format(
      R"(scenario: {}
seed: {}
topology: {}
routing: {}
channel: {{latency: {} cycle, vcs: {}{}, handshake: {}, credit_delay: {} cycle}}
router: {}
node: {{ports: {}, credit_delay: {} cycle, injection_vc: {}{}}}
{}
stop: {{limit: 200000 cycle}}
watchdog: {{interval: 97 cycle}}
clock: {{period: 1 ns}}
)",
      input.name, input.seed, topology_text(input), routing_text(input), input.latency, input.vcs,
      input.circuits() ? "" : fmt::format(", buffer: {} flit", input.depth), input.handshake,
      input.credit_delay, router_text(input),
      input.ports == 0 ? "all" : std::to_string(input.ports), input.interface_delay,
      input.injects_with_room ? "with_room" : "free", software_text(input),
      load_text(input, trace)));
}

void write_trace(const Case& input, const std::string& file) {
  std::ofstream out(file);
  for (const Shot& shot : input.shots)
    out << shot.at << ' ' << shot.from << ' ' << shot.to << ' ' << shot.flits << '\n';
  out.close();
  if (!out) throw SystemFailure("cannot write " + file);
}

RunnableCase::RunnableCase(const Case& input) : input_(input) {
  if (input.shots.empty()) return;
  const std::string name = fmt::format("flitwave_{}_{}.trace", getpid(), input.name);
  trace_ = (std::filesystem::temp_directory_path() / name).string();
  write_trace(input, trace_);
}

RunnableCase::~RunnableCase() {
  std::error_code ignored;
  if (!trace_.empty()) std::filesystem::remove(trace_, ignored);
}

}  // namespace flitwave::fuzz
