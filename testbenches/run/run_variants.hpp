// testbenches/run/run_variants.hpp: one job in every scheduling and build order, and the
// differences of its runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/run/simulate.hpp"

namespace flitwave {

/// The first difference of two runs: outcome, message, cycles, fingerprint, a metric, a table;
/// empty when they are equal.
std::string difference(const Results& found, const Results& expected);

/// How a job is run; see clock.scheduling and build_order.
struct RunVariant {
  std::string scheduling = "batched";
  std::string order = "forward";
};

/// Every scheduling in both build orders.
std::vector<RunVariant> all_run_variants();

/// The job in this variant.
Scenario with_variant(const Scenario& job, const RunVariant& variant);

/// The first difference between a job's runs in these variants and its run as written; empty when
/// there is none.
std::string difference_between(const Scenario& job, const std::vector<RunVariant>& variants,
                               const Catalog& catalog = standard_catalog());

}  // namespace flitwave
