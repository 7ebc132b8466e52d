// testbenches/tests/timed/kernel_trace.cpp: see kernel_trace.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/kernel_trace.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace flitwave::test {

namespace {

/// Traces the object if it is a signal of T. Returns: whether it is.
template <class T>
bool trace_signal(sc_core::sc_trace_file* file, const sc_core::sc_object& object) {
  const auto* signal = dynamic_cast<const sc_core::sc_signal_in_if<T>*>(&object);
  if (signal) sc_trace(file, signal->read(), object.name());
  return signal != nullptr;
}

/// Traces all signals in and below an object, under their full names.
void trace_signals(sc_core::sc_trace_file* file, const sc_core::sc_object& parent) {
  for (const sc_core::sc_object* object : parent.get_child_objects())
    if (!trace_signal<bool>(file, *object) && !trace_signal<Flit>(file, *object) &&
        !trace_signal<VcIndex>(file, *object) && !trace_signal<sc_dt::sc_uint_base>(file, *object))
      trace_signals(file, *object);
}

/// The kernel writes a trace file at the end of each simulated time, but not when it is paused
/// within one.
struct EndOfTime : sc_core::sc_trace_file {
  static void write(sc_core::sc_trace_file& file) { (file.*(&EndOfTime::cycle))(false); }
};

constexpr const char* ports_table = "router_ports";

/// The channels at the ports of routers: the scope of a port and that of the channel's end there.
Table ports_of(const Netlist& netlist) {
  Table table{{"direction", "port", "channel"}, {}};
  for (int i = 0; i < netlist.topology().nodes(); ++i) {
    const Router& router = netlist.router(NodeId(i));
    const int network_ports = router.ports() - netlist.local_ports(NodeId(i));
    const std::string scope = std::string(router.name()) + ".";
    for (int number = 0; number < router.ports(); ++number) {
      const PortId port(number);
      const std::string label = port_label(number, network_ports) + ".";
      if (const InputPort* const input = router.input(port)) {
        Channel& channel = input->channel();
        const bool far = &channel.upstream() != &channel.downstream();
        table.rows.push_back({"input", scope + "input_" + label,
                              std::string(channel.name()) + (far ? ".receiving." : ".")});
      }
      if (const OutputPort* const output = router.output(port))
        table.rows.push_back(
            {"output", scope + "output_" + label, std::string(output->channel().name()) + "."});
    }
  }
  return table;
}

/// Traces the testbench's netlist to `stem`.vcd until the run ends.
std::function<void(Results&)> trace_netlist(Testbench& testbench, const std::string& stem) {
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
  file->set_time_unit(1, sc_core::SC_PS);
  trace_signals(file, testbench.netlist());
  return [file, &testbench](Results& results) {
    EndOfTime::write(*file);
    sc_core::sc_close_vcd_trace_file(file);
    results.tables[ports_table] = ports_of(testbench.netlist());
  };
}

std::string binary(std::uint64_t value) {
  std::string digits;
  for (; value != 0; value >>= 1) digits.insert(digits.begin(), value % 2 == 0 ? '0' : '1');
  return digits.empty() ? "0" : digits;
}

/// The expected changes of a signal of the wave.
using History = std::map<std::int64_t, std::uint64_t>;  // by time in ps

/// The signals of one channel end, derived from the trace of its wires.
class TracedEnd {
 public:
  TracedEnd(const Vcd& trace, std::string scope) : trace_(trace), scope_(std::move(scope)) {
    decode_flits();
    for (const auto& [pulse, payload] :
         std::vector<std::pair<std::string, std::string>>{{"credit", "credit_vc"},
                                                          {"answer", "busy"},
                                                          {"answer", "slot_and_busy"},
                                                          {"acknowledge", "acknowledge_class"},
                                                          {"request", "request_class"}})
      if (has(payload)) decode_pulses(pulse, payload);
    if (has("ready_0")) join_ready();
  }

  const std::map<std::string, History>& signals() const { return signals_; }

 private:
  bool has(const std::string& wire) const { return trace_.signals.count(scope_ + wire) > 0; }
  std::uint64_t at(const std::string& wire, std::int64_t time) const {
    return trace_.signal(scope_ + wire).number(time);
  }
  std::set<std::int64_t> times(const std::vector<std::string>& wires) const {
    std::set<std::int64_t> times{0};
    for (const std::string& wire : wires)
      for (const VcdSignal::Change& change : trace_.signal(scope_ + wire).changes)
        times.insert(change.time);
    return times;
  }

