// testbenches/waves/wave_plan.hpp: which signals are recorded, when, and what they are worth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/clock/clock_domain.hpp"
#include "modules/packet/packet_pool.hpp"
#include "testbenches/waves/vcd_file.hpp"
#include "testbenches/waves/waves.hpp"

namespace flitwave {

/// One signal of a channel end.
struct WaveSignal {
  enum class Show { bits, decimal, kind, node };

  const char* name;
  int width;
  Show show;
};

/// What the signals of one channel end are worth.
class WaveSample {
 public:
  /// Places of the signals; `ready` has that of `credit`.
  enum Place {
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
  static constexpr std::size_t most = request_class + 1;

  /// Looks at the wires. Needs: called whenever they have changed, for the packet behind a flit is
  /// known only while the flit stands.
  void take(const ChannelEnd& end, const PacketPool& packets) {
    const bool stands = end.forward.valid();
    if (stands) {
      const Flit flit = end.forward.payload();
      if (values_[valid] == 0 || flit != flit_) decode(flit, packets);
    }
    values_[valid] = stands ? 1 : 0;
    if (end.ready) {
      values_[credit] = end.ready->bits();
    } else if (end.back->valid()) {
      values_[credit] = 1;
      values_[credit_vc] = end.back->payload();
    } else {
      values_[credit] = 0;
    }
    if (!end.request) return;
    values_[request] = end.request->valid() ? 1 : 0;
    if (values_[request] != 0) values_[request_class] = end.request->payload();
  }
  const std::array<std::uint64_t, most>& values() const { return values_; }

 private:
  void decode(Flit flit, const PacketPool& packets);

  Flit flit_;
  std::array<std::uint64_t, most> values_{};
};

/// One end of a recorded channel.
struct WaveEnd {
  std::string scope;  ///< "testbench.netlist.tile_1_2.channel_1_2_to_2_2"
  std::string title;  ///< "channel_1_2_to_2_2", "channel_1_2_to_2_2 receiving"
  ChannelEnd* wires;
  std::vector<WaveSignal> signals;  ///< In the order of WaveSample::Place.
};

/// All that a recorder must know.
struct WavePlan {
  std::string path;
  std::int64_t from;   ///< Unit: ps.
  std::int64_t until;  ///< Unit: ps.
  Bytes limit;
  std::int64_t period;  ///< Unit: ps.
  std::vector<WaveEnd> ends;
  std::vector<InnerWire> inner;
  std::vector<std::string> nodes;  ///< Labels.
  ClockDomain& domain;
  const PacketPool& packets;
};

/// Throws: ConfigError on wave.select, wave.routers or wave.until, or on wave.limit when the list
/// of
///   signals alone exceeds it.
WavePlan plan_wave(const WaveParams& params, const std::string& path, Netlist& netlist,
                   ClockDomain& domain, const PacketPool& packets);

/// What a file lists, in this order: the signals of the ends, then the inner wires.
std::vector<VcdFile::Variable> variables_of(const WavePlan& plan);
/// At the head of a file.
inline constexpr const char* wave_comment = "kind: 0 none, 1 body, 2 head, 3 tail, 4 single";

/// The two recorders; Waves says how they differ.
std::unique_ptr<Waves> record_batched(WavePlan plan);
std::unique_ptr<Waves> record_plain(WavePlan plan);

/// Throws: SystemFailure that tells, with the last system error, that `path` cannot be written.
[[noreturn]] void fail_writing(const std::string& path);

}  // namespace flitwave
