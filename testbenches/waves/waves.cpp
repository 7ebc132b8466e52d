// testbenches/waves/waves.cpp: selects what is recorded; see waves.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/waves.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "routers/verilated/lock_step.hpp"
#include "testbenches/waves/vcd_file.hpp"
#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

namespace {

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  // The position to continue from when the last star must match one more character.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

[[noreturn]] void reject(const Netlist& netlist, const std::string& pattern, std::size_t place) {
  std::vector<std::string> labels;
  for (const ChannelSite& site : netlist.channels()) labels.push_back(site.label);
  const std::string near = nearest(pattern, labels);
  const auto shown = std::min<std::size_t>(labels.size(), 3);
  throw ConfigError(
      "wave.select[" + std::to_string(place) + "]",
      detail::in_quotes(pattern) + " matches no channel",
      near.empty() ? "channels are called " +
                         detail::either({labels.begin(),
                                         labels.begin() + static_cast<std::ptrdiff_t>(shown)}) +
                         ", and so on; * matches any characters"
                   : "did you mean `" + near + "`?");
}

/// The bits of a number below `count`; at least one.
int bits_below(int count) {
  int bits = 1;
  while ((count - 1) >> bits != 0) ++bits;
  return bits;
}

std::vector<WaveSignal> signals_of(const ChannelParams& params, int nodes) {
  using Show = WaveSignal::Show;
  const int vc_bits = bits_below(params.vcs);
  const int node_bits = bits_below(nodes);
  const int class_bits = bits_below(Flit::max_vcs);  // of buffer classes
  std::vector<WaveSignal> signals = {
      {"valid", 1, Show::bits},
      {"kind", 3, Show::kind},
      {"vc", vc_bits, Show::decimal},
      {"packet", 32, Show::decimal},
      {"sequence", bits_below(static_cast<int>(Flit::max_length)), Show::decimal},
      {"source", node_bits, Show::node},
      {"destination", node_bits, Show::node},
  };
  if (params.handshake == Handshake::acknowledge) {
    signals.push_back({"answer", 1, Show::bits});
    if (params.vcs == 1)
      signals.push_back({"busy", 1, Show::bits});
    else
      signals.push_back({"slot_and_busy", vc_bits + 1, Show::decimal});
  } else if (params.handshake == Handshake::request) {
    signals.push_back({"acknowledge", 1, Show::bits});
    signals.push_back({"acknowledge_class", class_bits, Show::decimal});
    signals.push_back({"request", 1, Show::bits});
    signals.push_back({"request_class", class_bits, Show::decimal});
  } else if (params.handshake == Handshake::credit) {
    signals.push_back({"credit", 1, Show::bits});
    signals.push_back({"credit_vc", vc_bits, Show::decimal});
  } else {
    signals.push_back({"ready", params.vcs, Show::bits});
  }
  return signals;
}

/// The channels of routers that others are compared with, by those of the network.
std::multimap<const Channel*, Channel*> compared_channels(const Netlist& netlist) {
  std::multimap<const Channel*, Channel*> found;
  for (int i = 0; i < netlist.topology().nodes(); ++i)
    for (const sc_core::sc_object* child : netlist.router(NodeId(i)).get_child_objects())
      if (const auto* lock_step = dynamic_cast<const LockStep*>(child))
        for (const LockStep::Counterpart& part : lock_step->counterparts())
          found.emplace(part.observed, part.channel);
  return found;
}

/// The ends of the selected channels; those of one tile are listed together.
std::vector<WaveEnd> ends_of(const Netlist& netlist, std::vector<int> selected) {
  const std::vector<ChannelSite>& sites = netlist.channels();
  const auto site_of = [&](int i) -> const ChannelSite& { return sites[index(i)]; };
  std::stable_sort(selected.begin(), selected.end(),
                   [&](int a, int b) { return site_of(a).from < site_of(b).from; });
  const auto compared = compared_channels(netlist);
  std::vector<WaveEnd> ends;
  for (const int i : selected) {
    const ChannelSite& site = site_of(i);
    Channel& channel = *site.channel;
    const auto signals = signals_of(channel.params(), netlist.topology().nodes());
    ends.push_back({channel.name(), site.label, &channel.upstream(), signals});
    if (&channel.downstream() != &channel.upstream())
      ends.push_back({std::string(channel.name()) + ".receiving", site.label + " receiving",
                      &channel.downstream(), signals});
    const auto [first, last] = compared.equal_range(&channel);
    for (auto it = first; it != last; ++it)
      ends.push_back({it->second->name(), site.label + " compared, " + it->second->basename(),
                      &it->second->upstream(), signals});
  }
  return ends;
}

/// When a delay, which counts as cycles do, has passed; beyond the range: never. A recording from 0
/// on has the reset, too.
std::int64_t time_of(const Delay& delay, const ClockDomain& domain) {
  const std::int64_t period = domain.period().picoseconds;
  if (delay.in_cycles && delay.cycles > INT64_MAX / period - domain.reset_cycles())
    return INT64_MAX;
  const std::int64_t time = delay.exact_picoseconds(domain.period());
  const std::int64_t before = domain.time_of_edge(0);
  return time == 0 ? 0 : time > INT64_MAX - before ? INT64_MAX : time + before;
}

/// Throws: ConfigError on wave.until or wave.limit.
void check_bounds(const WaveParams& params, const WavePlan& plan) {
  if (plan.until <= plan.from)
    throw ConfigError(
        "wave.until",
        to_string(params.until) + " is not after wave.from, " + to_string(params.from),
        "end the recording after its start");
  const auto header =
      static_cast<std::int64_t>(VcdFile::header(variables_of(plan), wave_comment).size());
  if (header >= plan.limit.count)
    throw ConfigError("wave.limit",
                      "the list of signals alone takes " + std::to_string(header) + " B",
                      "raise wave.limit, or select fewer channels by wave.select");
}

}  // namespace

