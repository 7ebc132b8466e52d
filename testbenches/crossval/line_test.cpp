// testbenches/crossval/line_test.cpp: where the details of allocation alone decide.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/crossval/measure.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/catch.hpp"

namespace line_test {

using namespace flitwave;
using namespace flitwave::crossval;

TEST_CASE("a line whose nodes send to the next one accepts what the peer's does", "[crossval]") {
  const LineRow& row = GENERATE(from_range(line_rows()));

  INFO(row.name);
  REQUIRE(accepted_by(row) == Approx(row.accepted).margin(0.002));
}

TEST_CASE("what a virtual channel of the line carries is the closed form's rate", "[crossval]") {
  const LineRow& row = GENERATE(from_range(line_rows()));
  const Plan plan = Plan::make(Job::read(row.job(), standard_catalog()));

  const double rate = std::min(1.0, row.peer.vcs * plan.closed_form->vc_packet_rate(row.packet));

  INFO(row.name);
  REQUIRE(rate == Approx(row.accepted));
}

}  // namespace line_test
