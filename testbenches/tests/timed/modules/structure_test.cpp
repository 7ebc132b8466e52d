// testbenches/tests/timed/modules/structure_test.cpp: the network has the expected modules.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace structure_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Counts the SystemC objects below `object` by their C++ types.
void count_objects(const sc_core::sc_object& object, std::map<std::string, int>& counts) {
  if (dynamic_cast<const Router*>(&object)) ++counts["router"];
  if (dynamic_cast<const NetworkInterface*>(&object)) ++counts["interface"];
  if (dynamic_cast<const ProcessorNode*>(&object)) ++counts["processor"];
  const std::string name = object.basename();
  if (dynamic_cast<const Channel*>(&object))
    ++counts[name.compare(0, 8, "channel_") == 0 ? "network channel" : "local channel"];
  const bool in_router = dynamic_cast<const Router*>(object.get_parent_object()) != nullptr;
  const bool local = name.find("local") != std::string::npos;
  if (object.kind() == std::string("port")) {
    if (in_router)
      ++counts[(local ? "local " : "network ") + name.substr(0, name.find('_'))];
    else
      ++counts[name.substr(0, name.find('_'))];
  }
  for (const sc_core::sc_object* child : object.get_child_objects()) count_objects(*child, counts);
}

}  // namespace

TEST_CASE("an 8x8 mesh is 64 routers, 64 interfaces, 64 processors, 224 channels and their ports",
          "[timed]") {
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    std::map<std::string, int> counts;
    count_objects(testbench, counts);
    return [counts](Results& results) {
      for (const auto& [what, count] : counts) results.add("count." + what, count, "");
    };
  };

  const Results results = simulate(uniform_traffic({{"topology.shape", "[8, 8]"},
                                                    {"traffic.rate", "0 flit/node/cycle"},
                                                    {"clock.scheduling", scheduling}}),
                                   standard_catalog(), options);

  REQUIRE(results.value("count.router") == 64);
  REQUIRE(results.value("count.interface") == 64);
  REQUIRE(results.value("count.processor") == 64);
  REQUIRE(results.value("count.network channel") == 224);
  REQUIRE(results.value("count.local channel") == 128);
  REQUIRE(results.value("count.network input") == 224);
  REQUIRE(results.value("count.network output") == 224);
  REQUIRE(results.value("count.local input") == 64);
  REQUIRE(results.value("count.local output") == 64);
  REQUIRE(results.value("count.injection") == 64);
  REQUIRE(results.value("count.ejection") == 64);
}

}  // namespace structure_test
