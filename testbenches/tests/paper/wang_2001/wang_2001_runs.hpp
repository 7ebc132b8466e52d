// testbenches/tests/paper/wang_2001/wang_2001_runs.hpp: Wang et al. 2001's schemes on the simulated
// network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/scenario.hpp"

namespace flitwave::testing {

/// One point of the source's experiments.
struct WangSetting {
  std::string topology = "torus";
  int extent = 16;                      ///< Of both dimensions.
  std::string overhead = "overlapped";  ///< How start-ups are counted: S2; serialized: S1.
  int send = 300;                       ///< T_s. Unit: T_c
  int multicasts = 80;
  int destinations = 240;
  double hot_spot = 0;

  int nodes() const { return extent * extent; }
};

/// The network of section 6.1 of the specification, model M2, and section 11. `scheme`: "UT" and
/// "UT+" are U-torus in the shorter direction and in the positive direction, "SPU" and "U-mesh" the
/// trees of a mesh; "4IIIB" contains h, type and the balance of phase 1.
Scenario wang_job(const WangSetting& setting, const std::string& scheme, int seed);

/// Latencies of the multicasts of one run. Unit: cycle
struct WangTimes {
  double mean = 0;              ///< Over multicasts, each up to its last destination.
  double makespan = 0;          ///< Of the last multicast.
  double destination_mean = 0;  ///< Over all destinations.
};

/// Simulates once for all tests of a program. Checks the properties of sections 1.8 and 3.6 for
/// each run: every destination gets its multicast once, other nodes get it only to forward it, the
/// number of unicasts is as counted, and the bound O-28 of the makespan holds.
WangTimes wang_run(const WangSetting& setting, const std::string& scheme, int seed);

/// The same with the message-level model, without those checks.
WangTimes wang_message_level(const WangSetting& setting, const std::string& scheme, int seed);

/// The mean latencies for seeds 1, 2, ...
std::vector<double> wang_means(const WangSetting& setting, const std::string& scheme, int seeds);
double wang_mean(const WangSetting& setting, const std::string& scheme, int seeds);

/// The mean latency with a scheme divided by that with another, for the same multicasts.
double wang_gain(const WangSetting& setting, const std::string& of, const std::string& over,
                 int seeds);

}  // namespace flitwave::testing
