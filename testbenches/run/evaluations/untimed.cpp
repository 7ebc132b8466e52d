// testbenches/run/evaluations/untimed.cpp: a schedule is evaluated step by step on the graph.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/evaluation.hpp"
#include "testbenches/observers/untimed_results.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave {
namespace {

struct UntimedParams {};

}  // namespace

void register_untimed(Evaluations& evaluations) {
  evaluations.add(
      "untimed",
      {"the steps of the schedule and the contention within them are counted, without a clock", ""},
      Schema<UntimedParams>{},
      [](const UntimedParams&, const Job& job, const Plan& plan) -> Evaluation {
        return [&job, &plan](const SimulateOptions& options) {
          return untimed_results(job, plan, [&] { return options.is_interrupted(); });
        };
      },
      EvaluationTraits{});
}

}  // namespace flitwave
