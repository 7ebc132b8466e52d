// testbenches/tests/paper/wang_2001/wang_2001_small_test.cpp: Wang et al. 2001's schemes on 8 x 8,
// section 6.7.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001_runs.hpp"

namespace wang_2001_small_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Means by scheme in one setting. Unit: cycle
struct Row {
  WangSetting setting;
  std::vector<std::pair<std::string, double>> means;
};

WangSetting small(const std::string& topology, const std::string& overhead, int send,
                  int destinations, int multicasts, double hot_spot = 0) {
  return {topology, 8, overhead, send, multicasts, destinations, hot_spot};
}

Row torus_row(const std::string& overhead, int send, int destinations, int multicasts,
              const std::vector<double>& means) {
  const std::vector<std::string> schemes{"UT",   "UT+", "2IB",  "2IIB",  "2IIIB",
                                         "2IVB", "4IB", "4IIB", "4IIIB", "4IVB"};
  Row row{small("torus", overhead, send, destinations, multicasts), {}};
  for (std::size_t i = 0; i < schemes.size(); ++i)
    if (means[i] > 0) row.means.emplace_back(schemes[i], means[i]);
  return row;
}

const std::vector<Row> table{
    torus_row("overlapped", 300, 60, 4,
              {2020, 2036, 2293, 2259, 2243, 2250, 2336, 2334, 2336, 2316}),
    torus_row("overlapped", 300, 60, 20,
              {2579, 2975, 2527, 2517, 2360, 2353, 2514, 2577, 2411, 2446}),
    torus_row("overlapped", 300, 60, 60,
              {6006, 7945, 4450, 5173, 3612, 3589, 4475, 4861, 4076, 3881}),
    torus_row("overlapped", 30, 20, 60,
              {2475, 4166, 2299, 2778, 1816, 1788, 2255, 2503, 1762, 1711}),
    torus_row("overlapped", 30, 60, 20,
              {1948, 2550, 1454, 1666, 1164, 1166, 1397, 1499, 1289, 1268}),
    torus_row("overlapped", 30, 60, 60,
              {5737, 7864, 3840, 4812, 2942, 2899, 3888, 4296, 3508, 3267}),
    torus_row("serialized", 300, 60, 60,
              {21661, 0, 28239, 19579, 19473, 19474, 27457, 20458, 24130, 20347}),
    torus_row("serialized", 30, 60, 60, {6204, 0, 5724, 5443, 4057, 4055, 5678, 5045, 4993, 4378}),
    {small("mesh", "overlapped", 30, 60, 60),
     {{"U-mesh", 6199},
      {"SPU", 5036},
      {"2IB", 3809},
      {"2IIB", 4318},
      {"4IB", 3843},
      {"4IIB", 3619}}},
    {small("mesh", "serialized", 300, 60, 60, 1),
     {{"U-mesh", 39830}, {"SPU", 21484}, {"4IB", 28253}}},
};

/// Number of cells near the table, and of all cells; a line for each of the others.
struct Compared {
  int near = 0;
  int cells = 0;
  double farthest = 0;  ///< Deviation from the table, as a fraction.
  std::string missed;
};

/// A cell is near if within a tenth, or within twice the standard error of our mean.
void compare(const Row& row, int seeds, Compared& compared) {
  for (const auto& [scheme, expected] : row.means) {
    const std::vector<double> means = wang_means(row.setting, scheme, seeds);
    const double mean = wang_mean(row.setting, scheme, seeds);
    double squares = 0;
    for (const double one : means) squares += (one - mean) * (one - mean);
    const double error = std::sqrt(squares / (seeds - 1) / seeds);
    const bool is_near = std::abs(mean - expected) <= std::max(0.1 * expected, 2 * error);
    compared.farthest = std::max(compared.farthest, std::abs(mean / expected - 1));
    ++compared.cells;
    compared.near += is_near ? 1 : 0;
    if (!is_near)
      compared.missed +=
          fmt::format("{} on the {}, {}, T_s {}, d {}, m {}: {:.0f} +- {:.0f} for {}\n", scheme,
                      row.setting.topology, row.setting.overhead, row.setting.send,
                      row.setting.destinations, row.setting.multicasts, mean, error, expected);
  }
}

bool takes_long(const WangSetting& setting) {
  return setting.overhead == "serialized" || (setting.send == 300 && setting.multicasts == 60);
}

