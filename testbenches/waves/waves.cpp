// testbenches/waves/waves.cpp: selects what is recorded; see waves.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/waves.hpp"

#include <algorithm>
#include <string_view>

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

std::unique_ptr<Waves> record_waves(const WaveParams& params, const std::string& path,
                                    Netlist& netlist, ClockDomain& domain,
                                    const PacketPool& packets) {
  return write_waves(plan_wave(params, path, netlist, domain, packets));
}

}  // namespace flitwave
