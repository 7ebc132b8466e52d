// testbenches/tests/cosim/planted_test.cpp: bugs in the Verilog of the wormhole router are found in
// the first cycle in which it differs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "routers/verilated/router_design.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace planted_test {

using namespace flitwave;
using test::ScratchFolder;

namespace {

/// A bug of the list, which describes the keys.
struct Bug {
  std::uint64_t number = 0;
  std::string name;
  std::string design;
  std::string compared;
  std::string alone;
};

std::vector<Bug> bugs() {
  std::ifstream in("testbenches/tests/cosim/planted/bugs");
  std::vector<Bug> all;
  for (std::string line; std::getline(in, line);) {
    const auto value = [&line](const std::string& key) -> std::optional<std::string> {
      if (line.rfind(key + ": ", 0) != 0) return std::nullopt;
      return line.substr(key.size() + 2);
    };
    if (const auto name = value("name"))
      all.push_back({all.size() + 1, *name, "", "", ""});
    else if (const auto design = value("design"))
      all.back().design = *design;
    else if (const auto compared = value("compared"))
      all.back().compared = *compared;
    else if (const auto alone = value("alone"))
      all.back().alone = *alone;
  }
  return all;
}

/// The design with a bug, as the model `planted`.
class Planted {
 public:
  Planted(const std::string& handshake, std::uint64_t bug) {
    RouterDesign design = *RouterDesigns::find("planted_" + handshake);
    design.name = "planted";
    for (ConstantPins& constant : design.constants)
      if (design.pins[static_cast<std::size_t>(constant.bits.pin)].name == "bug")
        constant.number = bug;
    RouterDesigns::add(design);
  }
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;
  ~Planted() { RouterDesigns::remove("planted"); }
};

/// Routers in C++ everywhere; `slot`: the settings of the router at node 1_1, empty for the same.
Scenario job(const std::string& handshake, const std::string& slot) {
  const bool credit = handshake == "credit";
  const std::string delays = fmt::format(
      "route_delay: {} cycle, vc_delay: 0 cycle, switch_delay: 0 cycle, "
      "traversal_delay: 0 cycle",
      credit ? 1 : 0);
  std::string text = slot;
  if (const auto place = text.find("WORMHOLE"); place != std::string::npos)
    text.replace(place, 8, "{kind: wormhole, preset: pipelined, " + delays + "}");
  return Scenario::parse(fmt::format(
      "scenario: planted\nclock: {{period: 1 ns}}\n"
      "topology: {{kind: {}, shape: {}}}\n"
      "channel: {{handshake: {}, vcs: {}, buffer: 3 flit}}\n"
      "router: {{kind: wormhole, preset: pipelined, {}{}}}\n"
      "traffic: {{packet: 3 flit, rate: 0.25 flit/node/cycle, warmup: 20 cycle, measure: 600 "
      "cycle}}\n"
      "wave: {{clock: false, states: false, buffers: false, "
      "select: [channel_1_1_to_*, channel_*_to_1_1, injection_1_1, ejection_1_1]}}\n"
      "stop: {{limit: 20000 cycle}}\n",
      credit ? "torus" : "mesh", credit ? "[4, 4]" : "[3, 3]", handshake, credit ? 2 : 1, delays,
      text.empty() ? "" : ", at: [{nodes: [[1, 1]], " + text + "}]"));
}

struct Run {
  Results results;
  Vcd wave;
};

Run run(const Scenario& scenario) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  Run made{simulate(scenario, standard_catalog(), options), {}};
  if (folder.has("wave.vcd")) made.wave = read_vcd(options.wave_path);
  return made;
}

constexpr std::int64_t period = 1000;  // ps

/// The number of nodes along dimension 0.
int width_of(const std::string& handshake) { return handshake == "credit" ? 4 : 3; }

/// "channel_1_1_to_2_1.valid" of "testbench.netlist.tile_1_1.channel_1_1_to_2_1.valid"
std::string short_name(const std::string& name) {
  return name.substr(name.rfind('.', name.rfind('.') - 1) + 1);
}

