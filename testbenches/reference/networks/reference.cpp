// testbenches/reference/networks/reference.cpp: see reference.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/reference.hpp"

#include <algorithm>
#include <tuple>

#include "testbenches/reference/credit_links.hpp"
#include "testbenches/reference/networks/bubble_links.hpp"
#include "testbenches/reference/networks/circuit_interfaces.hpp"
#include "testbenches/reference/networks/interfaces.hpp"
#include "testbenches/reference/networks/routers.hpp"
#include "testbenches/reference/networks/staged_routers.hpp"
#include "testbenches/reference/ready_links.hpp"

namespace flitwave::reference {

namespace {

/// The parts that every network has.
struct Common {
  explicit Common(const Params& params)
      : wiring(params),
        packets(wiring.nodes),
        window(params),
        sinks(params, window, packets, fingerprint, results) {}

  Results results;
  Fingerprint fingerprint;
  Wiring wiring;
  Packets packets;
  Window window;
  Sinks sinks;
};

/// Channels, routers with buffers, and their interfaces.
template <class Links, class RouterKind, bool Whole>
class Buffered {
 public:
  Buffered(const Params& params, Common& common)
      : links_(params, common.wiring),
        routers_(params, common.wiring, common.packets, links_, common.fingerprint, common.window),
        interfaces_(params, common.wiring, common.packets, links_, common.sinks, common.window) {}

  void cycle(Cycle now) {
    links_.begin(now);
    interfaces_.tick(now);
    routers_.tick(now);
    links_.finish();
  }
  void stop() { interfaces_.stop(); }
  const Sources& sources() const { return interfaces_.sources(); }
  bool at_rest() const { return interfaces_.at_rest(); }

 private:
  Links links_;
  RouterKind routers_;
  Interfaces<Links, Whole> interfaces_;
};

/// The same for circuits.
class Circuits {
 public:
  Circuits(const Params& params, Common& common)
      : mail_(params, common.wiring),
        routers_(params, common.wiring, common.packets, mail_, common.fingerprint, common.window),
        interfaces_(params, common.wiring, common.packets, mail_, common.sinks, common.window,
                    common.results.circuits) {}

  void cycle(Cycle now) {
    mail_.begin(now);
    interfaces_.tick(now);
    routers_.tick(now);
  }
  void stop() { interfaces_.stop(); }
  const Sources& sources() const { return interfaces_.sources(); }
  bool at_rest() const { return interfaces_.at_rest(); }

 private:
  Mail mail_;
  CircuitRouters routers_;
  CircuitInterfaces interfaces_;
};

/// The loop over cycles until the end of the run.
template <class Network>
class Loop {
 public:
  explicit Loop(const Params& params)
      : params_(params), common_(params), network_(params, common_) {}

  // The parts of a cycle are compiled as separate functions: separate register allocation costs 4 %
  // less than inlining everything.
  [[gnu::noinline]] Results run() {
    Results& results = common_.results;
    Cycle now = 0;
    try {
      while (!done_) cycle(++now);
    } catch (const TooManyRejections&) {
      results.livelock = true;
    }
    const Fingerprint& fingerprint = common_.fingerprint;
    results.cycles = results.complete ? std::max<Cycle>(1, fingerprint.last()) : now;
    results.fingerprint = fingerprint.value();
    results.transits = fingerprint.count();
    results.made = common_.packets.made();
    results.flits = common_.packets.flits();
    results.blocked = common_.window.blocked();
    if (const RequestSoftware* software = network_.sources().software()) {
      results.round_trips = software->round_trips();
      results.replies_in_window = software->replies_in_window();
    }
    std::sort(results.packets.begin(), results.packets.end(),
              [](const PacketTimes& a, const PacketTimes& b) {
                return std::tie(a.source, a.number) < std::tie(b.source, b.number);
              });
    return std::move(results);
  }

 private:
  void cycle(Cycle now) {
    common_.fingerprint.begin(now);
    network_.cycle(now);
    if (settling_) {
      common_.results.complete = network_.at_rest();
      done_ = common_.results.complete || now >= params_.limit;
      return;
    }
    // The window is over and its packets had arrived before this cycle, or are given up.
    const RequestSoftware* software = network_.sources().software();
    const bool all_arrived =
        network_.sources().tagged() == (software ? software->answered() : common_.sinks.tagged());
    const bool earlier = all_arrived && common_.sinks.last_tagged() < now &&
                         (!software || software->last_answered() < now);
    if (now >= common_.window.end() + (earlier ? 0 : params_.drain)) {
      settling_ = true;
      common_.results.saturated = !all_arrived;
      network_.stop();
    }
    done_ = now >= params_.limit;
  }

  const Params& params_;
  Common common_;
  Network network_;
  bool settling_ = false;
  bool done_ = false;
};

template <class Links, Index FixedVcs, Switching Kind>
Results run_buffered(const Params& params) {
  using Merged = Routers<Links, FixedVcs, Kind>;
  return Loop<Buffered<Links, Merged, moves_whole_packets(Kind)>>(params).run();
}

template <class Links, bool Whole>
Results run_staged_on(const Params& params) {
  return Loop<Buffered<Links, StagedRouters<Links>, Whole>>(params).run();
}

template <bool Whole>
Results run_staged(const Params& params) {
  if (params.handshake == Handshake::ready_valid) return run_staged_on<ReadyLinks, Whole>(params);
  if constexpr (Whole)
    if (params.bubble) return run_staged_on<BubbleLinks, Whole>(params);
  return run_staged_on<CreditLinks<0>, Whole>(params);
}

template <Switching Kind>
Results run_with(const Params& params) {
  if (params.handshake == Handshake::ready_valid) return run_buffered<ReadyLinks, 0, Kind>(params);
  if constexpr (moves_whole_packets(Kind))
    if (params.bubble) return run_buffered<BubbleLinks, 1, Kind>(params);
  if (params.vcs == 1) return run_buffered<CreditLinks<1>, 1, Kind>(params);
  return run_buffered<CreditLinks<0>, 0, Kind>(params);
}

}  // namespace

Results run(const Params& params) {
  if (params.clocked)
    return moves_whole_packets(params.switching) ? run_staged<true>(params)
                                                 : run_staged<false>(params);
  switch (params.switching) {
    case Switching::wormhole:
      return run_with<Switching::wormhole>(params);
    case Switching::virtual_cut_through:
      return run_with<Switching::virtual_cut_through>(params);
    case Switching::store_and_forward:
      return run_with<Switching::store_and_forward>(params);
    case Switching::circuit:
      break;
  }
  return Loop<Circuits>(params).run();
}

}  // namespace flitwave::reference