  /// The layout of modules/signals/flit.hpp. Fields keep their values while no flit is valid.
  void decode_flits() {
    for (const char* field : {"kind", "vc", "sequence", "source"}) signals_[field][0] = 0;
    for (const std::int64_t time : times({"valid", "flit"})) {
      signals_["valid"][time] = at("valid", time);
      if (at("valid", time) == 0) continue;
      const std::uint64_t bits = at("flit", time);
      signals_["vc"][time] = bits % 64;
      signals_["kind"][time] = 1 + bits / 128 % 2 + 2 * (bits / 64 % 2);
      signals_["sequence"][time] = (bits >> 8) % (1 << 22);
      signals_["source"][time] = bits >> 46;
    }
  }

  void decode_pulses(const std::string& pulse, const std::string& payload) {
    signals_[payload][0] = 0;
    for (const std::int64_t time : times({pulse, payload})) {
      signals_[pulse][time] = at(pulse, time);
      if (at(pulse, time) == 1) signals_[payload][time] = at(payload, time);
    }
  }

  void join_ready() {
    std::vector<std::string> wires;
    while (has(fmt::format("ready_{}", wires.size())))
      wires.push_back(fmt::format("ready_{}", wires.size()));
    for (const std::int64_t time : times(wires)) {
      std::uint64_t bits = 0;
      for (std::size_t vc = 0; vc < wires.size(); ++vc) bits |= at(wires[vc], time) << vc;
      signals_["ready"][time] = bits;
    }
  }

  const Vcd& trace_;
  std::string scope_;
  std::map<std::string, History> signals_;
};

/// The channel of each port, by scope.
struct PortScopes {
  explicit PortScopes(const Table& table) {
    for (const auto& row : table.rows) (row[0] == "input" ? inputs : outputs)[row[1]] = row[2];
  }

  std::map<std::string, std::string> inputs;
  std::map<std::string, std::string> outputs;
};

/// Compares a wave with the trace of the same run and keeps the first difference.
class Comparison {
 public:
  Comparison(const Vcd& wave, const Vcd& trace, std::int64_t period, TracedRun& run)
      : wave_(wave), period_(period), run_(run) {
    for (const auto& [name, signal] : trace.signals) {
      const std::string own = name.substr(name.find('.') + 1);  // without the kernel's own scope
      trace_.signals.emplace(own, signal);
    }
  }

  void compare(const PortScopes& ports) {
    std::size_t compared = clock();
    compared += compare_ports(ports);
    for (const auto& entry : trace_.signals) {
      const std::string& name = entry.first;
      if (name.size() < 5 || name.compare(name.size() - 5, 5, ".flit") != 0) continue;
      const std::string scope = name.substr(0, name.size() - 4);
      if (!is_channel_end(scope)) continue;
      const TracedEnd end(trace_, scope);
      for (const auto& [signal, history] : end.signals()) compare(scope + signal, history);
      compared += end.signals().size() + 2;  // and packet, destination
      ends_.insert(scope);
      if (wave_.signals.count(scope + "state") == 0) continue;
      ++compared;
      compare_state(scope);
    }
    compared += compare_inner_wires();
    if (compared != wave_.signals.size())
      differ(fmt::format("{} signals of {} are traced", compared, wave_.signals.size()));
  }

  /// `numbers`: number of each node, by label.
  void compare_packets(const Table& log, const std::map<std::string, std::uint64_t>& numbers) {
    std::map<std::string, std::string> scopes;  // of receiving ends, by the channel's label
    for (const std::string& scope : ends_) {
      std::string channel = scope.substr(0, scope.size() - 1);
      const std::size_t far = channel.rfind(".receiving");
      if (far != std::string::npos) channel.resize(far);
      scopes[channel.substr(channel.rfind('.') + 1)] = scope;  // ascending: `receiving` is last
    }
    for (const auto& row : log.rows) {
      const std::string& scope = scopes.at(row[1]);
      const std::int64_t time = std::stoll(row[0]) * period_;
      require(scope + "valid", time, 1);
      require_text(scope + "packet", time, "s" + row[3] + "#" + row[2]);
      require(scope + "source", time, numbers.at(row[3]));
      require(scope + "destination", time, numbers.at(row[4]));
      ++run_.transits;
    }
  }

 private:
  /// Links within routers have flits, too, but are no channel ends.
  bool is_channel_end(const std::string& scope) const {
    for (const char* wire : {"credit_vc", "ready_0", "busy", "slot_and_busy", "acknowledge_class"})
      if (trace_.signals.count(scope + wire) > 0) return true;
    return false;
  }

  bool has_credits(const std::string& scope) const {
    return trace_.signals.count(scope + "credit") > 0;
  }