/// The first time at which two waves differ, and the values of both of the signals that differ
/// then.
struct Difference {
  std::int64_t time = -1;
  std::map<std::string, std::pair<std::string, std::string>> values;
};

/// Differences before `end`.
Difference first_difference(const Vcd& left, const Vcd& right, std::int64_t end) {
  Difference found;
  std::set<std::int64_t> times;
  for (const Vcd* wave : {&left, &right})
    for (const auto& entry : wave->signals)
      for (const auto& change : entry.second.changes) times.insert(change.time);
  for (const std::int64_t time : times) {
    if (time < period) continue;  // before reset, signals of SystemC modules are 0
    if (time >= end) break;
    for (const auto& [name, signal] : left.signals) {
      const std::string& other = right.signal(name).at(time);
      if (signal.at(time) != other) found.values[short_name(name)] = {signal.at(time), other};
    }
    if (found.values.empty()) continue;
    found.time = time;
    break;
  }
  return found;
}

/// "cycle 8: router_1_1 (planted) compared with wormhole, output 0: valid: expected 0, found 1
/// (...)"
struct Message {
  explicit Message(const std::string& text) {
    static const std::regex pattern(
        "cycle ([0-9]+): router_1_1 \\(planted\\)( compared with wormhole)?"
        "(?:, (output|input) ([a-z0-9_]+))?: ([^:]+): expected (.*), found (.*?)"
        "(?: \\(((?:packet|vc) [^()]*)\\))?");
    std::smatch parts;
    is_whole = std::regex_match(text, parts, pattern);
    if (!is_whole) return;
    cycle = std::stoll(parts[1]);
    by_comparison = parts[2].matched;
    output = parts[3] == "output";
    port = parts[4];
    field = parts[5];
    expected = parts[6];
    found = parts[7];
    subject = parts[8];
  }

  std::int64_t time() const { return cycle * period; }
  /// The channel of the port.
  std::string channel() const {
    if (port == "local_0") return output ? "ejection_1_1" : "injection_1_1";
    const std::string other = std::map<std::string, std::string>{
        {"0", "2_1"},
        {"1", "0_1"},
        {"2", "1_2"},
        {"3", "1_0"}}.at(port);
    return output ? "channel_1_1_to_" + other : "channel_" + other + "_to_1_1";
  }

  bool is_whole = false;
  std::int64_t cycle = 0;
  bool by_comparison = false;
  bool output = false;
  std::string port, field, expected, found, subject;
};

/// A signal, such as "channel_1_1_to_2_1.valid".
const VcdSignal& signal(const Vcd& wave, const std::string& name) {
  for (const auto& [full, signal] : wave.signals)
    if (short_name(full) == name && full.find(".compared.") == std::string::npos) return signal;
  throw VcdError("there is no signal " + name);
}
std::uint64_t value(const Vcd& wave, const std::string& name, std::int64_t time) {
  return signal(wave, name).number(time);
}

/// "17" of the packet "s3_1#17" on a channel
std::string packet_number(const Vcd& wave, const std::string& channel, std::int64_t time) {
  const std::string name = signal(wave, channel + ".packet").at(time);
  return name.substr(name.find('#') + 1);
}

/// The flit on a channel, as messages have it, without the length of its packet; "" for none.
std::string flit_on(const Vcd& wave, const std::string& channel, std::int64_t time, int width) {
  const auto get = [&](const char* name) { return value(wave, channel + "." + name, time); };
  const auto label = [&](const char* name) {
    const int node = static_cast<int>(get(name));
    return fmt::format("{}_{}", node % width, node / width);
  };
  if (get("valid") == 0) return "";
  return fmt::format("packet {} from {} to {}, flit {}", packet_number(wave, channel, time),
                     label("source"), label("destination"), get("sequence"));
}

std::string without_length(const std::string& flit) { return flit.substr(0, flit.rfind(" of ")); }

