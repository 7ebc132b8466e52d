// testbenches/tests/timed/relay/lan_waves_test.cpp: the example of Lan 1988, section 5.3, wire by
// wire.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <sysc/tracing/sc_tracing_ids.h>

#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"
#include "testbenches/tests/timed/relay/lan_cube.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace lan_waves_test {

using namespace flitwave;
using namespace flitwave::test;

using flitwave::testing::example_destinations;
using flitwave::testing::example_source;

namespace {

constexpr std::int64_t data = 32;        // L
constexpr std::int64_t selection = 10;   // T_c
constexpr std::int64_t handshake = 2;    // T_hs
constexpr std::int64_t begins = 4;       // of the first field: the request is at edge 2
constexpr std::int64_t last_edge = 170;  // after all arrivals

const Cube& cube() {
  static const Cube five(5);
  return five;
}

BlockParams build() {
  BlockParams params;
  params.dimensions = 5;
  params.capacity = 6;
  params.selection = {selection};
  params.data = data;
  return params;
}

std::vector<CubeBits> message_data() {
  std::vector<CubeBits> fields;
  for (CubeBits i = 0; i < data; ++i) fields.push_back(i);
  return fields;
}

/// Simulates the example and records all links and the routers that it uses.
void record(const std::string& stem, const CubeNodes& nodes) {
  LanCube blocks("cube", build());
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_,
                                          sc_core::SC_DO_NOTHING);
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
  for (const CubeAddress node : nodes) trace_wires(file, blocks.router(node));
  for (const sc_core::sc_object* part : blocks.get_child_objects())
    if (dynamic_cast<const FieldLink*>(part) != nullptr) trace_wires(file, *part);
  std::vector<CubeBits> fields =
      fields_of(header_for(cube(), example_source, example_destinations()));
  for (const CubeBits field : message_data()) fields.push_back(field);
  blocks.processor(example_source).send(begins - handshake, fields);
  blocks.run(last_edge + 1);
  sc_core::sc_close_vcd_trace_file(file);
}

/// The wires of the cube between edges.
class Recording {
 public:
  explicit Recording(const CubeNodes& nodes) {
    const std::string problem = in_child([&] { record(folder_.path("example"), nodes); });
    if (!problem.empty()) throw std::runtime_error(problem);
    vcd_ = read_vcd(folder_.path("example.vcd"));
  }

  /// The value from edge `edge` on.
  std::uint64_t at(const std::string& name, std::int64_t edge) const {
    return vcd_.signal("SystemC.cube." + name).number(edge * LanCube::period + 1);
  }
  int width(const std::string& name) const { return vcd_.signal("SystemC.cube." + name).width; }
  /// The name of a unit of a router.
  static std::string unit(CubeAddress node, int port) {
    return "router_" + binary(cube(), node) + ".mhu_" + std::to_string(port) + ".";
  }
  std::vector<std::string> links() const {
    std::vector<std::string> names;
    for (const auto& [name, signal] : vcd_.signals)
      if (name.find("SystemC.cube.router") != 0 && name.find(".rts") != std::string::npos)
        names.push_back(name.substr(13, name.size() - 13 - 4));
    return names;
  }
  const Vcd& vcd() const { return vcd_; }

 private:
  ScratchFolder folder_;
  Vcd vcd_;
};

/// A message in a unit, by the timeline of section 6.4.
struct Visit {
  CubeAddress node;
  int port;
  std::int64_t begins;  ///< The first field arrives.
  CubeHeader header;
  CubeDecision<CubeHeader> decision;

  std::int64_t headed() const { return begins + header.length(); }
  std::int64_t selected(std::int64_t order) const { return headed() + order * selection; }
  /// The edge at which the first field of a branch is sent.
  std::int64_t sends(std::int64_t order) const { return selected(order) + handshake; }
  std::int64_t branches() const { return static_cast<std::int64_t>(decision.branches.size()); }
  /// The first edge at which no field is on a wire.
  std::int64_t sent() const {
    std::int64_t end = decision.deliver ? sends(1) + 1 + data : 0;
    for (std::int64_t order = 1; order <= branches(); ++order)
      end = std::max(end, sends(order) + branch(order).message.length() + data);
    return end;
  }
  const CubeBranch<CubeHeader>& branch(std::int64_t order) const {
    return decision.branches[static_cast<std::size_t>(order) - 1];
  }
};