  /// The clock rises at each multiple of the period, from cycle 1 on. Returns: its signals.
  std::size_t clock() {
    if (wave_.signals.count(clock_ + "clk") == 0) return 0;
    std::vector<VcdSignal::Change> edges = {{0, "0"}};
    std::vector<VcdSignal::Change> cycles = {{0, "0"}};
    for (std::int64_t time = period_; time <= wave_.end; time += period_) {
      edges.push_back({time, "1"});
      cycles.push_back({time, binary(static_cast<std::uint64_t>(time / period_))});
      if (time + period_ / 2 <= wave_.end) edges.push_back({time + period_ / 2, "0"});
    }
    compare(clock_ + "clk", edges);
    compare(clock_ + "cycle", cycles);
    compare(clock_ + "reset", {{0, "1"}, {period_, "0"}});
    return 3;
  }

  /// A channel with credits moves exactly while a flit is on its wires, and has no credit only
  /// while as many flits are unacknowledged as a buffer holds.
  void compare_state(const std::string& scope) {
    const VcdSignal& state = wave_.signal(scope + "state");
    for (const VcdSignal::Change& change : state.changes) {
      const bool valid = trace_.signal(scope + "valid").at(change.time) == "1";
      const bool moves = change.value == "101";
      if (has_credits(scope) ? moves != valid : moves && !valid)
        differ(fmt::format("{}state at {} ps is {}", scope, change.time, change.value));
      if (change.value != "0" && change.value != "101") ++run_.waits;
    }
    if (!has_credits(scope)) return;
    for (const VcdSignal::Change& change : trace_.signal(scope + "valid").changes)
      if ((change.value == "1") != (state.at(change.time) == "101"))
        differ(fmt::format("{}state at {} ps is {}", scope, change.time, state.at(change.time)));
  }

  /// Returns: the number of signals of ports.
  std::size_t compare_ports(const PortScopes& ports) {
    std::size_t signals = 0;
    for (const auto& entry : wave_.signals) {
      const std::string& name = entry.first;
      const std::size_t dot = name.rfind('.') + 1;
      const std::string scope = name.substr(0, dot);
      const std::string signal =
          name.substr(dot, std::min(name.find("_vc", dot), name.size()) - dot);
      const auto input = ports.inputs.find(scope);
      const auto output = ports.outputs.find(scope);
      if (input == ports.inputs.end() && output == ports.outputs.end()) continue;
      const std::size_t vc_at = name.find("_vc", dot);
      const std::uint64_t vc = vc_at == std::string::npos ? 0 : std::stoull(name.substr(vc_at + 3));
      if (signal == "fill" && input != ports.inputs.end()) {
        if (has_credits(input->second)) compare_fill(name, input->second, vc);
        compare_front(name, scope + "front" + name.substr(dot + 4));
      } else if (signal == "owner" && output != ports.outputs.end()) {
        if (has_credits(output->second)) compare_owner(name, output->second, vc);
      } else if (signal != "front" || input == ports.inputs.end()) {
        continue;
      }
      of_ports_.insert(name);
      ++signals;
    }
    return signals;
  }
  /// A flit that was on the wires before an edge is in the buffer from the edge on, until its
  /// credit is on the wires.
  void compare_fill(const std::string& name, const std::string& scope, std::uint64_t vc) {
    std::int64_t fill = 0;
    History expected{{0, 0}};
    for (std::int64_t time = period_; time <= wave_.end; time += period_) {
      if (trace_.signal(scope + "valid").at(time - 1) == "1" &&
          trace_.signal(scope + "flit").number(time - 1) % 64 == vc)
        ++fill;
      if (trace_.signal(scope + "credit").at(time) == "1" &&
          trace_.signal(scope + "credit_vc").number(time) == vc)
        --fill;
      expected[time] = static_cast<std::uint64_t>(fill);
    }
    compare(name, expected);
  }
  /// A packet is at the front exactly while the buffer holds flits.
  void compare_front(const std::string& fill, const std::string& front) {
    for (const VcdSignal::Change& change : wave_.signal(fill).changes)
      if ((wave_.signal(front).at(change.time) == "s-") != (change.value == "0"))
        differ(fmt::format("{} at {} ps is {}", front, change.time,
                           wave_.signal(front).at(change.time)));
  }
  /// A packet whose head is on the wires owns the virtual channel, unless its tail has been sent.
  void compare_owner(const std::string& name, const std::string& scope, std::uint64_t vc) {
    for (const VcdSignal::Change& change : trace_.signal(scope + "flit").changes) {
      const std::uint64_t flit = trace_.signal(scope + "flit").number(change.time);
      const bool is_first = is_head(flit) && !is_tail(flit) && flit % 64 == vc;
      if (!is_first || trace_.signal(scope + "valid").at(change.time) != "1") continue;
      if (follows_tail(scope, change.time, flit)) continue;
      const std::string& sent = wave_.signal(scope + "packet").at(change.time);
      const std::string& owner = wave_.signal(name).at(change.time);
      ++(owner == sent ? run_.owners : run_.owners_of_copies);
      if (owner.substr(0, owner.find('#')) != sent.substr(0, sent.find('#')))
        differ(fmt::format("{} at {} ps is {}, and {} is sent", name, change.time, owner, sent));
    }
  }
  static bool is_head(std::uint64_t flit) { return (flit >> 7) % 2 == 1; }
  static bool is_tail(std::uint64_t flit) { return (flit >> 6) % 2 == 1; }
  /// Whether the tail of the flit's packet is on the wires within two cycles, so that it may have
  /// left its buffer already.
  bool follows_tail(const std::string& scope, std::int64_t time, std::uint64_t flit) const {
    for (std::int64_t later = time + period_; later <= time + 2 * period_; later += period_) {
      const std::uint64_t next = trace_.signal(scope + "flit").number(later);
      if (next >> 30 == flit >> 30 && is_tail(next)) return true;
    }
    return false;
  }

