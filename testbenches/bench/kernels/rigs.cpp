// testbenches/bench/kernels/rigs.cpp: see rigs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/kernels/rigs.hpp"

#include <array>
#include <string>

#include "testbenches/job/catalog.hpp"

namespace flitwave::bench {

namespace {

constexpr int streams = 4;
constexpr int length = 4;
const NodeId middle(4);  // of a 3x3 mesh; the node opposite to n is 8 - n

ConfigNode section(const char* text) { return ConfigNode::parse(text, "rig"); }

}  // namespace

/// Sends a flit whenever there is a credit.
class FlitSource final : public Router {
 public:
  FlitSource(const char* name, const RouterSite& site, const std::vector<Flit>& packets)
      : Router(name, site, 0, VcReallocation::non_atomic), packets_(packets) {}

  void set_flowing(bool flowing) {
    flowing_ = flowing;
    if (flowing) domain().wake(*this);
  }

 private:
  void tick() override {
    for (int port = 0; flowing_ && port < streams; ++port) {
      int& sequence = sequences_[static_cast<std::size_t>(port)];
      if (!out_port(port).can_send(0)) continue;
      const Flit packet = packets_[static_cast<std::size_t>(port)];
      out_port(port).send(
          Flit(packet.source(), packet.slot(), sequence, sequence == 0, sequence == length - 1, 0),
          0, this_cycle());
      sequence = (sequence + 1) % length;
    }
    if (flowing_) stay_awake();
  }

  std::vector<Flit> packets_;  // by port
  std::array<int, streams> sequences_{};
  bool flowing_ = false;
};

/// Takes every flit immediately.
class FlitSink final : public Router {
 public:
  FlitSink(const char* name, const RouterSite& site)
      : Router(name, site, 0, VcReallocation::non_atomic) {}

  std::int64_t taken() const { return taken_; }

 private:
  void tick() override {
    for (int port = 0; port < streams; ++port) {
      if ((arrivals_ >> port & 1) == 0) continue;
      in_port(port).accept(this_cycle());
      in_port(port).pop(0);
      ++taken_;
    }
  }

  std::int64_t taken_ = 0;
};

Rig::Rig(const char* name, bool with_router)
    : topology_(standard_catalog().topologies.bind(section("{kind: mesh, shape: [3, 3]}")).build()),
      routing_(
          standard_catalog().routings.bind(section("{kind: dimension_order}")).build(topology_)),
      model_(standard_catalog()
                 .routers.bind(section("{kind: wormhole, preset: single_cycle}"))
                 .build()),
      packets_(topology_.nodes()),
      domain_(name, Duration{1000}, Scheduling::batched) {
  const std::string own = name;
  std::vector<Flit> packets;
  RouterSite source{domain_, middle, streams, {}, {}, *routing_, packets_, 1, nullptr, {}};
  RouterSite between = source;
  RouterSite sink = source;
  for (RouterSite* site : {&source, &between, &sink}) site->rings.assign(streams, -1);
  for (int port = 0; port < streams; ++port) {
    const NodeId before = topology_.channel(topology_.channel_in(middle, PortId(port))).from;
    Packet packet;
    packet.header.source = before;
    packet.header.destination = NodeId(2 * middle.value() - before.value());
    packet.length = length;
    packets.emplace_back(before, packets_.add(packet, 1), 0, true, false, 0);
    Channel& first = add_channel(own + "_first_" + std::to_string(port));
    Channel& last = with_router ? add_channel(own + "_last_" + std::to_string(port)) : first;
    source.inputs.push_back(nullptr);
    source.outputs.push_back(&first);
    between.inputs.push_back(&first);
    between.outputs.push_back(&last);
    sink.inputs.push_back(&last);
    sink.outputs.push_back(nullptr);
  }
  source_ = std::make_unique<FlitSource>((own + "_source").c_str(), source, packets);
  if (with_router) router_ = model_.build((own + "_router").c_str(), between);
  sink_ = std::make_unique<FlitSink>((own + "_sink").c_str(), sink);
}

Rig::~Rig() = default;

Channel& Rig::add_channel(const std::string& name) {
  ChannelParams params;
  params.buffer = Flits{8};
  channels_.push_back(std::make_unique<Channel>(name.c_str(), params, domain_));
  return *channels_.back();
}

std::int64_t Rig::flow(Cycle cycles) {
  const std::int64_t before = sink_->taken();
  source_->set_flowing(true);
  sc_core::sc_start(
      sc_core::sc_time(static_cast<double>(cycles * domain_.period().picoseconds), sc_core::SC_PS));
  source_->set_flowing(false);
  domain_.rethrow();
  return sink_->taken() - before;
}

}  // namespace flitwave::bench
