// testbenches/waves/wave_plan.hpp: the signals of a wave, its file and its window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/clock/clock_domain.hpp"
#include "modules/packet/packet_pool.hpp"
#include "testbenches/waves/files/wave_file.hpp"
#include "testbenches/waves/waves.hpp"

namespace flitwave {

/// One signal of a channel end.
struct WaveSignal {
  enum class Show { bits, decimal, kind, node, state, packet };

  /// The signals that an end may have, in this order; `ready` and `credit` share a position.
  enum Place {
    state,
    valid,
    kind,
    vc,
    packet,
    sequence,
    source,
    destination,
    credit,
    credit_vc,
    request,
    request_class
  };
  /// A value per position.
  using Values = std::array<std::uint64_t, request_class + 1>;

  const char* name;
  int width;
  Show show;
};

/// The module that sends on a channel, if its state is shown.
struct WaveSender {
  Router* router = nullptr;               ///< Or
  NetworkInterface* interface = nullptr;  ///< the interface; null: neither.
  PortId port;                            ///< An output port, or an injection channel.
};

/// One end of a recorded channel.
struct WaveEnd {
  std::string scope;  ///< "testbench.netlist.tile_1_2.channel_1_2_to_2_2"
  std::string node;   ///< Label: of the router that sends or, on injection channels, receives.
  std::string title;  ///< "channel_1_2_to_2_2", "channel_1_2_to_2_2 receiving"
  ChannelEnd* wires;
  std::vector<WaveSignal> signals;  ///< In the order of WaveSignal::Place.
  WaveSender sender;
};

/// The ports of a router whose virtual channels are shown.
struct WaveRouter {
  Router* router;
  std::string node;  ///< Label.
  int network_ports;
  int vcs;
  int depth;  ///< Of a buffer. Unit: flit
  std::vector<PortId> inputs;
  std::vector<PortId> outputs;
};

/// A named time of a view.
struct WaveMarker {
  std::string name;
  std::int64_t time;  ///< Unit: ps
};

/// The event that triggers a wave; whichever is first.
struct TriggerPlan {
  std::uint64_t packet = 0;  ///< `packet_value`; 0: none.
  std::vector<NodeId> nodes;
  std::int64_t blocked = 0;  ///< 0: none. Unit: ps

  bool any() const { return packet != 0 || !nodes.empty() || blocked > 0; }
};

/// The data that the writer needs.
struct WavePlan {
  std::string path;
  WaveFormat format;
  std::int64_t from;    ///< Unit: ps.
  std::int64_t until;   ///< Unit: ps.
  std::int64_t window;  ///< 0: the whole recording is written. Unit: ps.
  TriggerPlan trigger;
  Bytes limit;
  std::int64_t period;  ///< Unit: ps.
  bool clock;           ///< Whether the clock is shown.
  std::vector<WaveEnd> ends;
  std::vector<WaveRouter> routers;
  std::vector<InnerWire> inner;
  std::vector<std::string> nodes;  ///< Labels.
  ClockDomain& domain;
  const PacketPool& packets;
};

/// Throws: ConfigError on wave.select, wave.routers, wave.trigger or wave.until, or on wave.limit
/// when the list of signals alone exceeds it.
WavePlan plan_wave(const WaveParams& params, const std::string& path, Netlist& netlist,
                   ClockDomain& domain, const PacketPool& packets);

/// The variables of a file, in this order: the signals of the ends, those of the routers, the inner
/// wires. Those of the clock follow in the file.
std::vector<WaveVariable> variables_of(const WavePlan& plan);
/// The signals of an end.
std::vector<WaveVariable> variables_of(const WaveEnd& end);
/// The variables of a router: of each virtual channel of an input its fill (unit: flit) and the
/// packet at its front, then of each virtual channel of an output the packet that holds it.
std::vector<WaveVariable> variables_of(const WaveRouter& router);
/// The names of values to which these variables refer.
WaveNames names_of(const WavePlan& plan);
/// Throws: as open_wave_file.
std::unique_ptr<WaveFile> open_wave_file(const WavePlan& plan);
/// The comment at the beginning of a file.
inline constexpr const char* wave_comment =
    "kind: 0 none, 1 body, 2 head, 3 tail, 4 single; state: 0 idle, 1 waiting_for_vc, 2 no_credit, "
    "3 lost_arbitration, 4 pipeline, 5 moving";

/// Opens the file and records until `finish`.
/// Throws: SystemFailure
std::unique_ptr<Waves> write_waves(WavePlan plan);

}  // namespace flitwave
