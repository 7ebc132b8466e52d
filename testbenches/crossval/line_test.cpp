// testbenches/crossval/line_test.cpp: networks that depend on the details of allocation alone.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/crossval/measure.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"

namespace line_test {

using namespace flitwave;
using namespace flitwave::crossval;

TEST_CASE("a line whose nodes send to the next one has the peer's accepted load", "[crossval]") {
  const LineRow& row = GENERATE(from_range(line_rows()));

  INFO(row.name);
  REQUIRE(accepted_by(row) == Approx(row.accepted).margin(0.002));
}

TEST_CASE("a virtual channel of the line has the closed form's rate", "[crossval]") {
  const LineRow& row = GENERATE(from_range(line_rows()));
  const Plan plan = Plan::make(Job::read(row.job(), standard_catalog()));

  const double rate = std::min(1.0, row.peer.vcs * plan.closed_form->vc_packet_rate(row.packet));

  INFO(row.name);
  REQUIRE(rate == Approx(row.accepted));
}

}  // namespace line_test