/// Of the rows that take long, or of the others.
void check_table(bool longer) {
  Compared compared;
  for (const Row& row : table)
    if (takes_long(row.setting) == longer) compare(row, 10, compared);
  CAPTURE(compared.farthest, compared.missed);
  CHECK(compared.near >= 0.9 * compared.cells);
}

}  // namespace

TEST_CASE("on 8 x 8 nine tenths of the means of ten seeds are within 10 % of the table",
          "[paper][wang][6.7]") {
  if (test::instrumented) {
    wang_means(table.front().setting, "4IIIB", 2);  // the checks of each run
    return;
  }
  check_table(false);
}

TEST_CASE("on 8 x 8 the means of 60 multicasts with serialized start-ups are within 10 % as well",
          "[paper][wang][6.7][.long]") {
  if (test::instrumented) return;
  check_table(true);
}

TEST_CASE(
    "criterion 4: on 8 x 8 the directed networks gain 1.5 and 1.3, and both types with h = 2 gain "
    "equally",
    "[paper][wang][6.8]") {
  if (test::instrumented) return;
  const WangSetting setting = small("torus", "overlapped", 30, 60, 60);
  CHECK(wang_gain(setting, "UT", "2IIIB", 10) >= 1.5);
  CHECK(wang_gain(setting, "UT", "4IIIB", 10) >= 1.3);
  CHECK(std::abs(wang_gain(setting, "2IIIB", "2IVB", 10) - 1) <= 0.03);
}

// Each run checks this bound itself.
TEST_CASE("no scheme is below the bound of 20 multicasts' unicasts on 64 nodes",
          "[paper][wang][O-28]") {
  const int multicasts = 20;
  const int destinations = 60;
  for (const auto& [overhead, busy] :
       {std::pair<std::string, int>{"serialized", 332}, {"overlapped", 32}})
    for (const auto& [topology, schemes] : std::map<std::string, std::vector<std::string>>{
             {"torus",
              {"UT", "UT+", "2IB", "2IIB", "2IIIB", "2IVB", "2II", "2IV", "4IB", "4IIB", "4IIIB",
               "4IVB", "4II", "4IV"}},
             {"mesh", {"U-mesh", "SPU", "2IB", "2IIB", "2II", "4IB", "4IIB", "4II"}}})
      for (const std::string& scheme : schemes) {
        CAPTURE(topology, overhead, scheme);
        const WangSetting setting = small(topology, overhead, 300, destinations, multicasts);
        CHECK(wang_run(setting, scheme, 1).makespan >= multicasts * destinations * busy / 64.0);
      }
}

// Section 6.1 states 3 % and 5 % for its own two models. U-torus with overlapped start-ups exceeds
// this: it is 7 % faster in the model without flits, where the two classes of virtual channels do
// not share a channel's bandwidth. On the mesh, with one class, the baselines are within 5 %.
TEST_CASE(
    "on 8 x 8 schemes take as long without flits, within 3 % for serialized start-ups, else 5 %",
    "[paper][wang][6.1][.long]") {
  if (test::instrumented) return;
  const int seeds = 10;
  const auto difference = [&](const WangSetting& setting, const std::string& scheme) {
    double without_flits = 0;
    for (int seed = 1; seed <= seeds; ++seed)
      without_flits += wang_message_level(setting, scheme, seed).mean / seeds;
    return without_flits / wang_mean(setting, scheme, seeds) - 1;
  };
  for (const auto& [overhead, share] :
       {std::pair<std::string, double>{"serialized", 0.03}, {"overlapped", 0.05}}) {
    CAPTURE(overhead);
    const WangSetting torus = small("torus", overhead, 300, 60, 60);
    for (const std::string scheme : {"2IB", "2IIB", "2IIIB", "4IIIB", "4IVB"})
      CHECK(std::abs(difference(torus, scheme)) <= share);
    const WangSetting mesh = small("mesh", overhead, 300, 60, 60);
    for (const std::string scheme : {"U-mesh", "SPU", "4IB"})
      CHECK(std::abs(difference(mesh, scheme)) <= share);
    for (const std::string scheme : {"UT", "UT+"}) {
      const double found = difference(torus, scheme);
      CHECK(found <= share);
      CHECK(found >= (overhead == "serialized" ? -share : -0.08));
    }
  }
}

}  // namespace wang_2001_small_test
