// testbenches/waves/wave_plan.cpp: see wave_plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_plan.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <utility>

#include "configs/error.hpp"
#include "routers/verilated/lock_step.hpp"
#include "testbenches/waves/files/vcd_file.hpp"
#include "testbenches/waves/files/wave_clock.hpp"
#include "testbenches/waves/router_watch.hpp"

namespace flitwave {

namespace {

int names_of(WaveSignal::Show show) {
  switch (show) {
    case WaveSignal::Show::kind:
      return kind_names;
    case WaveSignal::Show::node:
      return node_names;
    case WaveSignal::Show::state:
      return state_names;
    default:
      return -1;
  }
}

/// The bits of a number below `count`; at least one.
int bits_below(int count) {
  int bits = 1;
  while ((count - 1) >> bits != 0) ++bits;
  return bits;
}

/// `state`: whether the state of the channel is shown.
std::vector<WaveSignal> signals_of(const ChannelParams& params, int nodes, bool state) {
  using Show = WaveSignal::Show;
  const int vc_bits = bits_below(params.vcs);
  const int node_bits = bits_below(nodes);
  const int class_bits = bits_below(Flit::max_vcs);  // of buffer classes
  std::vector<WaveSignal> signals = {
      {"valid", 1, Show::bits},
      {"kind", 3, Show::kind},
      {"vc", vc_bits, Show::decimal},
      {"packet", 64, Show::packet},
      {"sequence", bits_below(static_cast<int>(Flit::max_length)), Show::decimal},
      {"source", node_bits, Show::node},
      {"destination", node_bits, Show::node},
  };
  if (state) signals.insert(signals.begin(), {"state", 3, Show::state});
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

/// The port of the router that sends on a channel; not of an injection channel.
PortId output_of(const Netlist& netlist, const ChannelSite& site) {
  if (site.kind == ChannelSite::Kind::network) return site.port;
  return PortId(netlist.topology().port_limit() + site.port.value());
}
/// The port of the router that receives on a channel, the one with this number among
/// Netlist::channels; not of an ejection channel.
PortId input_of(const Netlist& netlist, int number) {
  const ChannelSite& site = netlist.channels()[index(number)];
  if (site.kind == ChannelSite::Kind::network)
    return netlist.topology().channel(ChannelId(number)).to_port;
  return PortId(netlist.topology().port_limit() + site.port.value());
}

WaveSender sender_of(const Netlist& netlist, const ChannelSite& site) {
  if (site.kind == ChannelSite::Kind::injection)
    return {nullptr, &netlist.interface(site.from), site.port};
  Router& router = netlist.router(site.from);
  if (!RouterWatch::serves(router)) return {};
  return {&router, nullptr, output_of(netlist, site)};
}

/// The ends of the selected channels; those of one tile are listed together.
std::vector<WaveEnd> ends_of(const Netlist& netlist, const WaveParams& params,
                             std::vector<int> selected) {
  const std::vector<ChannelSite>& sites = netlist.channels();
  const auto site_of = [&](int i) -> const ChannelSite& { return sites[index(i)]; };
  std::stable_sort(selected.begin(), selected.end(),
                   [&](int a, int b) { return site_of(a).from < site_of(b).from; });
  const auto compared = compared_channels(netlist);
  std::vector<WaveEnd> ends;
  for (const int i : selected) {
    const ChannelSite& site = site_of(i);
    Channel& channel = *site.channel;
    const std::string node = netlist.topology().label(site.from);
    const int nodes = netlist.topology().nodes();
    const auto wires = signals_of(channel.params(), nodes, false);
    ends.push_back({channel.name(), node, site.label, &channel.upstream(),
                    signals_of(channel.params(), nodes, params.states),
                    params.states ? sender_of(netlist, site) : WaveSender{}});
    if (&channel.downstream() != &channel.upstream())
      ends.push_back({std::string(channel.name()) + ".receiving",
                      node,
                      site.label + " receiving",
                      &channel.downstream(),
                      wires,
                      {}});
    const auto [first, last] = compared.equal_range(&channel);
    for (auto it = first; it != last; ++it)
      ends.push_back({it->second->name(),
                      node,
                      site.label + " compared, " + it->second->basename(),
                      &it->second->upstream(),
                      wires,
                      {}});
  }
  return ends;
}

/// The routers that send or receive on the selected channels, in the order of their nodes.
std::vector<WaveRouter> routers_of(const Netlist& netlist, const std::vector<int>& selected) {
  std::map<NodeId, WaveRouter> found;
  const auto router_at = [&](NodeId node) -> WaveRouter& {
    Router& router = netlist.router(node);
    return found
        .try_emplace(node, WaveRouter{&router,
                                      netlist.topology().label(node),
                                      netlist.topology().port_limit(),
                                      1,
                                      1,
                                      {},
                                      {}})
        .first->second;
  };
  for (const int i : selected) {
    const ChannelSite& site = netlist.channels()[index(i)];
    const auto add = [&](NodeId node, std::vector<PortId> WaveRouter::*ports, PortId port) {
      if (!RouterWatch::serves(netlist.router(node))) return;
      WaveRouter& router = router_at(node);
      router.vcs = site.channel->params().vcs;
      router.depth = site.channel->params().depth();
      (router.*ports).push_back(port);
    };
    if (site.kind != ChannelSite::Kind::injection)
      add(site.from, &WaveRouter::outputs, output_of(netlist, site));
    if (site.kind != ChannelSite::Kind::ejection)
      add(site.to, &WaveRouter::inputs, input_of(netlist, i));
  }
  std::vector<WaveRouter> routers;
  for (auto& [node, router] : found) {
    std::sort(router.inputs.begin(), router.inputs.end());
    std::sort(router.outputs.begin(), router.outputs.end());
    routers.push_back(std::move(router));
  }
  return routers;
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

/// The packet with a name such as 3_1#17.
/// Throws: ConfigError on wave.trigger.packet.
std::uint64_t packet_named(const std::string& name, const Topology& topology) {
  const std::size_t mark = std::min(name.find('#'), name.size());
  const char* const end = name.data() + name.size();
  std::int64_t number = -1;
  const bool is_number =
      mark < name.size() && std::from_chars(name.data() + mark + 1, end, number).ptr == end;
  for (int i = 0; i < topology.nodes() && is_number && number >= 0; ++i)
    if (topology.label(NodeId(i)) == name.substr(0, mark)) return packet_value(NodeId(i), number);
  throw ConfigError("wave.trigger.packet", detail::in_quotes(name) + " is not the name of a packet",
                    "write NODE#NUMBER, e.g. " + topology.label(NodeId(0)) +
                        "#0 for the first packet of node " + topology.label(NodeId(0)));
}

TriggerPlan trigger_of(const WaveParams& params, const Topology& topology, Duration period) {
  TriggerPlan plan;
  if (!params.trigger) return plan;
  if (!params.trigger->packet.empty()) plan.packet = packet_named(params.trigger->packet, topology);
  for (const ConfigNode& node : params.trigger->nodes) plan.nodes.push_back(topology.find(node));
  plan.blocked = params.trigger->blocked.count * period.picoseconds;
  return plan;
}

/// Those of the plan, and those of the clock.
std::vector<WaveVariable> all_variables(const WavePlan& plan) {
  std::vector<WaveVariable> variables = variables_of(plan);
  if (plan.clock)
    for (const WaveVariable& variable : clock_variables(plan.domain)) variables.push_back(variable);
  return variables;
}

/// Throws: ConfigError on wave.until or wave.limit.
void check_bounds(const WaveParams& params, const WavePlan& plan) {
  if (plan.until <= plan.from)
    throw ConfigError(
        "wave.until",
        to_string(params.until) + " is not after wave.from, " + to_string(params.from),
        "end the recording after its start");
  const auto header =
      static_cast<std::int64_t>(VcdFile::header(all_variables(plan), wave_comment).size());
  if (header >= plan.limit.count)
    throw ConfigError("wave.limit",
                      "the list of signals alone takes " + std::to_string(header) + " B",
                      "raise wave.limit, or select fewer channels by wave.select");
}

}  // namespace

WavePlan plan_wave(const WaveParams& params, const std::string& path, Netlist& netlist,
                   ClockDomain& domain, const PacketPool& packets) {
  const Duration period = domain.period();
  std::vector<std::string> nodes;
  nodes.reserve(index(netlist.topology().nodes()));
  for (int i = 0; i < netlist.topology().nodes(); ++i)
    nodes.push_back(netlist.topology().label(NodeId(i)));
  const std::vector<int> selected = select_channels(netlist, params.select);
  WavePlan plan{path,
                params.format,
                time_of(params.from, domain),
                time_of(params.until, domain),
                params.window.count * period.picoseconds,
                trigger_of(params, netlist.topology(), period),
                params.limit,
                period.picoseconds,
                params.clock,
                ends_of(netlist, params, selected),
                params.buffers ? routers_of(netlist, selected) : std::vector<WaveRouter>{},
                select_inner_wires(netlist, params.routers),
                std::move(nodes),
                domain,
                packets};
  check_bounds(params, plan);
  require_format(params.format);
  return plan;
}

std::vector<WaveVariable> variables_of(const WavePlan& plan) {
  std::vector<WaveVariable> variables;
  const auto add = [&variables](std::vector<WaveVariable> its) {
    std::move(its.begin(), its.end(), std::back_inserter(variables));
  };
  for (const WaveEnd& end : plan.ends) add(variables_of(end));
  for (const WaveRouter& router : plan.routers) add(variables_of(router));
  for (const InnerWire& wire : plan.inner) variables.push_back({wire.scope, wire.name, wire.width});
  return variables;
}

std::vector<WaveVariable> variables_of(const WaveEnd& end) {
  std::vector<WaveVariable> variables;
  variables.reserve(end.signals.size());
  for (const WaveSignal& signal : end.signals)
    variables.push_back({end.scope, signal.name, signal.width, names_of(signal.show),
                         signal.show == WaveSignal::Show::packet});
  return variables;
}

std::vector<WaveVariable> variables_of(const WaveRouter& router) {
  std::vector<WaveVariable> variables;
  const auto each_vc = [&](const char* direction, PortId port, auto add) {
    const std::string scope = std::string(router.router->name()) + "." + direction + "_" +
                              port_label(port.value(), router.network_ports);
    for (int vc = 0; vc < router.vcs; ++vc)
      add(scope, router.vcs > 1 ? "_vc" + std::to_string(vc) : "");
  };
  for (const PortId input : router.inputs)
    each_vc("input", input, [&](const std::string& scope, const std::string& vc) {
      variables.push_back({scope, "fill" + vc, bits_below(router.depth + 1)});
      variables.push_back({scope, "front" + vc, 64, -1, true});
    });
  for (const PortId output : router.outputs)
    each_vc("output", output, [&](const std::string& scope, const std::string& vc) {
      variables.push_back({scope, "owner" + vc, 64, -1, true});
    });
  return variables;
}

WaveNames names_of(const WavePlan& plan) {
  return {{{"node", plan.nodes},
           {"kind", {"none", "body", "head", "tail", "single"}},
           {"state", names_of(ChannelState{})}}};
}

std::unique_ptr<WaveFile> open_wave_file(const WavePlan& plan) {
  std::unique_ptr<WaveFile> file = open_wave_file(
      plan.format, plan.path, plan.limit.count, all_variables(plan), names_of(plan), wave_comment);
  if (!plan.clock) return file;
  return with_clock(std::move(file), variables_of(plan).size(), plan.domain, plan.until);
}

}  // namespace flitwave
