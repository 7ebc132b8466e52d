// testbenches/run/evaluations/step_model.cpp: messages that hold channels in whole steps.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/step_model.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/arrays/sections/schedule_time.hpp"
#include "algorithms/untimed/straight_load.hpp"
#include "configs/random.hpp"
#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/plan/evaluation_draws.hpp"
#include "testbenches/observers/untimed_results.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave {
namespace {

struct StepModelParams {
  int startup = 1;
  int per_unit = 0;
  Bytes unit{8};
  IdleSlots idle = IdleSlots::skipped;
  std::vector<ConfigNode> order;

  /// alpha + beta L. Unit: step
  int duration(Bytes size) const {
    const std::int64_t units = (size.count + unit.count - 1) / unit.count;
    return static_cast<int>(startup + per_unit * units);
  }
  /// Slots one after another.
  std::int64_t duration(const std::vector<SlotGroup>& slots) const {
    std::int64_t steps = 0;
    for (const SlotGroup& of : slots) steps += of.slots * duration(of.longest);
    return steps;
  }
};

void shuffle(std::vector<int>& numbers, Random& random) {
  for (std::size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[random.below(i)]);
}

/// A schedule in the step model: as one set of messages at dataflow pace, else a set for each step,
/// one after the other.
class SteppedSchedule {
 public:
  SteppedSchedule(const Job& job, const Plan& plan, const Schedule& schedule,
                  const StepModelParams& params)
      : seed_(job.top.seed), params_(params) {
    const bool stepped = schedule.pace() == Pace::stepped;
    std::vector<std::vector<StepMessage>> sets(stepped ? index(schedule.steps()) : 1);
    for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
      const auto number = static_cast<int>(i);
      const Transfer& transfer = schedule.transfer(number);
      sets[stepped ? index(transfer.step) - 1 : 0].push_back(
          {transfer.from, untimed_route(schedule, number, *plan.topology, *plan.routing),
           params.duration(transfer.size), stepped ? std::vector<int>{} : transfer.after});
    }
    const int ports = job.node.ports.of(plan.topology->port_limit());
    has_slots_ = stepped && !schedule.lengths().whole.empty();
    if (has_slots_ && params.idle == IdleSlots::counted)
      idle_steps_ = params.duration(schedule.lengths().idle);
    for (std::vector<StepMessage>& set : sets)
      if (!set.empty())
        models_.emplace_back(std::move(set), plan.topology->nodes(), plan.topology->channels(),
                             ports);
    place_.assign(index(plan.topology->nodes()), 0);
    for (std::size_t i = 0; i < params.order.size(); ++i)
      place_[plan.topology->find(params.order[i]).index()] =
          static_cast<int>(i) - static_cast<int>(params.order.size());
  }

  /// Whether it is an array schedule, whose idle slots are known.
  bool has_slots() const { return has_slots_; }

  Results evaluate(int draw) const {
    Random random(seed_, "step_model", static_cast<std::uint64_t>(draw));
    std::int64_t steps = 0;
    std::int64_t begun_first = 0;
    Results results;
    for (const StepModel& model : models_) {
      const StepRun run = model.run(order_of(model, random));
      if (steps == 0) begun_first = std::count(run.begins.begin(), run.begins.end(), 1);
      steps += run.steps;
      if (run.deadlocked.empty()) continue;
      results.outcome = Outcome::deadlock;
      results.message = fmt::format("step {}: {} messages hold channels and wait for each other's",
                                    steps + 1, run.deadlocked.size());
      break;
    }
    results.add("step_model.steps", static_cast<double>(steps + idle_steps_), "step");
    results.add("step_model.begun_first", static_cast<double>(begun_first), "message");
    return results;
  }

