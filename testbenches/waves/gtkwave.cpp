// testbenches/waves/gtkwave.cpp: see gtkwave.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/gtkwave.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>

#include <fmt/format.h>

namespace flitwave {

namespace {

// Trace flags of GTKWave.
constexpr int decimal = 0x4;
constexpr int binary = 0x8;
constexpr int right_justified = 0x20;
constexpr int blank = 0x200;
constexpr int collapsed = 0x1000;
constexpr int translated_by_file = 0x2000;
constexpr int closed = 0x400000;
constexpr int group_begin = 0x800000;
constexpr int group_end = 0x1000000;

/// The groups that are shown open; all others are collapsed.
constexpr std::size_t most_open_groups = 4;

void write_file(const std::filesystem::path& path, const std::string& text) {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "wb"));
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fclose(file.release()) != 0)
    fail_writing(path.string());
}

/// The save file and its enumerations, stored beside the file of the wave.
struct Names {
  explicit Names(const std::string& path) : wave(path) {
    std::filesystem::path stem = wave.filename();
    if (stem.extension() == ".vcd" || stem.extension() == ".fst") stem.replace_extension();
    save = stem.string() + ".gtkw";
    kinds = stem.string() + ".kinds.txt";
    nodes = stem.string() + ".nodes.txt";
  }
  std::filesystem::path beside(const std::string& name) const { return wave.parent_path() / name; }

  std::filesystem::path wave;
  std::string save;
  std::string kinds;
  std::string nodes;
};

/// "0 none", and so on, a line per value.
std::string lines_of(const WaveNames::List& list) {
  std::string lines;
  for (std::size_t i = 0; i < list.names.size(); ++i)
    lines += fmt::format("{} {}\n", i, list.names[i]);
  return lines;
}

std::string head(const WavePlan& plan, const Names& names, std::int64_t first) {
  // A zoom of -z shows 2^z time units in 200 pixels: five cycles.
  const double zoom = -std::log2(5 * static_cast<double>(plan.period));
  const std::int64_t begin = first < 0 ? plan.from : std::max<std::int64_t>(0, first - plan.period);
  std::string text = fmt::format(
      "[*] written by flitwave\n"
      "[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[size] 1600 900\n[pos] -1 -1\n"
      "*{:.6f} {}",
      names.wave.filename().string(), names.save, begin, zoom, first);
  constexpr int named_markers = 26;
  for (int marker = 0; marker < named_markers; ++marker) text += " -1";
  return text + "\n[signals_width] 320\n[sst_expanded] 0\n";
}

void add_signal(const WaveEnd& end, const WaveSignal& signal, const Names& names,
                std::string& text) {
  using Show = WaveSignal::Show;
  const bool named = signal.show == Show::kind || signal.show == Show::node;
  const int flags = right_justified | (signal.show == Show::bits ? binary : decimal) |
                    (named ? translated_by_file : 0);
  text += fmt::format("@{:x}\n", flags);
  if (signal.show == Show::kind) text += "^1 " + names.kinds + "\n";
  if (signal.show == Show::node) text += "^2 " + names.nodes + "\n";
  text += fmt::format("+{{{}}} {}.{}", signal.name, end.scope, signal.name);
  if (signal.width > 1) text += fmt::format("[{}:0]", signal.width - 1);
  text += "\n";
}

/// A group for each module within a router, collapsed.
std::string inner_groups(const std::vector<InnerWire>& wires) {
  std::string text;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    const InnerWire& wire = wires[i];
    if (i == 0 || wires[i - 1].scope != wire.scope)
      text += fmt::format("@{:x}\n-{}\n", group_begin | blank | closed, wire.scope);
    text += fmt::format("@{:x}\n{}.{}", right_justified | binary, wire.scope, wire.name);
    text += wire.width > 1 ? fmt::format("[{}:0]\n", wire.width - 1) : "\n";
    if (i + 1 == wires.size() || wires[i + 1].scope != wire.scope)
      text += fmt::format("@{:x}\n-{}\n", group_end | blank | closed | collapsed, wire.scope);
  }
  return text;
}

/// The numbers of the ends, those with most flits first if there are too many to open all.
std::vector<std::size_t> order_of_ends(const WavePlan& plan, const WaveView& view) {
  std::vector<std::size_t> order(plan.ends.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most_open_groups) return order;
  const auto open = order.begin() + most_open_groups;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return view.flits[a] > view.flits[b]; });
  std::sort(order.begin(), open);
  std::sort(open, order.end());
  return order;
}

}  // namespace

void write_gtkwave(const WavePlan& plan, const WaveView& view) {
  const Names names(plan.path);
  std::string text = head(plan, names, view.begin);
  std::size_t shown = 0;
  for (const std::size_t number : order_of_ends(plan, view)) {
    const WaveEnd& end = plan.ends[number];
    const bool shut = shown++ >= most_open_groups;
    text += fmt::format("@{:x}\n-{}\n", group_begin | blank | (shut ? closed : 0), end.title);
    for (const WaveSignal& signal : end.signals) add_signal(end, signal, names, text);
    text +=
        fmt::format("@{:x}\n-{}\n", group_end | blank | (shut ? closed | collapsed : 0), end.title);
  }
  text += inner_groups(plan.inner);
  text += "[pattern_trace] 1\n[pattern_trace] 0\n";
  write_file(names.beside(names.save), text);
  const WaveNames values = names_of(plan);
  write_file(names.beside(names.kinds), lines_of(values.lists[kind_names]));
  write_file(names.beside(names.nodes), lines_of(values.lists[node_names]));
}

}  // namespace flitwave
