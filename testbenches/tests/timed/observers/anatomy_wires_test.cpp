// testbenches/tests/timed/observers/anatomy_wires_test.cpp: the parts of latencies, computed again
// from wires alone.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace anatomy_wires_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The settings of a network that an observer of its wires must have.
struct Network {
  std::string router = "wormhole";
  bool clocked = false;
  int route = 0;  ///< Cycles of the stages; of clocked ones without the cycle of departure.
  int vc = 0;
  int passage = 0;
  int traversal = 0;
  int latency = 1;
  std::string handshake = "credit";
  std::string text;  ///< More settings of the router.
  int vcs = 2;
  int buffer = 4;

  bool stores() const { return router == "store_and_forward"; }
  bool circuit() const { return router == "circuit"; }
};

/// The times of a packet's flits: for flit i and position k of the route, the edge at which the
/// flit was taken there. Position 0 is the first router; the last position is the destination's
/// interface.
struct Trail {
  Cycle created = 0;
  std::vector<int> channels;                // to each position
  std::vector<std::vector<Cycle>> taken;    // Shape: [flits][positions]
  std::vector<std::vector<Cycle>> offered;  // first cycle on the wires after a position
};

struct Found {
  Cycle link = 0;
  Cycle serialisation = 0;
  Cycle stages = 0;
  Cycle blocked = 0;
  friend bool operator==(const Found& a, const Found& b) {
    return std::tie(a.link, a.serialisation, a.stages, a.blocked) ==
           std::tie(b.link, b.serialisation, b.stages, b.blocked);
  }
};

/// Follows a packet backwards from its tail, at each position to what delayed the flit last.
class Backwards {
 public:
  Backwards(const Network& network, const Trail& trail) : network_(network), trail_(trail) {}

  Found find() {
    flit_ = trail_.taken.size() - 1;
    position_ = trail_.channels.size() - 1;
    while (position_ > 0 || flit_ > 0) {
      if (position_ == 0)
        at_source();
      else
        from_wires();
    }
    return found_;
  }

 private:
  Cycle taken(std::size_t flit) const { return trail_.taken[flit][position_]; }
  /// The cycle in which a flit left the preceding position.
  Cycle left(std::size_t flit) const {
    if (network_.handshake == "ready_valid") return trail_.offered[flit][position_ - 1];
    return taken(flit) - latency() - network_.traversal;
  }
  Cycle latency() const { return position_ + 1 == trail_.channels.size() ? 1 : network_.latency; }

  /// From the arrival at a position back to the departure from the preceding one, or to the flit
  /// before.
  void from_wires() {
    const Cycle due = left(flit_) + network_.traversal + latency();
    if (taken(flit_) > due && flit_ > 0 && taken(flit_ - 1) + 1 >= due) {
      ++found_.serialisation;
      found_.blocked += taken(flit_) - taken(flit_ - 1) - 1;
      --flit_;
      return;
    }
    found_.blocked += taken(flit_) - due;
    if (position_ + 1 < trail_.channels.size()) found_.link += network_.latency;
    found_.stages += network_.traversal;
    from_buffer();
  }

  /// From the departure from a buffer back to the arrival there.
  void from_buffer() {
    const Cycle own = network_.circuit() && flit_ > 0 ? 0 : network_.passage;
    const Cycle departure = left(flit_);
    const Cycle arrival = trail_.taken[flit_][position_ - 1];
    if (flit_ > 0 && left(flit_ - 1) + 1 >= arrival + (network_.clocked ? 0 : own)) {
      const Cycle stage = network_.clocked ? own : 0;
      ++found_.serialisation;
      found_.stages += stage;
      found_.blocked += departure - left(flit_ - 1) - 1 - stage;
      --flit_;
      // Continues at the departure of the flit before.
      return from_buffer();
    }
    const Cycle stages = flit_ == 0 ? network_.route + network_.vc + own : own;
    if (network_.stores() && flit_ == 0) flit_ = trail_.taken.size() - 1;
    found_.stages += stages;
    found_.blocked += departure - trail_.taken[flit_][position_ - 1] - stages;
    --position_;
  }

  void at_source() {
    if (network_.circuit() && flit_ == 1) {  // the acknowledgement left the destination
      flit_ = 0;
      position_ = trail_.channels.size() - 1;
      return;
    }
    ++found_.serialisation;
    --flit_;
  }

  const Network& network_;
  const Trail& trail_;
  std::size_t flit_ = 0;
  std::size_t position_ = 0;
  Found found_;
};

using PacketName = std::pair<std::string, std::int64_t>;  // source, number

