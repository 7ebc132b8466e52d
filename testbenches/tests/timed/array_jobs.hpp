// testbenches/tests/timed/array_jobs.hpp: jobs that move array sections, shared by timed tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/run/simulate.hpp"

namespace flitwave::test {

inline const std::string scattered =
    "{kind: array_assignment, source: {section: [0:11, 0:11], block: [4, 4]}, destination: "
    "{section: [0:11, 0:11], block: [2, 2]}}";
inline const std::string uneven =
    "{kind: array_assignment, source: {section: [1:29:2, 0:14], block: [9, 5]}, destination: "
    "{section: [0:28:2, 1:15], block: [5, 3]}}";
inline const std::string uneven_turned =
    "{kind: array_assignment, source: {section: [0:7, 0:11], block: [2, 4]}, destination: "
    "{section: "
    "[0:7, 0:11], block: [4, 2]}, alignment: transposed}";

/// An operation, the algorithm that schedules it, and how many elements move.
struct ArrayCase {
  std::string algorithm;
  std::string operation;
  int elements;
};

/// The job, on 8 x 8 nodes.
inline Scenario scenario(const ArrayCase& of) {
  return Scenario::parse(R"(
scenario: array
topology: {kind: mesh, shape: [8, 8]}
router: {kind: wormhole, preset: single_cycle}
observe: [{kind: step_times}, {kind: contention}, {kind: steps}]
)")
      .with("operation", of.operation)
      .with("algorithm", of.algorithm);
}

}  // namespace flitwave::test