std::vector<int> select_channels(const Netlist& netlist, const std::vector<std::string>& patterns) {
  const std::vector<ChannelSite>& sites = netlist.channels();
  if (patterns.empty())
    throw ConfigError("wave.select", "no pattern is given", "use [\"*\"] for all channels");
  std::vector<bool> chosen(sites.size(), false);
  for (std::size_t place = 0; place < patterns.size(); ++place) {
    bool any = false;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (!matches(patterns[place], sites[i].label)) continue;
      any = chosen[i] = true;
    }
    if (!any) reject(netlist, patterns[place], place);
  }
  std::vector<int> selected;
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (chosen[i]) selected.push_back(static_cast<int>(i));
  return selected;
}

std::vector<InnerWire> select_inner_wires(const Netlist& netlist,
                                          const std::vector<ConfigNode>& routers) {
  std::vector<InnerWire> all;
  std::vector<NodeId> named;
  for (const ConfigNode& written : routers) {
    const NodeId node = netlist.topology().find(written);
    if (std::find(named.begin(), named.end(), node) != named.end())
      throw written.error("the router is named twice", "remove one");
    named.push_back(node);
    const std::vector<InnerWire> wires = inner_wires(netlist.router(node));
    if (wires.empty())
      throw written.error(
          "no signals inside the router of this node are known",
          "use a design in Verilog, or `router: {kind: greedy_multicast, detail: blocks}`, or "
          "leave out wave.routers; modules in SystemC record their own signals with sc_trace");
    all.insert(all.end(), wires.begin(), wires.end());
  }
  return all;
}

WavePlan plan_wave(const WaveParams& params, const std::string& path, Netlist& netlist,
                   ClockDomain& domain, const PacketPool& packets) {
  const Duration period = domain.period();
  std::vector<std::string> nodes;
  nodes.reserve(index(netlist.topology().nodes()));
  for (int i = 0; i < netlist.topology().nodes(); ++i)
    nodes.push_back(netlist.topology().label(NodeId(i)));
  WavePlan plan{path,
                params.format,
                time_of(params.from, domain),
                time_of(params.until, domain),
                params.window.count * period.picoseconds,
                params.limit,
                period.picoseconds,
                ends_of(netlist, select_channels(netlist, params.select)),
                select_inner_wires(netlist, params.routers),
                std::move(nodes),
                domain,
                packets};
  check_bounds(params, plan);
  require_format(params.format);
  return plan;
}

std::unique_ptr<Waves> record_waves(const WaveParams& params, const std::string& path,
                                    Netlist& netlist, ClockDomain& domain,
                                    const PacketPool& packets) {
  return write_waves(plan_wave(params, path, netlist, domain, packets));
}

}  // namespace flitwave