/// Records the transits on channels; of a circuit's probes, the last one is kept.
class Notes final : public TransitListener {
 public:
  explicit Notes(Testbench& testbench) : testbench_(testbench) {
    for (const auto kind :
         {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection})
      testbench.listen(kind, *this);
  }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const Packet& packet = testbench_.packets().packet(transit.flit);
      const std::string source = testbench_.netlist().topology().label(packet.header.source);
      Trail& trail = trails_[{source, packet.number}];
      const auto sequence = static_cast<std::size_t>(transit.flit.sequence());
      if (kind_of(transit.channel) == ChannelSite::Kind::injection && transit.flit.head()) {
        trail = {};
        trail.created = packet.created;
      }
      if (transit.flit.head()) trail.channels.push_back(transit.channel);
      if (trail.taken.size() <= sequence) {
        trail.taken.resize(sequence + 1);
        trail.offered.resize(sequence + 1);
      }
      trail.taken[sequence].push_back(cycle + 1);
      const auto first = first_offered_.find({transit.channel, transit.flit.bits()});
      if (kind_of(transit.channel) == ChannelSite::Kind::injection) continue;
      trail.offered[sequence].push_back(first == first_offered_.end() ? -1 : first->second);
      if (first != first_offered_.end()) first_offered_.erase(first);
    }
  }

  /// Records the first cycle in which a flit is offered on a channel.
  void offers(int channel, Flit flit, Cycle cycle) {
    first_offered_.try_emplace({channel, flit.bits()}, cycle);
  }

  const std::map<PacketName, Trail>& trails() const { return trails_; }

 private:
  ChannelSite::Kind kind_of(int channel) const {
    return testbench_.netlist().channels()[static_cast<std::size_t>(channel)].kind;
  }

  Testbench& testbench_;
  std::map<PacketName, Trail> trails_;
  std::map<std::pair<int, std::uint64_t>, Cycle> first_offered_;
};

/// Reports every flit that is offered on a channel's wires, taken or not.
class OfferWatcher final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OfferWatcher);
  OfferWatcher(const sc_core::sc_module_name& name, Testbench& testbench, int channel, Notes& notes)
      : sc_module(name), domain_(testbench.domain()), channel_(channel), notes_(notes) {
    Channel& watched = *testbench.netlist().channels()[static_cast<std::size_t>(channel)].channel;
    valid(watched.upstream().forward.wires().valid_wire());
    flit(watched.upstream().forward.wires().payload_wire());
    SC_METHOD(look);
    sensitive << valid << flit;
    dont_initialize();
  }

  sc_core::sc_in<bool> valid{"valid"};
  sc_core::sc_in<Flit> flit{"flit"};

 private:
  void look() {
    if (valid.read()) notes_.offers(channel_, flit.read(), domain_.now());
  }

  ClockDomain& domain_;
  int channel_;
  Notes& notes_;
};

/// Adds a table with the parts of every packet, computed from the wires.
SimulateOptions watching(const Network& network) {
  SimulateOptions options;
  options.attach = [network](Testbench& testbench) {
    auto notes = std::make_shared<Notes>(testbench);
    auto watchers = std::make_shared<std::vector<std::unique_ptr<OfferWatcher>>>();
    if (network.handshake == "ready_valid")
      for (int i = 0; i < static_cast<int>(testbench.netlist().channels().size()); ++i)
        watchers->push_back(std::make_unique<OfferWatcher>(("offers_" + std::to_string(i)).c_str(),
                                                           testbench, i, *notes));
    return [notes, watchers, network](Results& results) {
      Table table{{"source", "number", "link", "serialisation", "stages", "blocked"}, {}};
      for (const auto& [name, trail] : notes->trails()) {
        const Found found = Backwards(network, trail).find();
        table.rows.push_back({name.first, std::to_string(name.second), std::to_string(found.link),
                              std::to_string(found.serialisation), std::to_string(found.stages),
                              std::to_string(found.blocked)});
      }
      results.tables["wires"] = table;
    };
  };
  return options;
}

/// The same parts from the anatomy's table. Blocked time is the waits in routers and for space at
/// the destination.
std::map<PacketName, Found> from_anatomy(const Results& results) {
  const Table& table = results.table("anatomy_packets");
  std::vector<Found> found(table.rows.size());
  const auto add = [&](const char* name, Cycle Found::*share, Cycle Found::*wait) {
    const auto all = column(table, name);
    const auto alone = column(table, std::string(name) + "_zero_load");
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (share) found[i].*share += static_cast<Cycle>(alone[i]);
      found[i].*wait += static_cast<Cycle>(all[i] - alone[i]);
    }
  };
  for (const char* name : {"route_wait", "vc_allocation_wait", "switch_wait", "credit_wait"})
    add(name, &Found::stages, &Found::blocked);
  add("ejection", nullptr, &Found::blocked);
  add("link", &Found::link, &Found::blocked);
  add("serialisation", &Found::serialisation, &Found::blocked);
  std::map<PacketName, Found> by_name;
  for (std::size_t i = 0; i < found.size(); ++i)
    by_name[{table.rows[i][0], std::stoll(table.rows[i][2])}] = found[i];
  return by_name;
}