/// What a wave has in the place of `expected` and `found` of a message of the comparison.
std::string in_wave(const Vcd& wave, const Message& message, int width) {
  const std::string channel = message.channel();
  if (message.field == "flit") return flit_on(wave, channel, message.time(), width);
  std::string name = message.field;
  int bit = 0;
  if (const auto bracket = name.find('['); bracket != std::string::npos) {
    bit = std::stoi(name.substr(bracket + 1));
    name.resize(bracket);
  }
  std::replace(name.begin(), name.end(), ' ', '_');
  const std::uint64_t number = value(wave, channel + "." + name, message.time());
  return std::to_string(name == "ready" ? number >> bit & 1 : number);
}

std::string at_slot(const std::string& adapter, const std::string& settings = "") {
  return "kind: verilated, model: planted, adapter: " + adapter + settings;
}
const std::string compared_with = ", compare_with: WORMHOLE";

/// What the comparison has reported is the first difference of the two waves.
void check_reported(const Message& message, const Difference& difference, const Vcd& reference,
                    const Vcd& alone, int width) {
  CHECK(message.by_comparison);
  REQUIRE(message.time() == difference.time);
  REQUIRE(!message.port.empty());
  const auto flit_text = [&](const std::string& text) {
    return message.field == "flit" ? without_length(text) : text;
  };
  CHECK(flit_text(message.expected) == in_wave(reference, message, width));
  CHECK(flit_text(message.found) == in_wave(alone, message, width));
  CHECK(message.expected != message.found);
  if (message.subject.empty()) return;
  if (message.field == "credit") {
    const Vcd& credited = message.found == "1" ? alone : reference;
    const std::uint64_t vc = value(credited, message.channel() + ".credit_vc", message.time());
    CHECK(message.subject == fmt::format("vc {}", vc));
    return;
  }
  const std::string with = flit_on(reference, message.channel(), message.time(), width);
  const std::string without = flit_on(alone, message.channel(), message.time(), width);
  CHECK(without_length(message.subject) == (without.empty() ? with : without));
}

/// What the checks of the router's outputs have reported is not in the wave of a router without
/// bugs.
void check_absent(const Message& message, const Vcd& reference, int width) {
  if (message.port.empty()) return;
  const std::string channel = message.channel();
  if (!message.output) {
    CHECK(value(reference, channel + (message.field == "credit" ? ".credit" : ".ready"),
                message.time()) != static_cast<std::uint64_t>(message.found[0] - '0'));
    return;
  }
  const std::string flit = flit_on(reference, channel, message.time(), width);
  const bool same_vc =
      message.field != "vc" || flit.empty() ||
      std::to_string(value(reference, channel + ".vc", message.time())) == message.found;
  const std::string sent = message.subject.empty() ? message.found : message.subject;
  CHECK((flit != without_length(sent) || !same_vc));
}

}  // namespace

TEST_CASE("a copy of the router in Verilog without a bug equals the router in C++", "[cosim]") {
  const std::string handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  CAPTURE(handshake, adapter);
  const Planted planted(handshake, 0);
  const Run reference = run(job(handshake, ""));
  const Run compared = run(job(handshake, at_slot(adapter, compared_with)));
  INFO(compared.results.message);
  CHECK(compared.results.outcome == Outcome::complete);
  CHECK(compared.results.fingerprint == reference.results.fingerprint);
  const Difference difference =
      first_difference(reference.wave, run(job(handshake, at_slot(adapter))).wave, INT64_MAX);
  const std::string differs = difference.values.empty() ? "" : difference.values.begin()->first;
  const std::string values = differs.empty() ? ""
                                             : difference.values.begin()->second.first + " and " +
                                                   difference.values.begin()->second.second;
  CAPTURE(differs, values);
  CHECK(difference.time == -1);
}

