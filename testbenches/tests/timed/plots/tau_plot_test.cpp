// testbenches/tests/timed/plots/tau_plot_test.cpp: latencies as points of a tau-plot.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/tau_plot.hpp"

#include <set>

#include "configs/error.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/tests/catch.hpp"

namespace tau_plot_test {

using namespace flitwave;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a tau-plot has a line for each named trace and a label for each other point",
          "[timed]") {
  const std::vector<TauTrace> traces{{"growing", {{"a", {10, 0.5}}, {"b", {20, 0.5}}}},
                                     {"", {{"it's", {4, 0.1}}}}};

  const Drawing drawing = tau_plot(traces, "Two");
  const std::string& script = drawing.script;

  REQUIRE(says(drawing.data,
               "\"growing\"\t\"a\"\t0.05\t10\n\"growing\"\t\"b\"\t0.025\t20\n\n\n"
               "\"\"\t\"it's\"\t0.025\t4\n"));
  REQUIRE(says(script, "title 'growing'"));
  REQUIRE(says(script, "set label 'it''s' at 0.025,4"));
  REQUIRE_FALSE(says(script, "set label 'a'"));
  REQUIRE(says(script, "set logscale xy\n"));
  REQUIRE(says(gnuplot_picture(drawing), "</svg>"));
}

TEST_CASE("a tau-plot without named traces has no key and all of the canvas", "[timed]") {
  const std::string script = tau_plot({{"", {{"a", {10, 0.5}}, {"b", {20, 0.5}}}}}, "").script;

  REQUIRE(says(script, "set key off\nset rmargin at screen 0.97\n"));
  REQUIRE_FALSE(says(script, "outside"));
}

TEST_CASE("names of adjacent points are placed on different sides of them", "[timed]") {
  std::vector<TauTrace> traces{{"", {}}};
  const std::vector<double> startups{700, 700.1, 700.2, 700.3, 700.4, 700.5, 700.6, 700.7};
  for (const double startup : startups)
    traces[0].points.push_back(
        {"ss20_myrinet_" + std::to_string(startup), {startup, startup / 5000}});
  const std::string script = tau_plot(traces, "").script;

  std::set<std::string> sides;
  for (std::size_t at = script.find(" offset "); at != std::string::npos;
       at = script.find(" offset ", at + 1))
    sides.insert(script.substr(script.rfind(' ', at - 1),
                               script.find(" font", at) - script.rfind(' ', at - 1)));
  REQUIRE(sides.size() == startups.size());
}

TEST_CASE("a tau of 0 makes the axis of tau linear, and a plot without points is rejected",
          "[timed]") {
  REQUIRE(says(tau_plot({{"", {{"barrier", {4, 0}}}}}, "").script, "set logscale y\n"));
  REQUIRE_THROWS_AS(tau_plot({}, ""), ConfigError);
}

}  // namespace tau_plot_test
