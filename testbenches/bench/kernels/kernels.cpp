// testbenches/bench/kernels/kernels.cpp: behind tools/bench --kernels: parts of every cycle.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <benchmark/benchmark.h>

#include "configs/random.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/signals/active_set.hpp"
#include "routers/parts/arbiter.hpp"
#include "testbenches/bench/kernels/rigs.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/testbench/fingerprint.hpp"
#include "testbenches/waves/files/vcd_file.hpp"

using namespace flitwave;

/// SystemC's library requires this function; the program has its own main function.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

/// One module of `range(0)` in each word is active, as in a quiet network.
void visit_active_modules(benchmark::State& state) {
  const int modules = static_cast<int>(state.range(0));
  ActiveSet set;
  set.resize(modules);
  int visited = 0;
  for (auto _ : state) {
    for (int module = 0; module < modules; module += 64) set.insert(module);
    set.visit([&](int) {
      ++visited;
      return false;
    });
  }
  state.SetItemsProcessed(visited);
}
BENCHMARK(visit_active_modules)->Arg(128)->Arg(2048)->Arg(32768);

void pick_one_of_four(benchmark::State& state) {
  Arbiter arbiter(static_cast<Arbitration>(state.range(0)), 5, Random(1, "kernel"));
  const std::vector<Request> requests = {{0, 7, 3}, {1, 5, 9}, {3, 5, 2}, {4, 6, 1}};
  for (auto _ : state) arbiter.served(requests[arbiter.pick(requests)].index);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pick_one_of_four)
    ->Arg(static_cast<int>(Arbitration::round_robin))
    ->Arg(static_cast<int>(Arbitration::oldest_packet))
    ->Arg(static_cast<int>(Arbitration::random));

/// Every pair of an 8x8 network, at the source's router.
void compute_routes(benchmark::State& state, const char* topology, const char* routing) {
  const Job job = Job::read(Scenario::parse(std::string("scenario: kernel\ntopology: ") + topology +
                                            "\nchannel: {vcs: 4}\nrouter: {kind: wormhole, "
                                            "vc_reallocation: atomic}\n"
                                            "routing: " +
                                            routing +
                                            "\ntraffic: {rate: 0.1 flit/node/cycle, packet: 4 "
                                            "flit}\n"),
                            standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::skip);
  const int nodes = plan.topology->nodes();
  Route route;
  for (auto _ : state)
    for (int from = 0; from < nodes; ++from)
      for (int to = 0; to < nodes; ++to) {
        route.clear();
        plan.routing->route(NodeId(from), {}, {NodeId(from), NodeId(to)}, route);
        benchmark::DoNotOptimize(route.candidates().size());
      }
  state.SetItemsProcessed(state.iterations() * nodes * nodes);
}
BENCHMARK_CAPTURE(compute_routes, dimension_order, "{kind: mesh, shape: [8, 8]}",
                  "{kind: dimension_order}");
BENCHMARK_CAPTURE(compute_routes, duato_torus, "{kind: torus, shape: [8, 8]}", "{kind: duato}");

void add_and_release_packets(benchmark::State& state) {
  PacketPool pool(64);
  Cycle now = 0;
  Packet packet;
  packet.length = 1;
  for (auto _ : state) {
    ++now;
    for (int node = 0; node < 64; ++node) {
      packet.header.source = NodeId(node);
      const Flit flit(NodeId(node), pool.add(packet, now), 0, true, true, 0);
      pool.enter(flit, now);
      pool.release(flit, now);
    }
  }
  state.SetItemsProcessed(state.iterations() * 64);
}
BENCHMARK(add_and_release_packets);

class Idle final : public Sleeper {
 public:
  void due() override { ++woken_; }
  std::int64_t woken() const { return woken_; }

 private:
  std::int64_t woken_ = 0;
};

/// Sleepers of up to `range(0)` cycles.
void sleep_and_wake(benchmark::State& state) {
  Wheel wheel;
  Idle sleeper;
  Random random(1, "kernel");
  Cycle now = 0;
  for (auto _ : state) {
    wheel.add(
        now + 1 + static_cast<Cycle>(random.below(static_cast<std::uint64_t>(state.range(0)))),
        sleeper);
    wheel.advance(++now);
  }
  state.SetItemsProcessed(sleeper.woken());
}
BENCHMARK(sleep_and_wake)->Arg(16)->Arg(100000);

void hash_transits(benchmark::State& state) {
  PacketPool pool(64);
  Packet packet;
  packet.length = 4;
  std::vector<Transit> transits;
  for (int node = 0; node < 64; ++node) {
    packet.header.source = NodeId(node);
    transits.emplace_back(node, Flit(NodeId(node), pool.add(packet, 1), 1, false, false, 0));
  }
  Fingerprint fingerprint(pool);
  Cycle cycle = 0;
  for (auto _ : state) fingerprint.on_transits(++cycle, transits);
  benchmark::DoNotOptimize(fingerprint.value());
  state.SetItemsProcessed(fingerprint.count());
}
BENCHMARK(hash_transits);

void write_changes(benchmark::State& state) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("flitwave_kernels_" + std::to_string(getpid()) + ".vcd"))
                               .string();
  {
    VcdFile file(path, std::int64_t{1} << 32, {{"top", "flit", 64}, {"top", "valid", 1}}, {},
                 "kernel");
    std::int64_t time = 0;
    for (auto _ : state) {
      file.begin_step(++time);
      file.change(0, static_cast<std::uint64_t>(time));
      file.change(1, static_cast<std::uint64_t>(time & 1));
      file.end_step();
    }
    file.close(time + 1);
  }
  std::filesystem::remove(path);
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(write_changes)->Iterations(2'000'000);

struct Rigs {
  bench::Rig channels{"channels", false};
  bench::Rig router{"through_router", true};
};
Rigs& rigs() {
  static Rigs all;
  return all;
}

/// A flit on a channel: driven, committed, taken, and its credit returned. A thousand cycles.
void commit_channels(benchmark::State& state) {
  std::int64_t flits = 0;
  for (auto _ : state) flits += rigs().channels.flow(1000);
  state.SetItemsProcessed(flits);
}
BENCHMARK(commit_channels);

/// The same with a router between two channels: the additional time is the router's tick and the
/// commit of another channel.
void tick_router(benchmark::State& state) {
  std::int64_t flits = 0;
  for (auto _ : state) flits += rigs().router.flow(1000);
  state.SetItemsProcessed(flits);
}
BENCHMARK(tick_router);

}  // namespace

BENCHMARK_MAIN();
