// testbenches/waves/gtkwave.cpp: see gtkwave.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/gtkwave.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "testbenches/waves/files/gtkwave_rows.hpp"
#include "testbenches/waves/files/wave_clock.hpp"

namespace flitwave {

namespace {

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
    std::filesystem::path file = wave.filename();
    if (file.extension() == ".vcd" || file.extension() == ".fst") file.replace_extension();
    stem = file.string();
  }
  std::string save() const { return stem + ".gtkw"; }
  /// Of the values of `list`, e.g. "wave.kinds.txt".
  std::string values(const WaveNames::List& list) const {
    return stem + "." + list.title + "s.txt";
  }
  std::filesystem::path beside(const std::string& name) const { return wave.parent_path() / name; }

  std::filesystem::path wave;
  std::string stem;
};

/// The colour of a name, as GTKWave reads it.
std::string colour_of(const std::string& name) {
  if (name == "no_credit" || name == "lost_arbitration") return "?orange?";
  return name == "waiting_for_vc" ? "?red?" : "";
}

/// "000 none", and so on, a line per value.
std::string lines_of(const WaveNames::List& list, int width) {
  std::string lines;
  for (std::size_t i = 0; i < list.names.size(); ++i)
    lines += fmt::format("{} {}{}\n", bits_text(i, width), colour_of(list.names[i]), list.names[i]);
  return lines;
}

std::string head(const WavePlan& plan, const Names& names, const WaveView& view) {
  // A zoom of -z shows 2^z time units in 200 pixels: five cycles.
  const double zoom = -std::log2(5 * static_cast<double>(plan.period));
  const std::int64_t first = view.begin;
  const std::int64_t begin = first < 0 ? plan.from : std::max<std::int64_t>(0, first - plan.period);
  std::string text = fmt::format(
      "[*] written by flitwave\n"
      "[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[size] 1600 900\n[pos] -1 -1\n"
      "*{:.6f} {}",
      names.wave.filename().string(), names.save(), begin, zoom, first);
  constexpr std::size_t named_markers = 26;
  for (std::size_t i = 0; i < named_markers; ++i)
    text += fmt::format(" {}", i < view.markers.size() ? view.markers[i].time : -1);
  text += "\n";
  for (std::size_t i = 0; i < std::min(named_markers, view.markers.size()); ++i)
    text += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), view.markers[i].name);
  return text + "[signals_width] 320\n[sst_expanded] 0\n";
}

/// The groups of a save file.
class Groups {
 public:
  Groups(const WavePlan& plan, const Names& names) : plan_(plan) {
    for (const WaveNames::List& list : names_of(plan).lists) files_.push_back(names.values(list));
    widths_.resize(files_.size());
  }

  const std::string& text() const { return text_; }
  /// Of the variables whose values have the names of each list; 0: there are none. Unit: bit
  const std::vector<int>& widths() const { return widths_; }