 private:
  /// Random in every step; with a list, by the sender's index in it, others after them by number.
  ServiceOrder order_of(const StepModel& model, Random& random) const {
    if (params_.order.empty())
      return [&random](std::vector<int>& waiting) { shuffle(waiting, random); };
    return [this, &model](std::vector<int>& waiting) {
      std::stable_sort(waiting.begin(), waiting.end(),
                       [&](int a, int b) { return place_of(model, a) < place_of(model, b); });
    };
  }

  int place_of(const StepModel& model, int message) const {
    return place_[model.messages()[index(message)].from.index()];
  }

  std::uint64_t seed_;
  StepModelParams params_;
  bool has_slots_ = false;
  std::int64_t idle_steps_ = 0;
  std::vector<StepModel> models_;  // one, or one for each step that sends
  std::vector<int> place_;         // position of each node in the order of service
};

/// `copied`: whether routers copy its messages.
void check_schedule(const Job& job, bool copied, const Schedule& schedule,
                    const StepModelParams& params) {
  if (copied)
    throw error_at(job, "evaluation", "the step model does not support messages that routers copy",
                   "use evaluation: timed or untimed, or another algorithm");
  if (schedule.pace() == Pace::phased)
    throw error_at(job, "pace", "messages of the step model wait for steps, not for phases",
                   "use pace: dataflow or stepped, or evaluation: timed or message_level");
  const auto& transfers = schedule.transfers();
  constexpr double most_steps = 1e9;
  double steps = 0;
  for (const Transfer& transfer : transfers)
    steps +=
        params.startup +
        static_cast<double>(params.per_unit) *
            (static_cast<double>(transfer.size.count) / static_cast<double>(params.unit.count) + 1);
  if (steps > most_steps)
    throw error_at(job, params.per_unit > 0 ? "evaluation.unit" : "evaluation.startup",
                   fmt::format("all messages together would take {:.3g} steps; at most {:.3g} are "
                               "possible",
                               steps, most_steps),
                   params.per_unit > 0 ? "use a greater unit" : "use a shorter startup");
  if (std::any_of(transfers.begin(), transfers.end(),
                  [&](const Transfer& transfer) { return params.duration(transfer.size) < 1; }))
    throw error_at(job, "evaluation.startup", "a message without payload would take no step",
                   "set startup to 1 or more");
}

void check_order(const Job& job, const Plan& plan, const StepModelParams& params) {
  std::vector<bool> named(index(plan.topology->nodes()));
  for (const ConfigNode& place : params.order) {
    const NodeId node = plan.topology->find(place);
    if (named[node.index()])
      throw error_at(job, "evaluation.order",
                     fmt::format("node {} is listed twice", plan.topology->label(node)),
                     "name each node once");
    named[node.index()] = true;
  }
}

/// Throws: ConfigError, located, when the model does not support a setting of the job.
void check_step_model(const Job& job, const Plan& plan, const StepModelParams& params) {
  if (params.startup + params.per_unit < 1)
    throw error_at(job, "evaluation.startup", "a message would take no step",
                   "set startup or per_unit to 1 or more");
  if (plan.half_duplex)
    throw error_at(job, "node.ejection",
                   "nodes of the step model send and receive at the same time",
                   "leave out ejection: half_duplex, or use evaluation: timed");
  if (job.node.start_skew.rounded(job.clock.period) > 0)
    throw error_at(job, "node.start_skew", "all nodes of the step model begin in the first step",
                   "leave out node.start_skew, or use evaluation: timed");
  check_order(job, plan, params);
  check_schedule(job, plan.relayed || plan.schedule->copies(), *plan.schedule, params);
  if (plan.compared)
    check_schedule(job, plan.compared->schedule.copies(), plan.compared->schedule, params);
}