/// Adds the visits of the example, from node to node.
void visit(std::vector<Visit>& all, CubeAddress node, int port, std::int64_t when,
           const CubeHeader& header) {
  const RelayRules rules{6, false, true, TieRule::lowest()};
  const CubeDecision<CubeHeader> decision =
      relay_decision(cube(), rules, {node, port == 5, header, 0});
  const Visit here{node, port, when, header, decision};
  all.push_back(here);
  for (std::int64_t order = 1; order <= here.branches(); ++order) {
    const CubeBranch<CubeHeader>& branch = here.branch(order);
    visit(all, node ^ bit(branch.dimension), branch.dimension, here.sends(order), branch.message);
  }
}

struct Example {
  Example() {
    visit(visits, example_source, 5, begins,
          header_for(cube(), example_source, example_destinations()));
    CubeNodes nodes;
    for (const Visit& one : visits) nodes.push_back(one.node);
    recording = std::make_unique<Recording>(nodes);
  }
  std::vector<Visit> visits;
  std::unique_ptr<Recording> recording;
};

const Example& example() {
  static const Example recorded;
  return recorded;
}

MhuState expected_state(const Visit& visit, std::int64_t edge) {
  if (edge < visit.begins - 1 || edge > visit.sent()) return MhuState::wait;
  if (edge < visit.headed()) return MhuState::input;
  if (edge < visit.selected(std::max<std::int64_t>(visit.branches(), 1)))
    return MhuState::processing;
  return MhuState::output;
}

/// The rows of the Store: written one at a time, and cleared when their dimension is selected.
StoreContents expected_store(const Visit& visit, std::int64_t edge) {
  StoreContents store;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::int64_t written = visit.begins + 2 + static_cast<std::int64_t>(i);
    const bool there = i < visit.header.destinations.size() && edge >= written;
    CubeBits row = there ? visit.header.destinations[i] ^ visit.node : 0;
    for (std::int64_t order = 1; order <= visit.branches() && edge >= visit.selected(order);
         ++order)
      for (const CubeAddress served : visit.branch(order).message.destinations)
        if (i < visit.header.destinations.size() && served == visit.header.destinations[i]) row = 0;
    store.rows.push_back(row);
  }
  if (edge >= visit.headed() && edge <= visit.sent()) store.source = example_source ^ visit.node;
  return store;
}

/// A message on a link: the edge of its request, and its fields.
struct OnLink {
  std::int64_t requested;
  std::vector<CubeBits> fields;
};

std::map<std::string, OnLink> expected_passages() {
  std::map<std::string, OnLink> passages;
  const auto message = [](std::vector<CubeBits> header) {
    for (const CubeBits field : message_data()) header.push_back(field);
    return header;
  };
  for (const Visit& visit : example().visits) {
    const std::string at = binary(cube(), visit.node);
    if (visit.port == 5)
      passages["inject_" + at] = {visit.begins - handshake, message(fields_of(visit.header))};
    if (visit.decision.deliver)
      passages["eject_" + at] = {visit.selected(1), message({visit.header.last})};
    for (std::int64_t order = 1; order <= visit.branches(); ++order) {
      const CubeBranch<CubeHeader>& branch = visit.branch(order);
      const std::string to = binary(cube(), visit.node ^ bit(branch.dimension));
      passages["link_" + at + "_to_" + to] = {visit.selected(order),
                                              message(fields_of(branch.message))};
    }
  }
  return passages;
}

/// Columns 4 .. 0, from the lines that DECR drives.
std::vector<int> column_sums(const std::string& unit, std::int64_t edge) {
  std::vector<int> sums;
  for (int j = 4; j >= 0; --j) {
    const auto lines = static_cast<CubeBits>(
        example().recording->at(unit + "processing.multicaster.c_" + std::to_string(j), edge));
    REQUIRE(ones(lines) == 1);
    sums.push_back(lowest_bit(lines));
  }
  return sums;
}

CubeNodes sublist(const std::string& unit, std::int64_t edge) {
  const Recording& recording = *example().recording;
  CubeNodes list;
  for (std::uint64_t i = 0; i < recording.at(unit + "sel_k", edge); ++i)
    list.push_back(
        static_cast<CubeAddress>(recording.at(unit + "sel_addr_" + std::to_string(i), edge)));
  return list;
}

struct TableLine {
  std::vector<int> sums;
  CubeBits dimension;
  CubeNodes list;
};

