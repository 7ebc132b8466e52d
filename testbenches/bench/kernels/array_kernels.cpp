// testbenches/bench/kernels/array_kernels.cpp: behind tools/bench --kernels: schedules of array
// sections.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "algorithms/arrays/general_schedule.hpp"
#include "algorithms/arrays/general_transposition.hpp"
#include "algorithms/arrays/regular_schedule.hpp"
#include "algorithms/arrays/sections/diagonal.hpp"
#include "algorithms/arrays/transposition.hpp"
#include "testbenches/reference/papers/array_bounds.hpp"

using namespace flitwave;

namespace {

using Maker = std::unique_ptr<ArraySchedule> (*)(const ArrayAssignment&);

/// 64 x 64 nodes of an array with 10^9 elements per side, or a dimension of it: each node of the
/// `sources` and `destinations` parts of the mesh has one share.
AxisTransfer huge_axis(std::int64_t sources, std::int64_t destinations, std::int64_t offset,
                       std::int64_t elements = 1'000'000'000) {
  const std::int64_t source = elements / sources;
  const std::int64_t destination = elements / destinations;
  return AxisTransfer(
      {{0, source * sources - 1, 1}, source},
      {{offset * destination, (offset + destinations) * destination - 1, 1}, destination});
}

/// 40 x 40 nodes shift by 24 rows down and 24 columns to the right.
ArrayAssignment huge_shift() {
  const AxisTransfer axis = huge_axis(40, 40, 24);
  return {axis, axis};
}

/// 1x1 -> 2x2 from 32 x 32 nodes, gather/scatter 4x1 -> 1x4 from 64 x 16 nodes.
ArrayAssignment huge_scatter() {
  const AxisTransfer axis = huge_axis(32, 64, 0);
  return {axis, axis};
}
ArrayAssignment huge_gather_scatter() { return {huge_axis(64, 16, 0), huge_axis(16, 64, 0)}; }

/// Shares that are no multiples of each other: from 48 x 64 nodes to 64 x 48, with 10^6 times fewer
/// elements.
constexpr std::int64_t in_192_parts = 999'999'936;
ArrayAssignment huge_uneven() {
  return {huge_axis(48, 64, 0, in_192_parts), huge_axis(64, 48, 0, in_192_parts)};
}
ArrayAssignment small_uneven() { return {huge_axis(48, 64, 0, 960), huge_axis(64, 48, 0, 960)}; }

/// 64 x 64 nodes, and the uneven shares, transposed.
ArrayAssignment huge_turned() {
  const AxisTransfer axis = huge_axis(64, 64, 0);
  return {axis, axis, Alignment::transposed};
}
ArrayAssignment huge_uneven_turned() {
  return {huge_axis(48, 64, 0, in_192_parts), huge_axis(64, 48, 0, in_192_parts),
          Alignment::transposed};
}

std::unique_ptr<ArraySchedule> general(const ArrayAssignment& of) { return general_schedule(of); }
std::unique_ptr<ArraySchedule> turned(const ArrayAssignment& of) {
  return general_transposition(of, Surplus::lead_merge);
}
std::unique_ptr<ArraySchedule> one_to_one(const ArrayAssignment& of) {
  return regular_schedule(of);
}
std::unique_ptr<ArraySchedule> hybrid(const ArrayAssignment& of) {
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  options.cost = {1000, 0.001};
  return regular_schedule(of, options);
}

/// The messages of all nodes, computed from the sections.
void schedule_array(benchmark::State& state, Maker make, ArrayAssignment (*assignment)()) {
  std::int64_t sends = 0;
  for (auto _ : state) sends += static_cast<std::int64_t>(make(assignment())->sends().size());
  state.SetItemsProcessed(sends);
}
BENCHMARK_CAPTURE(schedule_array, shift, section_diagonal, huge_shift)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, scatter, one_to_one, huge_scatter)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, gather_scatter, one_to_one, huge_gather_scatter)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, hybrid, hybrid, huge_gather_scatter)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, uneven, general, huge_uneven)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, uneven_of_960, general, small_uneven)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, transposed, two_ended_transposition, huge_turned)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_array, uneven_transposed, turned, huge_uneven_turned)
    ->Unit(benchmark::kMicrosecond);

/// The messages of one node in the middle of the mesh, computed from the sections.
void schedule_one_node(benchmark::State& state, Maker make, ArrayAssignment (*assignment)()) {
  std::vector<ArraySend> sends;
  for (auto _ : state) {
    sends.clear();
    make(assignment())->sends_of({24, 12}, sends);
    benchmark::DoNotOptimize(sends.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(schedule_one_node, shift, section_diagonal, huge_shift);
BENCHMARK_CAPTURE(schedule_one_node, scatter, one_to_one, huge_scatter);
BENCHMARK_CAPTURE(schedule_one_node, gather_scatter, one_to_one, huge_gather_scatter);
BENCHMARK_CAPTURE(schedule_one_node, hybrid, hybrid, huge_gather_scatter);
BENCHMARK_CAPTURE(schedule_one_node, uneven, general, huge_uneven);
BENCHMARK_CAPTURE(schedule_one_node, uneven_of_960, general, small_uneven);
BENCHMARK_CAPTURE(schedule_one_node, transposed, two_ended_transposition, huge_turned);
BENCHMARK_CAPTURE(schedule_one_node, uneven_transposed, turned, huge_uneven_turned);

void bound_channels(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(channel_bound(huge_scatter(), {1, 1}).value);
}
BENCHMARK(bound_channels)->Unit(benchmark::kMicrosecond);

}  // namespace
