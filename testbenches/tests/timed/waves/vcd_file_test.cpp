// testbenches/tests/timed/waves/vcd_file_test.cpp: the values of a VCD file.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/vcd_file.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace vcd_file_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Without leading zeros.
std::string binary(std::uint64_t value) { return fmt::format("{:b}", value); }

}  // namespace

TEST_CASE("a VCD file has each value as it was written, long or short, and packets by their names",
          "[timed]") {
  const std::vector<std::string> nodes{"0_0", "1_0", "a_node_whose_name_needs_more_than_24_bytes"};
  const test::ScratchFolder folder;
  const std::string path = folder.path("values.vcd");
  constexpr std::int64_t steps = 20'000;
  Random random(5, "values");
  std::vector<std::vector<std::string>> expected(steps);
  {
    VcdFile file(path, std::int64_t{1} << 40,
                 {{"top", "bit", 1}, {"top", "number", 64}, {"top", "packet", 64, -1, true}},
                 {{{"node", nodes}}}, "values");
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::uint64_t bit = random.below(2);
      const std::uint64_t number = random.below(std::uint64_t{1} << (1 + random.below(63)));
      const int node = static_cast<int>(random.below(nodes.size()));
      const auto count = static_cast<std::int64_t>(random.below(3'000));
      const bool shows = random.below(10) > 0;
      const std::uint64_t values[] = {bit, number, shows ? packet_value(NodeId(node), count) : 0};
      file.begin_step(step);
      file.change(0, values, 7);
      file.end_step();
      const std::string name = fmt::format("{}#{}", nodes[static_cast<std::size_t>(node)], count);
      expected[static_cast<std::size_t>(step)] = {binary(bit), binary(number), shows ? name : "-"};
    }
    file.close(steps);
  }
  const Vcd wave = read_vcd(path);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto& values = expected[static_cast<std::size_t>(step)];
    INFO("step " << step);
    REQUIRE(wave.signal("top.bit").at(step) == values[0]);
    REQUIRE(wave.signal("top.number").at(step) == values[1]);
    REQUIRE(wave.signal("top.packet").at(step) == "s" + values[2]);
  }
}

}  // namespace vcd_file_test