/// Compares a unit's selections with a table of section 5.3.
void require_table(CubeAddress node, int port, const std::vector<TableLine>& lines) {
  const auto found = std::find_if(example().visits.begin(), example().visits.end(),
                                  [&](const Visit& one) { return one.node == node; });
  REQUIRE(found != example().visits.end());
  REQUIRE(found->port == port);
  const Recording& recording = *example().recording;
  const std::string unit = Recording::unit(node, port);
  std::int64_t order = 0;
  for (const TableLine& line : lines) {
    const std::int64_t end = found->selected(++order);
    for (std::int64_t edge = end - selection; edge < end; ++edge) {
      REQUIRE(column_sums(unit, edge) == line.sums);
      REQUIRE(recording.at(unit + "processing.y", edge) == line.dimension);
    }
    REQUIRE(recording.at(unit + "sel_valid", end) == 1);
    REQUIRE(recording.at(unit + "sel_dim", end) == line.dimension);
    REQUIRE(recording.at(unit + "processing.y_q", end) == line.dimension);
    REQUIRE(sublist(unit, end) == line.list);
  }
  REQUIRE(column_sums(unit, found->selected(order)) == std::vector<int>(5, 0));
  REQUIRE(recording.at(unit + "processing.multicaster.s", found->selected(order)) == 1);
}

}  // namespace

TEST_CASE("in the waves node 6 selects as in tables 5.2 to 5.4",
          "[timed][paper][lan_1988][lan_1988-O10]") {
  require_table(0b00110, 5,
                {{{3, 1, 3, 4, 3}, 0b00010, {20, 29, 1, 0}},
                 {{1, 0, 1, 0, 1}, 0b00001, {7}},
                 {{1, 0, 1, 0, 0}, 0b00100, {18}}});
  // The relative addresses of the selections give the neighbours 00100, 00111 and 00010.
  const Recording& recording = *example().recording;
  CubeNodes requested;
  for (std::int64_t edge = 1; edge <= last_edge; ++edge)
    for (int j = 0; j < 5; ++j) {
      const CubeAddress to = example_source ^ bit(j);
      const std::string rts = "link_00110_to_" + binary(cube(), to) + ".rts";
      if (recording.at(rts, edge) == 1 && recording.at(rts, edge - 1) == 0) requested.push_back(to);
    }
  REQUIRE(requested == CubeNodes{0b00100, 0b00111, 0b00010});
}

TEST_CASE("in the waves the nodes behind node 6 select as in section 5.3",
          "[timed][paper][lan_1988][lan_1988-O11]") {
  require_table(4, 1,
                {{{2, 1, 2, 0, 2}, 0b00001, {29, 1}},
                 {{1, 0, 1, 0, 0}, 0b00100, {0}},
                 {{1, 0, 0, 0, 0}, 0b10000, {20}}});
  require_table(5, 0, {{{1, 1, 1, 0, 0}, 0b00100, {1}}, {{1, 1, 0, 0, 0}, 0b01000, {29}}});
  require_table(2, 2, {{{1, 0, 0, 0, 0}, 0b10000, {18}}});
  require_table(13, 3, {{{1, 0, 0, 0, 0}, 0b10000, {29}}});
}

TEST_CASE("the states of all units follow the timeline, cycle by cycle",
          "[timed][paper][lan_1988]") {
  const Recording& recording = *example().recording;
  std::map<std::pair<CubeAddress, int>, const Visit*> busy;
  for (const Visit& visit : example().visits) busy[{visit.node, visit.port}] = &visit;
  REQUIRE(busy.size() == 11);
  for (const Visit& one : example().visits)
    for (int port = 0; port <= 5; ++port) {
      const std::string name = Recording::unit(one.node, port) + "state";
      REQUIRE(recording.width(name) == 2);
      const auto visit = busy.find({one.node, port});
      for (std::int64_t edge = 1; edge <= last_edge; ++edge) {
        const MhuState expected =
            visit == busy.end() ? MhuState::wait : expected_state(*visit->second, edge);
        CAPTURE(name, edge);
        REQUIRE(recording.at(name, edge) == static_cast<std::uint64_t>(expected));
      }
    }
  // Section 6.4: T_hs + H T_f + max(p T_c + T_hs + (H' + L) T_f) from WAIT to WAIT.
  const Visit& first = example().visits.front();
  REQUIRE(first.sent() + 1 - (first.begins - 1) == 2 + 8 + (30 + 2 + 3 + 32));
}