Network network(const std::string& router, bool clocked, int route, int vc, int passage,
                int traversal, int latency, const std::string& text = "") {
  Network made;
  made.router = router;
  made.clocked = clocked;
  made.route = route;
  made.vc = vc;
  made.passage = passage;
  made.traversal = traversal;
  made.latency = latency;
  made.text = text;
  return made;
}

Network ready_valid(int vcs, int passage) {
  Network made = network("wormhole", false, 1, 1, passage, 0, 1);
  made.handshake = "ready_valid";
  made.vcs = vcs;
  made.buffer = 3;
  return made;
}

Network circuits(const std::string& busy) {
  Network made = network("circuit", false, 1, 0, 2, 1, 2, ", busy: " + busy);
  made.handshake = "acknowledge";
  made.vcs = 1;
  return made;
}

Scenario loaded(const Network& network) {
  std::string router = fmt::format(
      "kind: {}, route_delay: {} cycle, switch_delay: {} cycle, traversal_delay: {} cycle",
      network.router, network.route, network.passage + (network.clocked ? 1 : 0),
      network.traversal);
  if (!network.circuit())
    router += fmt::format(", vc_delay: {} cycle, stages: {}",
                          network.clocked ? std::max(1, network.vc) : network.vc,
                          network.clocked ? "clocked" : "merged");
  return uniform_traffic(
      {{"topology", "{kind: mesh, shape: [3, 3]}"},
       {"router", "{" + router + network.text + "}"},
       {"channel", fmt::format("{{vcs: {}, buffer: {} flit, latency: {} cycle, handshake: {}}}",
                               network.vcs, network.buffer, network.latency, network.handshake)},
       {"traffic", fmt::format("{{rate: {} flit/node/cycle, packet: 4 flit, warmup: 0 cycle, "
                               "measure: 500 cycle, drain: 100000 cycle}}",
                               network.circuit() ? 0.06 : 0.6)},
       {"observe", "[{kind: anatomy, packets: true}]"}});
}

}  // namespace

TEST_CASE("parts from wires alone equal the anatomy's links, serialisation and blocked time",
          "[timed][anatomy]") {
  const Network seen =
      GENERATE(network("wormhole", false, 0, 0, 0, 0, 1), network("wormhole", false, 2, 1, 1, 1, 2),
               network("wormhole", false, 1, 0, 2, 1, 1, ", vc_reallocation: atomic"),
               network("wormhole", true, 1, 1, 0, 0, 1), network("wormhole", true, 2, 2, 1, 1, 2),
               network("wormhole", true, 1, 0, 0, 1, 1, ", speculative: true"),
               network("virtual_cut_through", false, 1, 1, 1, 1, 1),
               network("virtual_cut_through", true, 0, 1, 1, 0, 2),
               network("store_and_forward", false, 1, 1, 1, 1, 1),
               network("store_and_forward", true, 1, 1, 0, 1, 2), circuits("wait"),
               circuits("teardown"), ready_valid(1, 0), ready_valid(1, 2));

  const Results results = simulate(loaded(seen), standard_catalog(), watching(seen));

  INFO(seen.router << " " << seen.handshake << " clocked " << seen.clocked << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const std::map<PacketName, Found> parts = from_anatomy(results);
  const Table& wires = results.table("wires");
  Cycle blocked = 0;
  int different = 0;
  int compared = 0;
  for (const auto& row : wires.rows) {
    const auto one = parts.find({row[0], std::stoll(row[1])});
    if (one == parts.end()) continue;  // created after the measurement
    const Found found{std::stoll(row[2]), std::stoll(row[3]), std::stoll(row[4]),
                      std::stoll(row[5])};
    ++compared;
    different += found == one->second ? 0 : 1;
    blocked += found.blocked;
  }
  REQUIRE(compared > 50);
  REQUIRE(compared == static_cast<int>(parts.size()));
  // A circuit that is torn down waits at its source.
  REQUIRE((blocked > 2 * compared || seen.text == ", busy: teardown"));
  REQUIRE(different == 0);
}

}  // namespace anatomy_wires_test