TEST_CASE("every planted bug is found in the first cycle in which the router differs", "[cosim]") {
  REQUIRE(bugs().size() >= 10);
  const Bug bug = GENERATE(from_range(bugs()));
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  CAPTURE(bug.name, adapter);
  const Planted planted(bug.design, bug.number);
  const int width = width_of(bug.design);
  const Run reference = run(job(bug.design, ""));
  const Run alone = run(job(bug.design, at_slot(adapter)));
  const Run compared = run(job(bug.design, at_slot(adapter, compared_with)));
  CAPTURE(alone.results.message, compared.results.message);

  CHECK(reference.results.outcome == Outcome::complete);
  CHECK(compared.results.outcome == Outcome::design_error);
  CHECK(exit_code(compared.results.outcome) == 4);
  const Message message(compared.results.message);
  REQUIRE(message.is_whole);
  CHECK(std::regex_search(compared.results.message,
                          std::regex("\\(planted\\),? " + bug.compared + "$")));

  // Without the comparison: an error of its own, or other times.
  const Message own(alone.results.message);
  if (bug.alone == "completes") {
    CHECK(alone.results.outcome == Outcome::complete);
    CHECK(alone.results.fingerprint != reference.results.fingerprint);
  } else {
    CHECK(alone.results.outcome == Outcome::design_error);
    REQUIRE(own.is_whole);
    CHECK(
        std::regex_search(alone.results.message, std::regex("\\(planted\\), " + bug.alone + "$")));
  }

  const std::int64_t end = own.is_whole ? own.time() : INT64_MAX;
  const Difference difference = first_difference(reference.wave, alone.wave, end);
  if (difference.time >= 0) {
    check_reported(message, difference, reference.wave, alone.wave, width);
  } else {
    // The run ends in the cycle of the first difference, before it is on the wires.
    CHECK(!message.by_comparison);
    CHECK(compared.results.message == alone.results.message);
    check_absent(message, reference.wave, width);
  }
}

TEST_CASE("the window of a wave shows the wires of both routers around their difference",
          "[cosim]") {
  const std::string adapter = GENERATE(as<std::string>{}, "evaluated", "pins");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  CAPTURE(adapter, scheduling);
  const std::vector<Bug> all = bugs();
  const auto bug = std::find_if(all.begin(), all.end(), [](const Bug& candidate) {
    return candidate.name == "the pointer of the arbiters is stuck";
  });
  REQUIRE(bug != all.end());
  const Planted planted("credit", bug->number);
  const Run ended = run(job("credit", at_slot(adapter, compared_with))
                            .with("wave.window", "20 cycle")
                            .with("clock.scheduling", scheduling));
  CAPTURE(ended.results.message);
  const Message message(ended.results.message);
  REQUIRE(message.is_whole);
  REQUIRE(message.by_comparison);
  REQUIRE(message.field == "vc");

  const Vcd& wave = ended.wave;
  REQUIRE(wave.signals.size() > 0);
  const std::int64_t begin = wave.end - 20 * period;
  CHECK(wave.end == message.time() + 3 * period);  // the second router is two cycles late
  const std::string compared = "testbench.netlist.tile_1_1.router_1_1.compared.";
  int signals = 0;
  int differences = 0;
  for (int port = 0; port < 5; ++port) {
    Message place = message;
    place.output = true;
    place.port = port < 4 ? std::to_string(port) : "local_0";
    for (const char* name : {"valid", "vc"}) {
      const VcdSignal& second = wave.signal(compared + "from_" + place.port + "." + name);
      for (std::int64_t time = begin; time <= message.time(); time += period) {
        CAPTURE(place.port, name, time);
        const std::uint64_t valid = value(wave, place.channel() + ".valid", time);
        const bool differs =
            time == message.time() && place.port == message.port && message.field == name;
        const std::uint64_t first = value(wave, place.channel() + "." + name, time);
        if (differs || (time < message.time() && (valid != 0 || name == std::string("valid"))))
          CHECK((first != second.number(time + period)) == differs);
        if (differs) {
          CHECK(message.found == std::to_string(first));
          CHECK(message.expected == std::to_string(second.number(time + period)));
          ++differences;
        }
        signals += valid != 0 ? 1 : 0;
      }
    }
    place.output = false;
    const VcdSignal& credit = wave.signal(compared + "to_" + place.port + ".credit");
    for (std::int64_t time = begin; time < message.time(); time += period)
      CHECK(value(wave, place.channel() + ".credit", time) == credit.number(time + period));
  }
  CHECK(signals > 10);
  CHECK(differences == 1);
}

}  // namespace planted_test