  void compare(const std::string& name, const History& expected) {
    std::vector<VcdSignal::Change> changes;
    for (const auto& [time, value] : expected)
      if (changes.empty() || changes.back().value != binary(value))
        changes.push_back({time, binary(value)});
    compare(name, changes);
  }
  void compare(const std::string& name, const std::vector<VcdSignal::Change>& expected) {
    run_.changes += expected.size();
    if (wave_.signals.count(name) == 0) return differ("the wave has no " + name);
    const std::vector<VcdSignal::Change>& found = wave_.signal(name).changes;
    for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
      const auto text = [i](const std::vector<VcdSignal::Change>& changes) {
        return i < changes.size() ? fmt::format("{} at {} ps", changes[i].value, changes[i].time)
                                  : std::string("no further change");
      };
      if (text(found) != text(expected))
        return differ(
            fmt::format("{}: {} in the wave, {} in the trace", name, text(found), text(expected)));
    }
  }
  /// Returns: the number of inner wires.
  std::size_t compare_inner_wires() {
    for (const auto& entry : wave_.signals) {
      const std::string& name = entry.first;
      const std::string scope = name.substr(0, name.rfind('.') + 1);
      if (ends_.count(scope) > 0 || scope == clock_ || of_ports_.count(name) > 0) continue;
      ++run_.inner_wires;
      if (trace_.signals.count(name) == 0)
        differ("the trace has no " + name);
      else
        compare(name, last_values(trace_.signal(name).changes));
    }
    return run_.inner_wires;
  }
  /// The last value at each time; a history, without the values within a time.
  static History last_values(const std::vector<VcdSignal::Change>& changes) {
    History history;
    for (const VcdSignal::Change& change : changes)
      history[change.time] = std::stoull(change.value, nullptr, 2);
    return history;
  }

  void require(const std::string& name, std::int64_t time, std::uint64_t value) {
    const std::uint64_t found = wave_.signal(name).number(time);
    if (found != value)
      differ(
          fmt::format("{} at {} ps: {} in the wave, {} by the flit log", name, time, found, value));
  }
  void require_text(const std::string& name, std::int64_t time, const std::string& text) {
    const std::string& found = wave_.signal(name).at(time);
    if (found != text)
      differ(fmt::format("{} at {} ps: {} in the wave, not {}", name, time, found, text));
  }
  void differ(const std::string& problem) {
    if (run_.difference.empty()) run_.difference = problem;
  }

  const Vcd& wave_;
  Vcd trace_;
  std::int64_t period_;
  TracedRun& run_;
  const std::string clock_ = "testbench.clock.";
  std::set<std::string> ends_;      // scopes of the channel ends
  std::set<std::string> of_ports_;  // signals of the ports of routers
};

/// Reads the file of node names that accompanies a wave.
std::map<std::string, std::uint64_t> node_numbers(const std::string& text) {
  std::map<std::string, std::uint64_t> numbers;
  std::istringstream in(text);
  for (std::string bits, label; in >> bits >> label;)
    numbers[label] = std::stoull(bits, nullptr, 2);
  return numbers;
}

}  // namespace

TracedRun trace_beside_wave(const Scenario& job, const Catalog& catalog) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  options.attach = [&folder](Testbench& testbench) {
    return trace_netlist(testbench, folder.path("trace"));
  };
  const Scenario traced =
      job.with("clock.scheduling", "per_module").with("observe", "[{kind: flit_log}]");
  TracedRun run;
  run.results = simulate(traced, catalog, options);
  if (!run.results.message.empty()) {
    run.difference = run.results.message;
    return run;
  }
  const Vcd wave = read_vcd(folder.path("wave.vcd"));
  const std::int64_t period = Job::read(traced, catalog).clock.period.picoseconds;
  Comparison comparison(wave, read_vcd(folder.path("trace.vcd")), period, run);
  comparison.compare(PortScopes(run.results.table(ports_table)));
  comparison.compare_packets(run.results.table("flit_log"),
                             node_numbers(folder.read("wave.nodes.txt")));
  return run;
}

}  // namespace flitwave::test
