// testbenches/job/run_params.cpp: see run_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/run_params.hpp"

#include "configs/section_codec.hpp"

namespace flitwave {

std::vector<std::string> names_of(PaceSetting) {
  return {"automatic", "dataflow", "stepped", "phased"};
}
std::vector<std::string> names_of(BarrierKind) { return {"ideal", "messages"}; }
std::vector<std::string> names_of(Fidelity) { return {"signal", "transaction"}; }

Schema<JobParams> top_schema() {
  return Schema<JobParams>{}
      .optional("fidelity", &JobParams::fidelity,
                "how finely the network is simulated: signal: each flit on the wires of channels; "
                "transaction: packets reserve channels in order, without flits, which is faster "
                "and not exact under load")
      .optional("seed", &JobParams::seed, "makes every random choice of the run repeatable")
      .optional("allow_deadlock", &JobParams::allow_deadlock,
                "run even if the dependency check finds a cycle")
      .optional("count_deadlock", &JobParams::count_deadlock,
                "with allow_deadlock: a run that ends in a deadlock is complete and does not fail, "
                "with the metric deadlocked: 1")
      .optional("draws", &JobParams::draws,
                "how often the job is evaluated, with other random choices each time; of each "
                "metric the mean is reported, with NAME.min, NAME.max and NAME.sd",
                between(1, 1'000'000))
      .optional("pace", &JobParams::pace,
                "when transfers of the schedule begin: as soon as their senders have the data "
                "(dataflow), step by step (stepped), or phase by phase where the algorithm "
                "has phases (phased); automatic: as the algorithm intends")
      .optional("barrier", &JobParams::barrier,
                "what separates steps or phases: ideal, which sends nothing, or, steps only, "
                "messages, a dissemination barrier among the nodes that take part")
      .optional("barrier_cost", &JobParams::barrier_cost,
                "time that an ideal barrier takes after each step or phase, beside one cycle",
                at_least(0))
      .optional("build_order", &JobParams::build_order,
                "in which order modules are created; it changes no result")
      .optional("init_seed", &JobParams::init_seed,
                "seed of the initial values of registers in RTL that are not initialized; with a "
                "correct reset it changes no result, see `flitwave run --init-seeds`");
}

Schema<ClockParams> clock_schema() {
  return Schema<ClockParams>{}
      .optional("period", &ClockParams::period, "length of a clock cycle", between(2, 1e12))
      .optional("scheduling", &ClockParams::scheduling,
                "batched: fast; per_module: one process per module on plain signals, the oracle")
      .optional("reset", &ClockParams::reset,
                "rising edges at which the wire `reset` is high; cycle 1 is the last of them",
                between(1, 10'000));
}

std::vector<std::string> names_of(WaveFormat) { return {"vcd", "fst"}; }

Schema<WaveTrigger> WaveTrigger::schema() {
  return Schema<WaveTrigger>{}
      .optional("packet", &WaveTrigger::packet,
                "NODE#NUMBER as in the wave, e.g. 3_1#17: its first flit on a recorded channel")
      .optional("nodes", &WaveTrigger::nodes,
                "the first flit on a recorded channel of a packet from or to one of these nodes")
      .optional(
          "blocked", &WaveTrigger::blocked,
          "a head in a router has waited for a recorded channel for longer, or the channel has "
          "been in a blocked state for longer",
          between(1, 1'000'000));
}

Schema<WaveParams> wave_schema() {
  return Schema<WaveParams>{}
      .optional("format", &WaveParams::format,
                "vcd, or fst: compressed, and with the names of kinds and nodes")
      .optional("file", &WaveParams::file,
                "name of the file in the output folder; with format: fst by default wave.fst")
      .optional("select", &WaveParams::select,
                "patterns of channel names, e.g. channel_*_to_2_2 or injection_*")
      .optional("routers", &WaveParams::routers,
                "nodes, e.g. 6; the wires between the blocks of their routers, or the signals "
                "inside a router in Verilog, are recorded as well")
      .optional("clock", &WaveParams::clock,
                "show the clock, the reset and the number of the cycle")
      .optional("states", &WaveParams::states,
                "show what each channel does, or why it does nothing: idle, waiting_for_vc, "
                "no_credit, lost_arbitration, pipeline, moving")
      .optional("buffers", &WaveParams::buffers,
                "show how full the buffers of routers are, the packets at their fronts, and those "
                "that hold virtual channels")
      .optional("from", &WaveParams::from, "when recording starts", at_least(0))
      .optional("until", &WaveParams::until, "when recording ends", at_least(0))
      .optional("limit", &WaveParams::limit,
                "the greatest size of the file; recording ends before, and a window begins later",
                at_least(4096))
      .optional(
          "window", &WaveParams::window,
          "so many last cycles of the run are kept in memory, and written only if it ends "
          "with an error: deadlock, livelock, stop.limit, a missed expectation, an error of a "
          "model; 0 cycle: the whole run is written as it proceeds",
          between(0, 1'000'000))
      .optional("trigger", &WaveParams::trigger,
                "with window: that many cycles before and after this event are written, too");
}

namespace {

/// Throws: ConfigError unless a bound of the recording has its default.
void reject_beside_window(const ConfigNode& section, const char* key, const Delay& given,
                          const Delay& fallback) {
  if (to_string(given) == to_string(fallback)) return;
  throw section.at(key).error("wave.window keeps the last cycles of the run, whenever it ends",
                              "leave out wave.window or wave." + std::string(key));
}

/// Throws: ConfigError for a trigger that cannot occur.
void check_trigger(const ConfigNode& section, const WaveParams& wave) {
  const ConfigNode& written = section.at("trigger");
  const WaveTrigger& trigger = *wave.trigger;
  if (trigger.packet.empty() && trigger.nodes.empty() && trigger.blocked.count == 0)
    throw written.error("no event is given", "give one of packet, nodes and blocked");
  if (wave.window.count == 0)
    throw written.error("without wave.window the whole run is written",
                        "set wave.window, e.g. to 200 cycle, or leave out the trigger");
  if (trigger.blocked.count > 0 && !wave.states)
    throw written.at("blocked").error(
        "what is blocked is known only while the states of channels are shown",
        "leave out wave.states");
}

}  // namespace

WaveParams read_wave(const ConfigNode& section) {
  WaveParams wave = wave_schema().parse(section);
  const std::string suffix = "." + names_of(wave.format)[static_cast<std::size_t>(wave.format)];
  if (!section.find("file")) wave.file = "wave" + suffix;
  const bool named = wave.file.size() > suffix.size() && wave.file.find('/') == std::string::npos &&
                     wave.file[0] != '.' &&
                     wave.file.substr(wave.file.size() - suffix.size()) == suffix;
  if (!named)
    throw section.at("file").error(detail::in_quotes(wave.file) + " is not a valid name for a wave",
                                   "write a file name that ends in " + suffix +
                                       ", without a folder; the folder is that of the results "
                                       "(--out)");
  if (wave.trigger) check_trigger(section, wave);
  if (wave.window.count > 0) {
    const WaveParams defaults;
    reject_beside_window(section, "from", wave.from, defaults.from);
    reject_beside_window(section, "until", wave.until, defaults.until);
  }
  return wave;
}

Schema<StopParams> stop_schema() {
  return Schema<StopParams>{}
      .optional("limit", &StopParams::limit,
                "simulated time after which the run is stopped and counts as not delivered",
                at_least(1))
      .optional("saturated", &StopParams::saturated,
                "whether the measurement of a load ends as soon as it is certain that the network "
                "does not carry it; default true in experiments that neither allow nor count "
                "deadlocks");
}

Schema<WatchdogParams> watchdog_schema() {
  return Schema<WatchdogParams>{}
      .optional("interval", &WatchdogParams::interval,
                "how often blocked packets are searched for a dependency cycle", at_least(1))
      .optional(
          "blocked_after", &WatchdogParams::blocked_after,
          "among opaque routers, such as RTL, whose packets do not show what they wait for: a "
          "network in which nothing has moved for this time, beside the times of software and "
          "channels, is blocked",
          at_least(10));
}

}  // namespace flitwave