  void clock() {
    for (const WaveVariable& variable : clock_variables(plan_.domain)) add(variable);
  }
  /// The ends of a node in their order; those whose number is in `open` are first, and are open.
  void node(const std::vector<std::size_t>& ends, const std::vector<std::size_t>& open) {
    const std::string& label = plan_.ends[ends.front()].node;
    const auto is_open = [&](std::size_t end) {
      return std::find(open.begin(), open.end(), end) != open.end();
    };
    const bool shut = std::none_of(ends.begin(), ends.end(), is_open);
    begin("node " + label, shut);
    for (const bool now : {true, false})
      for (const std::size_t end : ends)
        if (is_open(end) == now) add(plan_.ends[end], !now);
    for (const WaveRouter& router : plan_.routers)
      if (router.node == label) add(router, shut);
    finish("node " + label, shut);
  }
  /// A group for each module within a router.
  void inner_wires() {
    const std::vector<InnerWire>& wires = plan_.inner;
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const InnerWire& wire = wires[i];
      if (i == 0 || wires[i - 1].scope != wire.scope) begin(wire.scope, true);
      add({wire.scope, wire.name, wire.width}, gtkwave::binary, "");
      if (i + 1 == wires.size() || wires[i + 1].scope != wire.scope) finish(wire.scope, true);
    }
  }

 private:
  void begin(const std::string& title, bool shut) { text_ += gtkwave::group_begins(title, shut); }
  void finish(const std::string& title, bool shut) { text_ += gtkwave::group_ends(title, shut); }
  void add(const WaveEnd& end, bool shut) {
    const std::vector<WaveVariable> variables = variables_of(end);
    const auto is_first = [](const WaveVariable& variable) {
      return variable.names == state_names || variable.packet || variable.names == kind_names;
    };
    begin(end.title, shut);
    for (const WaveVariable& variable : variables)
      if (is_first(variable)) add(variable);
    begin("fields", true);
    for (const WaveVariable& variable : variables)
      if (!is_first(variable)) add(variable);
    finish("fields", true);
    finish(end.title, shut);
  }
  void add(const WaveRouter& router, bool shut) {
    const std::string title = "buffers of " + router.node;
    begin(title, shut);
    const std::size_t above = std::string(router.router->name()).size() + 1;
    for (const WaveVariable& variable : variables_of(router))
      add(variable, variable.packet ? gtkwave::text : gtkwave::decimal,
          variable.scope.substr(above) + "_" + variable.name);
    finish(title, shut);
  }
  void add(const WaveVariable& variable) {
    const int number = variable.width == 1 ? gtkwave::binary : gtkwave::decimal;
    add(variable, variable.packet ? gtkwave::text : number, variable.name);
  }
  /// `alias`: the name that is shown; empty: that of the variable.
  void add(const WaveVariable& variable, int format, const std::string& alias) {
    if (variable.names < 0)
      text_ += gtkwave::flags_line(format);
    else
      add_translation(variable);
    if (!alias.empty()) text_.append("+{").append(alias).append("} ");
    text_.append(variable.scope).append(".").append(variable.name);
    if (variable.width > 1 && !variable.packet)
      text_.append("[").append(std::to_string(variable.width - 1)).append(":0]");
    text_ += "\n";
  }

  /// A file in FST has the names of values, and GTKWave ignores those of another file then.
  void add_translation(const WaveVariable& variable) {
    const auto list = index(variable.names);
    widths_[list] = variable.width;
    text_ += gtkwave::flags_line(gtkwave::binary | gtkwave::translated_by_file |
                                 gtkwave::translated_by_wave) +
             fmt::format("^{} {}\n", variable.names + 1, files_[list]);
  }

  const WavePlan& plan_;
  std::vector<std::string> files_;  // of the names of values; Shape: [WaveNames::lists]
  std::vector<int> widths_;
  std::string text_;
};

/// The numbers of the ends that are shown open: those with most flits if there are many.
std::vector<std::size_t> open_ends(const WavePlan& plan, const WaveView& view) {
  std::vector<std::size_t> order(plan.ends.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most_open_groups) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return view.flits[a] > view.flits[b]; });
  order.resize(most_open_groups);
  std::sort(order.begin(), order.end());
  return order;
}

/// The ends of each node, those of nodes with open ends first.
std::vector<std::vector<std::size_t>> ends_by_node(const WavePlan& plan,
                                                   const std::vector<std::size_t>& open) {
  std::vector<std::vector<std::size_t>> nodes;
  std::map<std::string, std::size_t> places;
  const auto ends_of = [&](std::size_t end) -> std::vector<std::size_t>& {
    const std::size_t place = places.try_emplace(plan.ends[end].node, nodes.size()).first->second;
    if (place == nodes.size()) nodes.emplace_back();
    return nodes[place];
  };
  for (const std::size_t end : open) ends_of(end);
  for (std::size_t end = 0; end < plan.ends.size(); ++end) ends_of(end).push_back(end);
  return nodes;
}

}  // namespace

void write_gtkwave(const WavePlan& plan, const WaveView& view) {
  const Names names(plan.path);
  const std::vector<std::size_t> open = open_ends(plan, view);
  Groups groups(plan, names);
  if (plan.clock) groups.clock();
  for (const std::vector<std::size_t>& ends : ends_by_node(plan, open)) groups.node(ends, open);
  groups.inner_wires();
  write_file(names.beside(names.save()),
             head(plan, names, view) + groups.text() + "[pattern_trace] 1\n[pattern_trace] 0\n");
  const std::vector<WaveNames::List> lists = names_of(plan).lists;
  for (std::size_t i = 0; i < lists.size(); ++i)
    if (groups.widths()[i] > 0)
      write_file(names.beside(names.values(lists[i])), lines_of(lists[i], groups.widths()[i]));
}

}  // namespace flitwave
