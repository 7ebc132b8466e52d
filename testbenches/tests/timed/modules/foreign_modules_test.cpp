// testbenches/tests/timed/modules/foreign_modules_test.cpp: foreign modules observe ordinary
// signals.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <tuple>

#include <systemc>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace foreign_modules_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Hashes the wires of a channel, sampled by events, by a clocked method and by a clocked thread.
class Watcher final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Watcher);
  Watcher(const sc_core::sc_module_name& name, ClockDomain& domain, ChannelEnd& end, bool clocked)
      : sc_module(name) {
    clk(domain.clk());
    reset(domain.reset);
    valid(end.forward.wires().valid_wire());
    flit(end.forward.wires().payload_wire());
    back(end.back ? end.back->wires().valid_wire() : end.ready->wire(0));
    if (clocked) {
      SC_METHOD(sample);
      sensitive << clk.pos();
      dont_initialize();
      SC_CTHREAD(count, clk.pos());
      reset_signal_is(reset, true);
    } else {
      SC_METHOD(change);
      sensitive << valid << flit << back;
      dont_initialize();
      SC_METHOD(rise);
      sensitive << valid.pos();
      dont_initialize();
    }
  }

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  sc_core::sc_in<bool> valid{"valid"};
  sc_core::sc_in<Flit> flit{"flit"};
  sc_core::sc_in<bool> back{"back"};

  std::uint64_t hash() const { return hash_ + mix(thread_hash_) + mix(rise_hash_ + 1); }

 private:
  void add(std::uint64_t what) { hash_ = mix(hash_ ^ what); }
  std::uint64_t wires() const {
    return mix(flit.read().bits()) ^ (valid.read() ? 1u : 0u) ^ (back.read() ? 2u : 0u);
  }
  void sample() { add(wires()); }
  void change() {
    add(wires() ^ mix(sc_core::sc_time_stamp().value()) ^ (valid.event() ? 4u : 0u));
  }
  // SystemC does not specify the order of processes within a delta cycle, so each has its own hash.
  void rise() {
    rise_hash_ = mix(rise_hash_ ^ sc_core::sc_time_stamp().value() ^ (valid.posedge() ? 8u : 0u));
  }
  void count() {
    thread_hash_ = 1;
    while (true) {
      wait();
      thread_hash_ = mix(thread_hash_ ^ wires());
    }
  }

  std::uint64_t hash_ = 0;
  std::uint64_t thread_hash_ = 0;
  std::uint64_t rise_hash_ = 0;
};

/// 64 watchers on the first channels of a network, every second one clocked.
SimulateOptions watched() {
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    auto watchers = std::make_shared<std::vector<std::unique_ptr<Watcher>>>();
    for (int i = 0; i < 64; ++i) {
      Channel& channel = *testbench.netlist().channels()[static_cast<std::size_t>(i)].channel;
      ChannelEnd& end = i % 3 == 0 ? channel.upstream() : channel.downstream();
      watchers->push_back(std::make_unique<Watcher>(("watcher_" + std::to_string(i)).c_str(),
                                                    testbench.domain(), end, i % 2 == 0));
    }
    return [watchers](Results& results) {
      Table table{{"hash"}, {}};
      for (const auto& watcher : *watchers) table.rows.push_back({std::to_string(watcher->hash())});
      results.tables["watchers"] = table;
    };
  };
  return options;
}

}  // namespace

TEST_CASE("64 foreign modules, 32 of them clocked, observe the same under both schedulings",
          "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const std::string latency = GENERATE(as<std::string>{}, "1 cycle", "3 cycle");
  const Scenario scenario = uniform_traffic({{"topology.shape", "[5, 5]"},
                                             {"channel.handshake", handshake},
                                             {"channel.latency", latency},
                                             {"traffic.rate", "0.3 flit/node/cycle"},
                                             {"traffic.measure", "300 cycle"},
                                             {"stop.limit", "2000 cycle"}});

  const Results batched = simulate(scenario, standard_catalog(), watched());
  const Results plain =
      simulate(scenario.with("clock.scheduling", "per_module"), standard_catalog(), watched());
  const Results unwatched = simulate(scenario);

  INFO(batched.message << plain.message);
  REQUIRE(batched.fingerprint == plain.fingerprint);
  REQUIRE(batched.fingerprint == unwatched.fingerprint);
  REQUIRE(batched.table("watchers").rows == plain.table("watchers").rows);
  const auto rows = batched.table("watchers").rows;
  REQUIRE(rows.size() == 64);
  REQUIRE(std::count(rows.begin(), rows.end(), rows.front()) == 1);
}

