// testbenches/job/run_params.hpp: the sections of a job that specify how it is run and recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "modules/clock/clock_domain.hpp"
#include "modules/network/netlist.hpp"

namespace flitwave {

/// Section `clock`.
struct ClockParams {
  Duration period{1000};
  Scheduling scheduling = Scheduling::batched;
  Cycles reset{1};
};
Schema<ClockParams> clock_schema();

/// The format of a wave.
enum class WaveFormat {
  vcd,  ///< Value change dump, text: IEEE 1364-2005, section 18.
  fst,  ///< Compressed, with names of values: GTKWave.
};
std::vector<std::string> names_of(WaveFormat);

/// What triggers a wave; with several, whichever is first.
struct WaveTrigger {
  static constexpr const char* example = "{packet: 3_1#17}";

  std::string packet;  ///< NODE#NUMBER; empty: none.
  std::vector<ConfigNode> nodes;
  Cycles blocked{0};  ///< 0: no.

  static Schema<WaveTrigger> schema();
};

/// Section `wave`.
struct WaveParams {
  WaveFormat format = WaveFormat::vcd;
  std::string file = "wave.vcd";
  std::vector<std::string> select{"*"};
  std::vector<ConfigNode> routers;
  bool clock = true;
  bool states = true;
  bool buffers = true;
  Delay from = Delay::of(Cycles{0});
  Delay until = Delay::of(Cycles{INT64_MAX / 4});
  Bytes limit{std::int64_t{256} << 20};
  Cycles window{0};  ///< 0: the whole recording.
  std::optional<WaveTrigger> trigger;
};
Schema<WaveParams> wave_schema();
/// Throws: ConfigError, at its position, for a wrong setting.
WaveParams read_wave(const ConfigNode& section);

/// Section `stop`.
struct StopParams {
  Delay limit = Delay::of(Cycles{std::int64_t{10'000'000'000}});
  bool saturated = false;
};
Schema<StopParams> stop_schema();

/// Section `watchdog`.
struct WatchdogParams {
  Cycles interval{1000};
  Cycles blocked_after{1000};
};
Schema<WatchdogParams> watchdog_schema();

/// When the transfers of a job's schedule may begin.
enum class PaceSetting {
  automatic,  ///< As the algorithm intends: array schedules stepped, all others at dataflow pace.
  dataflow,
  stepped,
  phased,
};
std::vector<std::string> names_of(PaceSetting);

/// What separates the steps, or phases, of a schedule with barriers.
enum class BarrierKind {
  ideal,     ///< Hardware of its own: StepBarrier.
  messages,  ///< with_message_barriers.
};
std::vector<std::string> names_of(BarrierKind);

/// How finely a network is simulated in time.
enum class Fidelity {
  signal,       ///< Flit by flit, on the wires of channels: Netlist.
  transaction,  ///< Packet by packet, without flits: TransactionNetwork.
};
std::vector<std::string> names_of(Fidelity);

/// Settings at the top of a job.
struct JobParams {
  Fidelity fidelity = Fidelity::signal;
  std::uint64_t seed = 1;
  bool allow_deadlock = false;
  bool count_deadlock = false;
  int draws = 1;
  PaceSetting pace = PaceSetting::automatic;
  BarrierKind barrier = BarrierKind::ideal;
  Delay barrier_cost = Delay::of(Cycles{0});
  BuildOrder build_order = BuildOrder::forward;
  std::uint64_t init_seed = 1;
};
Schema<JobParams> top_schema();

}  // namespace flitwave
