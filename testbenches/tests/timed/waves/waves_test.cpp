// testbenches/tests/timed/waves/waves_test.cpp: recorded waves are complete, equal under both
// schedulings, and limited.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/waves.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <unistd.h>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace flitwave::waves_test {
namespace {

namespace fs = std::filesystem;

constexpr Cycle run_cycles = 600;

/// A folder for the files of one test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("flitwave_waves_" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// As a file has it before recording starts; packets are texts.
std::string unknown_value(const std::string& signal) {
  for (const char* packet : {".packet", ".front", ".owner"})
    if (has(signal, packet)) return "sx";
  return "x";
}

/// Runs a small network and records it. `end`: time in ps at which the recording is finished, if
/// before SystemC's time.
/// Returns: the error; empty on success.
std::string record(const SmallNetworkParams& network, const WaveParams& waves,
                   const std::string& path, Cycle cycles = run_cycles,
                   std::int64_t end = INT64_MAX) {
  return in_child([&] {
    SmallNetwork small(network);
    const auto recorder =
        record_waves(waves, path, small.netlist(), small.domain(), small.packets());
    small.run(cycles);
    recorder->finish(std::min(end, picoseconds_now()));
  });
}

SmallNetworkParams network_of(Handshake handshake, Cycle latency, int vcs) {
  SmallNetworkParams params;
  params.channel.handshake = handshake;
  params.channel.latency = Cycles{latency};
  params.channel.vcs = vcs;
  return params;
}

SmallNetworkParams with(SmallNetworkParams params, Scheduling scheduling) {
  params.scheduling = scheduling;
  return params;
}

TEST_CASE("batched and per_module scheduling give the same waves and views") {
  const Handshake handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const Cycle latency = GENERATE(Cycle{1}, Cycle{3});
  const int vcs = GENERATE(1, 3);
  const Folder folder;
  for (const char* scheduling : {"batched", "plain"}) fs::create_directory(folder / scheduling);
  const SmallNetworkParams network = network_of(handshake, latency, vcs);

  REQUIRE(record(with(network, Scheduling::batched), {}, folder / "batched/wave.vcd") == "");
  REQUIRE(record(with(network, Scheduling::per_module), {}, folder / "plain/wave.vcd") == "");
  const Vcd batched = read_vcd(folder / "batched/wave.vcd");
  const Vcd plain = read_vcd(folder / "plain/wave.vcd");

  CAPTURE(names_of(handshake)[static_cast<std::size_t>(handshake)], latency, vcs);
  REQUIRE(difference(batched, plain).empty());
  REQUIRE(text_of(folder / "batched/wave.vcd") == text_of(folder / "plain/wave.vcd"));
  REQUIRE(text_of(folder / "batched/wave.gtkw") == text_of(folder / "plain/wave.gtkw"));
  const std::size_t signals_per_end = handshake == Handshake::credit ? 9 : 8;
  const std::size_t channels = 24 + 9 + 9;
  const std::size_t ends = 24 * (latency > 1 ? 2 : 1) + 9 + 9;
  const std::size_t states = channels;
  const std::size_t buffers = (24 + 9) * 2 + (24 + 9);  // per virtual channel
  const std::size_t clock = 3;
  REQUIRE(batched.signals.size() ==
          ends * signals_per_end + states + buffers * static_cast<std::size_t>(vcs) + clock);
  std::size_t all_changes = 0;
  for (const auto& entry : batched.signals) all_changes += entry.second.changes.size();
  REQUIRE(all_changes > 10'000);
}

TEST_CASE("a run that pauses within a cycle leaves the same waves in both schedulings") {
  struct Pause final : Sleeper {
    void due() override { sc_core::sc_pause(); }
  };
  const Folder folder;
  const SmallNetworkParams network = network_of(Handshake::credit, 3, 2);
  const auto record_paused = [&](Scheduling scheduling, const std::string& path) {
    return in_child([&] {
      SmallNetwork small(with(network, scheduling));
      const auto waves = record_waves({}, path, small.netlist(), small.domain(), small.packets());
      Pause pause;
      small.domain().at(150, pause);
      small.run(run_cycles);
      waves->finish(picoseconds_now());
    });
  };

  REQUIRE(record_paused(Scheduling::batched, folder / "batched.vcd") == "");
  REQUIRE(record_paused(Scheduling::per_module, folder / "plain.vcd") == "");

  const Vcd batched = read_vcd(folder / "batched.vcd");
  REQUIRE(batched.end == 150'000);
  REQUIRE(text_of(folder / "batched.vcd") == text_of(folder / "plain.vcd"));
}

TEST_CASE("a wave shows the flit on a channel, field by field") {
  const Folder folder;
  const SmallNetworkParams network = network_of(Handshake::credit, 1, 2);
  const std::string path = folder / "wave.vcd";
  const std::string problem = in_child([&] {
    SmallNetworkParams quiet = network;
    quiet.send_until = 0;
    SmallNetwork small(quiet);
    const auto waves = record_waves({}, path, small.netlist(), small.domain(), small.packets());
    small.netlist().interface(NodeId(0)).send({NodeId(2), {3}});
    small.netlist().interface(NodeId(0)).send({NodeId(1), {1}});
    small.run(60);
    waves->finish(picoseconds_now());
  });
  REQUIRE(problem == "");

  const Vcd vcd = read_vcd(path);
  const std::string scope = "netlist.tile_0_0.channel_0_0_to_1_0.";
  const VcdSignal& valid = vcd.signal(scope + "valid");
  std::vector<std::vector<std::uint64_t>> seen;
  std::string packets;
  for (std::int64_t time = 0; time < 60'000; time += 1000) {
    if (valid.number(time) == 0) continue;
    std::vector<std::uint64_t> fields;
    for (const char* field : {"kind", "sequence", "source", "destination"})
      fields.push_back(vcd.signal(scope + field).number(time));
    packets += vcd.signal(scope + "packet").at(time) + " ";
    seen.push_back(fields);
  }
  REQUIRE(seen == std::vector<std::vector<std::uint64_t>>{
                      {2, 0, 0, 2}, {1, 1, 0, 2}, {3, 2, 0, 2}, {4, 0, 0, 1}});
  REQUIRE(packets == "s0_0#0 s0_0#0 s0_0#0 s0_0#1 ");
  REQUIRE(vcd.signal(scope + "destination").width == 4);
  REQUIRE(vcd.signal(scope + "kind").at(0) == "0");
  REQUIRE(vcd.signal(scope + "vc").number(59'000) == 1);
  REQUIRE(vcd.signal(scope + "credit").changes.size() > 2);
}

TEST_CASE("a wave file has no date, and equal runs give equal files") {
  const Folder folder;
  const SmallNetworkParams network = network_of(Handshake::ready_valid, 3, 3);
  SmallNetworkParams reversed = network;
  reversed.order = BuildOrder::reversed;

  REQUIRE(record(network, {}, folder / "a.vcd") == "");
  REQUIRE(record(network, {}, folder / "b.vcd") == "");
  REQUIRE(record(reversed, {}, folder / "c.vcd") == "");

  const std::string text = text_of(folder / "a.vcd");
  REQUIRE(text.size() > 100'000);
  REQUIRE(text == text_of(folder / "b.vcd"));
  REQUIRE(text == text_of(folder / "c.vcd"));
  REQUIRE(!has(text, "$date"));
  REQUIRE(has(text, "$timescale 1 ps $end"));
}

TEST_CASE("a wave's window excludes changes before and after it, and starts with all values") {
  const Scheduling scheduling = GENERATE(Scheduling::batched, Scheduling::per_module);
  const Folder folder;
  const SmallNetworkParams network = with(network_of(Handshake::credit, 3, 1), scheduling);
  WaveParams window;
  window.from = Delay::of(Cycles{150});
  window.until = Delay::of(Duration{300'500});

  REQUIRE(record(network, {}, folder / "all.vcd") == "");
  REQUIRE(record(network, window, folder / "part.vcd") == "");
  const Vcd all = read_vcd(folder / "all.vcd");
  const Vcd part = read_vcd(folder / "part.vcd");

  REQUIRE(part.signals.size() == all.signals.size());
  for (const auto& [name, signal] : part.signals) {
    const VcdSignal& whole = all.signal(name);
    const VcdSignal::Change unknown{0, unknown_value(name)};
    std::vector<VcdSignal::Change> expected = {unknown, {150'000, whole.at(150'000)}};
    for (const VcdSignal::Change& change : whole.changes)
      if (change.time > 150'000 && change.time < 300'500) expected.push_back(change);
    CAPTURE(name);
    REQUIRE(signal.changes == expected);
  }
}

TEST_CASE("a window that starts while the network is idle shows the current values") {
  const Folder folder;
  SmallNetworkParams network = network_of(Handshake::ready_valid, 1, 2);
  network.send_until = 100;
  WaveParams window;
  window.from = Delay::of(Duration{400'250});

  REQUIRE(record(with(network, Scheduling::batched), window, folder / "batched.vcd") == "");
  REQUIRE(record(with(network, Scheduling::per_module), window, folder / "plain.vcd") == "");
  const Vcd vcd = read_vcd(folder / "batched.vcd");

  REQUIRE(text_of(folder / "batched.vcd") == text_of(folder / "plain.vcd"));
  REQUIRE(vcd.signal("netlist.tile_0_0.channel_0_0_to_1_0.ready").changes ==
          std::vector<VcdSignal::Change>{{0, "x"}, {400'250, "11"}});
}

TEST_CASE(
    "a recording that starts after the end of the run leaves no files, although time has "
    "advanced") {
  const Scheduling scheduling = GENERATE(Scheduling::batched, Scheduling::per_module);
  const Folder folder;
  SmallNetworkParams network = with(network_of(Handshake::credit, 1, 2), scheduling);
  network.send_until = 100;
  WaveParams window;
  window.from = Delay::of(Duration{550'000});

  REQUIRE(record(network, window, folder / "wave.vcd", run_cycles, 500'000) == "");
  REQUIRE(!fs::exists(folder / "wave.vcd"));
  REQUIRE(!fs::exists(folder / "wave.gtkw"));
  REQUIRE(record(network, window, folder / "open.vcd", run_cycles, 560'000) == "");
  REQUIRE(has(text_of(folder / "open.vcd"), "#550000"));
}

TEST_CASE("a wave ends with a comment when its file has reached the limit") {
  const Folder folder;
  const Handshake handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const SmallNetworkParams network = network_of(handshake, 1, 1);
  WaveParams waves;
  waves.limit = Bytes{GENERATE(60, 64, 70) * 1024};

  REQUIRE(record(network, {}, folder / "all.vcd") == "");
  REQUIRE(record(network, waves, folder / "cut.vcd") == "");
  REQUIRE(record(with(network, Scheduling::per_module), waves, folder / "plain.vcd") == "");
  const Vcd all = read_vcd(folder / "all.vcd");
  const Vcd cut = read_vcd(folder / "cut.vcd");

  REQUIRE(text_of(folder / "plain.vcd") == text_of(folder / "cut.vcd"));
  REQUIRE(has(text_of(folder / "cut.vcd"), "wave.limit, " + to_string(waves.limit)));
  REQUIRE(static_cast<std::int64_t>(fs::file_size(folder / "cut.vcd")) <= waves.limit.count);
  REQUIRE(fs::file_size(folder / "cut.vcd") > 40'000);
  REQUIRE(fs::file_size(folder / "cut.vcd") < fs::file_size(folder / "all.vcd") * 3 / 4);
  std::int64_t last = 0;
  for (const auto& entry : cut.signals) last = std::max(last, entry.second.changes.back().time);
  REQUIRE(last > 50'000);
  std::string wrong;
  for (const auto& [name, signal] : cut.signals)
    for (std::int64_t time = 0; time <= last; time += 1000)
      if (signal.at(time) != all.signal(name).at(time)) wrong = name;
  REQUIRE(wrong == "");
}

TEST_CASE("a wave that cannot be written is a system failure") {
  const Folder folder;
  const Scheduling scheduling = GENERATE(Scheduling::batched, Scheduling::per_module);
  const SmallNetworkParams network = with(network_of(Handshake::credit, 1, 1), scheduling);

  REQUIRE(record(network, {}, folder / "missing/wave.vcd") ==
          "cannot write " + (folder / "missing/wave.vcd") + ": No such file or directory");
  REQUIRE(record(network, {}, "/dev/full") == "cannot write /dev/full: No space left on device");
}

TEST_CASE("patterns select channels by their labels, and one without a match is rejected") {
  const auto selected = [](const std::vector<std::string>& patterns) {
    return in_child([&] {
      SmallNetwork small({});
      std::string labels;
      for (const int i : select_channels(small.netlist(), patterns))
        labels += small.netlist().channels()[static_cast<std::size_t>(i)].label + " ";
      throw SystemFailure(labels);
    });
  };

  REQUIRE(selected({"channel_*_to_2_2"}) == "channel_2_1_to_2_2 channel_1_2_to_2_2 ");
  REQUIRE(selected({"ejection_0_?", "injection_0_0"}) ==
          "injection_0_0 ejection_0_0 ejection_0_1 ejection_0_2 ");
  REQUIRE(selected({"*_0_0_to_*_0"}) == "channel_0_0_to_1_0 ");
  REQUIRE(selected({"*", "channel_0_0_to_1_1"}) ==
          "wave.select[1]: `channel_0_0_to_1_1` matches no channel; did you mean "
          "`channel_0_0_to_0_1`?");
  REQUIRE(
      has(selected({"link*"}), "wave.select[0]: `link*` matches no channel; channels are called"));
  REQUIRE(has(selected({}), "wave.select: no pattern is given"));
}

TEST_CASE("a window that ends before it starts is rejected") {
  const Folder folder;
  WaveParams window;
  window.from = Delay::of(Cycles{10});
  window.until = Delay::of(Duration{10'000});

  REQUIRE(record({}, window, folder / "wave.vcd") ==
          "wave.until: 10 ns is not after wave.from, 10 cycle; end the recording after its start");
  REQUIRE(!fs::exists(folder / "wave.vcd"));
}

TEST_CASE("the GTKWave file groups the signals of each channel end and names their values") {
  const Folder folder;
  SmallNetworkParams network = network_of(Handshake::credit, 2, 1);
  network.silent_until = 100;
  WaveParams waves;
  waves.select = {"channel_1_2_to_2_2"};
  waves.buffers = false;

  REQUIRE(record(network, waves, folder / "wave.vcd") == "");

  const std::string text = text_of(folder / "wave.gtkw");
  const Vcd vcd = read_vcd(folder / "wave.vcd");
  const std::string scope = "netlist.tile_1_2.channel_1_2_to_2_2.";
  std::int64_t first = 0;
  while (vcd.signal(scope + "valid").number(first) == 0) first += 1000;
  REQUIRE(first > 100'000);
  REQUIRE(has(text, "[dumpfile] \"wave.vcd\"\n"));
  REQUIRE(has(text, "[timestart] " + std::to_string(first - 1000) + "\n"));
  REQUIRE(has(text, "@800200\n-channel_1_2_to_2_2\n"));
  REQUIRE(has(text, "@800200\n-channel_1_2_to_2_2 receiving\n"));
  REQUIRE(has(text, "@28\n+{valid} " + scope + "valid\n"));
  REQUIRE(has(text, "@100002028\n^2 wave.kinds.txt\n+{kind} " + scope + "kind[2:0]\n"));
  REQUIRE(has(text, "@820\n+{packet} " + scope + "receiving.packet\n"));
  REQUIRE(has(text, "@800200\n-node 1_2\n"));
  REQUIRE(has(text, "[markername] Afirst flit\n"));
  REQUIRE(!has(text, folder / ""));
  REQUIRE(text_of(folder / "wave.kinds.txt") ==
          "000 none\n001 body\n010 head\n011 tail\n100 single\n");
  REQUIRE(has(text_of(folder / "wave.nodes.txt"), "\n0111 1_2\n"));
  REQUIRE(has(text_of(folder / "wave.states.txt"), "\n001 ?red?waiting_for_vc\n"));
}

TEST_CASE(
    "of many channels the GTKWave file opens the four with most flits, and lists them first") {
  const Folder folder;
  REQUIRE(record(network_of(Handshake::credit, 1, 1), {}, folder / "wave.vcd") == "");

  const Vcd vcd = read_vcd(folder / "wave.vcd");
  std::multimap<std::int64_t, std::string> flits;  // by number, negative
  for (const auto& [name, signal] : vcd.signals) {
    const std::size_t dot = name.rfind('.');
    if (name.substr(dot) != ".valid") continue;
    std::int64_t seen = 0;
    for (std::int64_t time = 0; time <= vcd.end; time += 1000)
      seen += signal.at(time) == "1" ? 1 : 0;
    const std::string end = name.substr(0, dot);
    flits.emplace(-seen, end.substr(end.rfind('.') + 1));
  }
  REQUIRE(flits.size() > 20);
  std::vector<std::string> groups;  // open ones, in the order of the file
  std::istringstream lines(text_of(folder / "wave.gtkw"));
  bool opens = false;
  bool closes = false;
  int closed = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_channel =
        line.find("-node") != 0 && line.find("-buffers") != 0 && line.find("-fields") != 0;
    if (opens && is_channel) groups.push_back(line.substr(1));
    if (closes && is_channel) ++closed;
    opens = line == "@800200";
    closes = line == "@c00200";
  }
  REQUIRE(groups.size() == 4);
  CHECK(closed == static_cast<int>(flits.size()) - 4);
  // Each open one has as many flits as the fourth, or more.
  const std::int64_t fourth = std::next(flits.begin(), 3)->first;
  for (const auto& [negative, end] : flits)
    if (std::count(groups.begin(), groups.end(), end) > 0) CHECK(negative <= fourth);
}

}  // namespace
}  // namespace flitwave::waves_test