/// Metrics that are the same in all draws.
void add_bounds(const Plan& plan, const StepModelParams& params, Results& results) {
  const ScheduleLengths& lengths = plan.schedule->lengths();
  if (!lengths.whole.empty())
    results.add("step_model.whole", static_cast<double>(params.duration(lengths.whole)), "step");
  if (!lengths.nominal.empty())
    results.add("step_model.nominal", static_cast<double>(params.duration(lengths.nominal)),
                "step");
  const auto load =
      straight_load(plan.schedule->demand(), *plan.topology, *plan.routing,
                    [&](const Delivery& delivery) { return params.duration(delivery.size); });
  if (load && !load->empty())
    results.add("step_model.bound",
                static_cast<double>(*std::max_element(load->begin(), load->end())), "step");
}

Results run_model(const StepModelParams& params, const Job& job, const Plan& plan,
                  const SimulateOptions& options) {
  const SteppedSchedule own(job, plan, *plan.schedule, params);
  std::optional<SteppedSchedule> other;
  if (plan.compared) other.emplace(job, plan, plan.compared->schedule, params);
  const auto evaluate = [&](int draw) {
    Results results = own.evaluate(draw);
    if (other) add_excess(other->evaluate(draw), results);
    return results;
  };
  const auto interrupted = [&] { return options.is_interrupted(); };
  Results results =
      job.top.draws > 1 ? evaluate_draws(job, plan, interrupted, evaluate) : evaluate(0);
  if (job.top.draws == 1) results.notes = plan.notes();
  const bool slots = own.has_slots() || (other && other->has_slots());
  if (params.idle == IdleSlots::counted && !slots)
    results.notes.emplace_back(
        "evaluation.idle: the slots of this schedule are not known, so no idle ones are counted");
  if (job.channel.vcs > 1)
    results.notes.emplace_back(
        "channel.vcs: the step model has no virtual channels; a message holds whole channels");
  report_steps(*plan.untimed, *plan.schedule, *plan.topology, *plan.routing, results);
  report_straight_load(plan, results);
  add_bounds(plan, params, results);
  return results;
}

Evaluation step_model(const StepModelParams& params, const Job& job, const Plan& plan) {
  check_step_model(job, plan, params);
  return [params, &job, &plan](const SimulateOptions& options) {
    return run_model(params, job, plan, options);
  };
}

}  // namespace

void register_step_model(Evaluations& evaluations) {
  using P = StepModelParams;
  EvaluationTraits traits;
  traits.metrics = {
      {"step_model.steps", "step", "steps until the last message has ended",
       MetricInfo::Forms::drawn, "steps"},
      {"step_model.begun_first", "message", "messages that get their whole route in the first step",
       MetricInfo::Forms::drawn},
      {"step_model.whole", "step",
       "steps of all slots of an array schedule, including idle ones, if receivers also received "
       "the elements "
       "that they have from the start"},
      {"step_model.nominal", "step",
       "steps of block_transfer as its source counts them, without the surplus of a first "
       "base pattern",
       MetricInfo::Forms::plain, "steps as the source counts them"},
      {"step_model.bound", "step",
       "steps for which the busiest channel is held if each message is sent directly",
       MetricInfo::Forms::plain, "bound"},
  };
  evaluations.add(
      "step_model",
      {"messages hold the channels of their routes in whole steps, and waiting messages are served "
       "in random order; each draw is one such order",
       "Eberhart 1996, section 5.1 and appendix B"},
      Schema<P>{}
          .optional("startup", &P::startup, "steps that every message takes (alpha)",
                    between(0, 1'000'000))
          .optional("per_unit", &P::per_unit, "further steps for each unit of its length (beta)",
                    between(0, 1'000'000))
          .optional("unit", &P::unit, "length of a unit; a part of a unit counts as one",
                    at_least(1))
          .optional("idle", &P::idle,
                    "duration of array-schedule slots in which no node sends: skipped: none; "
                    "counted: as long as the longest slot of their phase")
          .optional("order", &P::order,
                    "nodes whose messages are served first in every step, in this order; empty: a "
                    "random order in each step"),
      step_model, std::move(traits));
}

}  // namespace flitwave