namespace {

/// Rebuilds the flit log of a channel from its wires alone.
class Logger final : public sc_core::sc_module {
 public:
  using Entry = std::tuple<Cycle, int, std::uint64_t>;  // cycle, channel, flit bits

  SC_HAS_PROCESS(Logger);
  Logger(const sc_core::sc_module_name& name, ClockDomain& domain, ChannelEnd& end, int channel,
         std::vector<Entry>& log)
      : sc_module(name),
        ready("ready", end.ready ? static_cast<std::size_t>(end.ready->vcs()) : 0),
        channel_(channel),
        log_(log) {
    clk(domain.clk());
    valid(end.forward.wires().valid_wire());
    flit(end.forward.wires().payload_wire());
    for (std::size_t vc = 0; vc < ready.size(); ++vc)
      ready[vc](end.ready->wire(static_cast<int>(vc)));
    SC_METHOD(sample);
    sensitive << clk.pos();
    dont_initialize();
  }

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> valid{"valid"};
  sc_core::sc_in<Flit> flit{"flit"};
  sc_core::sc_vector<sc_core::sc_in<bool>> ready;

 private:
  void sample() {
    ++edges_;
    if (!valid.read()) return;
    if (ready.size() > 0 && !ready[static_cast<std::size_t>(flit.read().vc())].read()) return;
    log_.emplace_back(edges_ - 1, channel_, flit.read().bits() & 0x3fffffff);
  }

  Cycle edges_ = 0;
  int channel_;
  std::vector<Entry>& log_;
};

}  // namespace

TEST_CASE("a foreign module with inputs on the wires rebuilds the complete flit log", "[timed]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    auto log = std::make_shared<std::vector<Logger::Entry>>();
    auto loggers = std::make_shared<std::vector<std::unique_ptr<Logger>>>();
    const auto& channels = testbench.netlist().channels();
    for (std::size_t i = 0; i < channels.size(); ++i)
      loggers->push_back(
          std::make_unique<Logger>(("logger_" + std::to_string(i)).c_str(), testbench.domain(),
                                   channels[i].channel->downstream(), static_cast<int>(i), *log));
    return [log, loggers, &channels](Results& results) {
      std::sort(log->begin(), log->end());
      Table table{{"cycle", "channel", "sequence", "vc"}, {}};
      for (const auto& [cycle, channel, bits] : *log) {
        const Flit flit = Flit::from_bits(bits);
        table.rows.push_back({std::to_string(cycle),
                              channels[static_cast<std::size_t>(channel)].label,
                              std::to_string(flit.sequence()), std::to_string(flit.vc())});
      }
      results.tables["rebuilt"] = table;
    };
  };
  const Scenario scenario = uniform_traffic({{"channel", "{vcs: 2, handshake: " + handshake + "}"},
                                             {"traffic.rate", "0.3 flit/node/cycle"},
                                             {"observe", "[{kind: flit_log}]"}});

  const Results results = simulate(scenario, standard_catalog(), options);

  REQUIRE(results.outcome == Outcome::complete);
  const Table& log = results.table("flit_log");
  const Table& rebuilt = results.table("rebuilt");
  REQUIRE(log.rows.size() > 1000);
  REQUIRE(log.rows.size() == rebuilt.rows.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    const auto& a = log.rows[i];
    const auto& b = rebuilt.rows[i];
    different += a[0] == b[0] && a[1] == b[1] && a[5] == b[2] && a[7] == b[3] ? 0 : 1;
  }
  REQUIRE(different == 0);
}

}  // namespace foreign_modules_test