TEST_CASE("the Store, its columns, y and r of all units follow the timeline, cycle by cycle",
          "[timed][paper][lan_1988][lan_1988-O10]") {
  const Recording& recording = *example().recording;
  for (const Visit& visit : example().visits) {
    const std::string unit = Recording::unit(visit.node, visit.port) + "processing.";
    for (std::int64_t edge = 1; edge <= last_edge; ++edge) {
      CAPTURE(unit, edge);
      const StoreContents store = expected_store(visit, edge);
      const MulticasterCycle cycle = multicaster(5, store);
      for (std::size_t i = 0; i < 6; ++i)
        REQUIRE(recording.at(unit + "a_" + std::to_string(i), edge) == store.rows[i]);
      REQUIRE(recording.at(unit + "a_s", edge) == store.source);
      for (std::size_t j = 0; j < 5; ++j)
        REQUIRE(recording.at(unit + "multicaster.c_" + std::to_string(j), edge) == cycle.counts[j]);
      REQUIRE(recording.at(unit + "multicaster.s", edge) == cycle.maximum.highest);
      REQUIRE(recording.at(unit + "y", edge) == cycle.column.lowest);
      REQUIRE(recording.at(unit + "r", edge) == cycle.rows);
    }
  }
}

TEST_CASE("requests, acknowledgements and fields are on the links as in section 6.4",
          "[timed][paper][lan_1988][lan_1988-O12]") {
  const Recording& recording = *example().recording;
  std::map<std::string, OnLink> passages = expected_passages();
  REQUIRE(passages.size() == 10 + 6 + 1);  // links, receiving processors, the source
  REQUIRE(recording.links().size() == 32 * (5 + 2));
  for (const std::string& link : recording.links()) {
    const auto found = passages.find(link);
    const OnLink passage = found == passages.end() ? OnLink{last_edge + 1, {}} : found->second;
    const std::int64_t sends = passage.requested + handshake;
    const auto end = sends + static_cast<std::int64_t>(passage.fields.size());
    for (std::int64_t edge = 1; edge <= last_edge; ++edge) {
      CAPTURE(link, edge);
      const bool streams = edge >= sends && edge < end;
      REQUIRE(recording.at(link + ".rts", edge) == (edge >= passage.requested && edge < sends));
      REQUIRE(recording.at(link + ".ack", edge) == (edge > passage.requested && edge < end));
      REQUIRE(recording.at(link + ".valid", edge) == streams);
      REQUIRE(recording.at(link + ".eom", edge) == (streams && edge + 1 == end));
      if (streams)
        REQUIRE(recording.at(link + ".flit", edge) ==
                passage.fields[static_cast<std::size_t>(edge - sends)]);
    }
  }
}

TEST_CASE("when a branch starts to read, its buffer holds the fields since the header",
          "[timed][paper][lan_1988]") {
  const Visit& first = example().visits.front();
  RelayTiming timing;
  timing.data = data;
  timing.selection = {selection};
  for (std::int64_t order = 1; order <= 3; ++order) {
    const int length = first.branch(order).message.length();
    // S is the last field of the header; one edge before, the buffer has one field fewer. The
    // formula omits the handshake.
    const std::int64_t read = first.sends(order) + length - 1;
    const std::int64_t expected =
        relay_buffer_fill(timing, static_cast<int>(order), length) + handshake;
    REQUIRE(example().recording->at(Recording::unit(example_source, 5) + "level", read - 1) ==
            static_cast<std::uint64_t>(std::min(expected - 1, data + 1)));
  }
}

TEST_CASE("each destination of the example has its message at the end of the timeline",
          "[timed][paper][lan_1988][lan_1988-O11]") {
  const Recording& recording = *example().recording;
  RelayTiming timing;
  timing.selection = {selection};
  timing.handshake_time = {handshake};
  timing.data = data;
  timing.to_processor = handshake + 1;
  const RelayRules rules{6, false, true, TieRule::lowest()};
  const std::vector<RelayArrival> arrivals =
      relay_arrivals(cube(), rules, timing, example_source,
                     header_for(cube(), example_source, example_destinations()));
  REQUIRE(arrivals.size() == 6);
  for (const RelayArrival& arrival : arrivals) {
    // The last field is on the wires in the preceding cycle.
    const std::string eom = "eject_" + binary(cube(), arrival.node) + ".eom";
    REQUIRE(recording.at(eom, begins + arrival.time - 1) == 1);
    REQUIRE(recording.at(eom, begins + arrival.time) == 0);
  }
}

}  // namespace lan_waves_test
