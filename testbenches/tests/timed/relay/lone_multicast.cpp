// testbenches/tests/timed/relay/lone_multicast.cpp: see lone_multicast.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/relay/lone_multicast.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbenches/reference/papers/draw_faults.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace flitwave::test {
namespace {

int draw(Random& random, int least, int greatest) {
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
}

template <class Choice>
std::string name_of(Choice choice) {
  return names_of(Choice{})[static_cast<std::size_t>(choice)];
}

/// The address of a node by its label, lowest bit first: 4 for "0_0_1".
int address_of(const std::string& label) {
  int address = 0;
  for (std::size_t i = 0; i < label.size(); i += 2) address |= (label[i] - '0') << (i / 2);
  return address;
}

/// The labels in a text. All labels have the same length, with any text between them.
std::vector<int> addresses_in(const std::string& text, int dimensions) {
  const auto length = static_cast<std::size_t>(2 * dimensions - 1);
  std::vector<int> addresses;
  for (std::size_t at = 0; at + length <= text.size(); at += length) {
    while (text[at] != '0' && text[at] != '1') ++at;
    addresses.push_back(address_of(text.substr(at, length)));
  }
  return addresses;
}

std::string written(const LoneMulticast& lone) {
  std::string text =
      fmt::format("{{nodes: [{}], condition: warn", fmt::join(lone.faults.nodes(), ", "));
  std::vector<std::string> ends;
  for (const CubeLink& link : lone.links)
    ends.push_back(fmt::format("[{}, {}]", link.end, link.other_end()));
  return text + fmt::format(", links: [{}]}}", fmt::join(ends, ", "));
}

}  // namespace

bool operator==(const LoneOutcome& a, const LoneOutcome& b) {
  return std::tie(a.times, a.unreachable) == std::tie(b.times, b.unreachable);
}

void LoneMulticast::draw_settings(Random& random) {
  capacity = draw(random, 1, 30);
  field = draw(random, 1, 3);
  selection = draw(random, 1, 12);
  selecting = static_cast<Selecting>(draw(random, 0, 1));
  branching = static_cast<Branching>(draw(random, 0, 1));
  switching = static_cast<Relaying>(draw(random, 0, 2));
  ties = static_cast<Ties>(draw(random, 0, 2));
  hop_classes = draw(random, 0, 1) == 1;
  latency = draw(random, 1, 3);
  data = field * draw(random, 1, 40);
  fault_tolerant = draw(random, 0, 1) == 1;
}

void LoneMulticast::draw_message(Random& random) {
  const int working = static_cast<int>(faults.fault_free().size()) - 1;
  const int most = draw(random, 0, 3) == 0 ? working : std::min(working, 24);
  destinations = draw_uniform(faults, source, draw(random, 1, most), random);
  std::sort(destinations.begin(), destinations.end());
}

Scenario LoneMulticast::scenario() const {
  const Scenario lone =
      Scenario::parse(fmt::format(R"(
scenario: lone
topology: {{kind: hypercube, dimensions: {}}}
channel: {{handshake: request, buffer: 4096 flit, latency: {} cycle}}
operation: {{kind: multicast, source: {}, destinations: [{}], message: {} B}}
algorithm: {{kind: hardware_multicast}}
observe: [{{kind: latency, packets: true}}]
allow_deadlock: true
)",
                                  cube.dimensions(), latency, source, fmt::join(destinations, ", "),
                                  data))
          .with("router",
                fmt::format(
                    "{{kind: greedy_multicast, capacity: {}, fault_tolerant: {}, ties: {}, "
                    "{}: {}, selection: {} cycle, selecting: {}, branching: {}, "
                    "switching: {}{}, buffers: {}, handshake_time: {}, detail: {}}}",
                    capacity, fault_tolerant, name_of(ties), link_bits == 0 ? "field" : "link_bits",
                    link_bits == 0 ? field : link_bits, selection, name_of(selecting),
                    name_of(branching), name_of(switching),
                    switching == Relaying::store_and_forward ? ", delivery: " + name_of(delivery)
                                                             : "",
                    hop_classes ? "hop_classes" : "faithful",
                    handshake == 0 ? "wires" : fmt::format("{} cycle", handshake),
                    blocks ? "blocks" : "compact"));
  return faults.count() == 0 ? lone : lone.with("faults", written(*this));
}

LoneOutcome LoneMulticast::simulated() const {
  const Results results = simulate(scenario(), standard_catalog());
  if (results.outcome != Outcome::complete) throw std::runtime_error(results.message);
  const Table& packets = results.table("packets");
  const std::vector<double> created = column(packets, "created");
  const std::vector<double> ejected = column(packets, "ejected");
  LoneOutcome outcome;
  for (std::size_t i = 0; i < created.size(); ++i)
    if (!outcome.times
             .emplace(address_of(packets.rows[i][1]), static_cast<Cycle>(ejected[i] - created[i]))
             .second)
      throw std::runtime_error("two packets arrived at " + packets.rows[i][1]);
  if (faults.count() == 0) return outcome;
  for (const std::vector<std::string>& row : results.table("faulted_messages").rows)
    if (row.front() == "unreachable")
      for (const int node : addresses_in(row.back(), cube.dimensions()))
        outcome.unreachable.push_back(node);
  std::sort(outcome.unreachable.begin(), outcome.unreachable.end());
  return outcome;
}

/// Source: docs/timing.md
LoneOutcome LoneMulticast::by_formula() const {
  RelayRules rules{capacity, fault_tolerant, true, tie_rule_of(ties, {}, cube, 1)};
  RelayTiming timing;
  timing.field = field;
  timing.selection = {selection};
  timing.selecting = selecting;
  timing.branching = branching;
  const auto over = [this](int channel) { return handshake == 0 ? 2 * channel : handshake; };
  timing.handshake_time = {over(latency)};
  timing.flight = latency - 1;
  timing.from_source = 1 + over(1);
  timing.to_processor = over(1) + (fault_tolerant ? 0 : field);
  timing.data = data / field;
  if (switching == Relaying::store_and_forward) {
    timing.switching = switching;
    if (delivery == StoredDelivery::stored) timing.to_processor += data;
  }
  LoneOutcome outcome;
  for (const RelayArrival& arrival : relay_arrivals(
           cube, rules, timing, source, header_for(cube, source, destinations, rules.format()),
           [this](CubeAddress here) { return faults.vector_of(here); }))
    outcome.times[static_cast<int>(arrival.node)] = arrival.time;
  for (const CubeAddress node : destinations)
    if (outcome.times.count(static_cast<int>(node)) == 0)
      outcome.unreachable.push_back(static_cast<int>(node));
  return outcome;
}

}  // namespace flitwave::test
