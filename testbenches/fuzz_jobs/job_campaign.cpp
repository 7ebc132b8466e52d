// testbenches/fuzz_jobs/job_campaign.cpp: see job_campaign.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_campaign.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_shrink.hpp"
#include "testbenches/fuzz_jobs/setting_draw.hpp"
#include "testbenches/run/child_pool.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr int most_waiting = 20;  // elapsed time, in multiples of the limit of CPU time
constexpr int batch = 32;         // jobs generated before their results guide further ones

void write_json(const std::string& path, const Json& json) {
  std::ofstream file(path);
  file << json.dump(-1, ' ', false, Json::error_handler_t::replace);
  file.close();
  if (!file) throw SystemFailure("cannot write " + path);
}

Json read_json(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return Json::parse(text, nullptr, false);
}

Json json_of(const Verdict& verdict) {
  return {{"refusal", verdict.refusal},
          {"sort", verdict.sort},
          {"fault", verdict.fault},
          {"outcome", verdict.outcome},
          {"cycles", verdict.cycles}};
}

Verdict verdict_of(const Json& json) {
  Verdict verdict;
  verdict.refusal = json.at("refusal").get<std::string>();
  verdict.sort = json.at("sort").get<std::string>();
  verdict.fault = json.at("fault").get<std::string>();
  verdict.outcome = json.at("outcome").get<std::string>();
  verdict.cycles = json.at("cycles").get<Cycle>();
  return verdict;
}

/// Limits the resources of this process from now on.
void limit_this_process(const Limits& limits) {
  // Another process may have the processor; a process that only waits is ended, too.
  const auto seconds = static_cast<rlim_t>(limits.seconds);
  const rlimit time = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &time);
  alarm(static_cast<unsigned>(limits.seconds * most_waiting));
  if (limits.mebibytes == 0) return;
  const rlimit bytes = {static_cast<rlim_t>(limits.mebibytes) << 20,
                        static_cast<rlim_t>(limits.mebibytes) << 20};
  setrlimit(RLIMIT_AS, &bytes);
}

/// The verdict on a job whose process ended early.
Verdict ended_early(const std::string& fault, const Limits& limits) {
  Verdict verdict;
  const bool late =
      fault.find("signal 14") != std::string::npos || fault.find("signal 24") != std::string::npos;
  verdict.set_fault(late ? "time" : "crashed",
                    late ? fmt::format("it took more than {} s", limits.seconds) : fault);
  return verdict;
}

/// The jobs of a batch, each generated and judged in its own process.
class Batch {
 public:
  Batch(const JobCampaignParams& params, const JobKinds& kinds, const Catalog& catalog,
        const JobCoverage& coverage)
      : params_(params), kinds_(kinds), catalog_(catalog), coverage_(coverage) {}

  void add(Trial trial) { trials_.push_back(std::move(trial)); }

  std::vector<Trial> run() {
    std::vector<int> tasks;
    for (std::size_t i = 0; i < trials_.size(); ++i) tasks.push_back(static_cast<int>(i));
    ChildTasks pool;
    pool.work = [this](int task) { work(task); };
    pool.ended = [this](int task, const std::string& fault) { ended(task, fault); };
    pool.go_on = [](int) { return true; };
    run_in_children(tasks, params_.processes, pool);
    return std::move(trials_);
  }

 private:
  std::string folder(int task) const { return scratch_.path(std::to_string(task)); }

  void work(int task) {
    limit_this_process(params_.limits);
    const Trial& trial = trials_[static_cast<std::size_t>(task)];
    std::filesystem::create_directory(folder(task));
    DrawParams draw;
    draw.seed = params_.seed;
    draw.number = trial.number;
    draw.aims = trial.aims;
    draw.coverage = &coverage_;
    Draft draft = draw_job(kinds_, catalog_, draw, folder(task));
    Verdict verdict;
    verdict.refusal = draft.refusal.text;
    if (draft.refusal.text.empty()) {
      Random random(params_.seed, "settings", static_cast<std::uint64_t>(trial.number));
      vary_settings(draft.job, kinds_, catalog_, folder(task), random);
      verdict = judge(draft.job.scenario(folder(task)), catalog_, folder(task));
    }
    Json json = {{"verdict", json_of(verdict)},
                 {"as_drawn", draft.as_drawn},
                 {"with_pins", draft.with_pins},
                 {"misses", Json::array()},
                 {"items", Json::array()}};
    for (const Miss& miss : draft.misses) json["misses"].push_back({miss.reason, miss.names_pins});
    if (verdict.refusal.empty()) add_items(draft.job.scenario(folder(task)), json["items"]);
    for (const JobFile& file : draft.job.files) json["files"].push_back({file.name, file.text});
    write_json(folder(task) + "/result.json", json);
  }

  void add_items(const Scenario& job, Json& items) const {
    const ConfigNode resolved = Job::read(job, catalog_).resolved();
    for (const Item& item : kinds_.items_of(job.tree(), resolved))
      items.push_back({item.path, item.value});
  }

  void ended(int task, const std::string& fault) {
    Trial& trial = trials_[static_cast<std::size_t>(task)];
    const std::string job = folder(task) + "/job.yaml";
    if (std::filesystem::exists(job)) trial.draft.job.tree = ConfigNode::load(job);
    for (const auto& entry : std::filesystem::directory_iterator(folder(task)))
      if (entry.path().extension() == ".txt")
        trial.draft.job.files.push_back(
            {entry.path().filename(),
             scratch_.read(std::to_string(task) + "/" + entry.path().filename().string())});
    const Json json = read_json(folder(task) + "/result.json");
    if (!fault.empty() || !json.is_object())
      trial.verdict = ended_early(fault, params_.limits);
    else
      take(json, trial);
    std::filesystem::remove_all(folder(task));
  }

  static void take(const Json& json, Trial& trial) {
    trial.verdict = verdict_of(json.at("verdict"));
    trial.draft.as_drawn = json.at("as_drawn").get<bool>();
    trial.draft.with_pins = json.at("with_pins").get<bool>();
    for (const Json& miss : json.at("misses"))
      trial.draft.misses.push_back({miss[0].get<std::string>(), miss[1].get<bool>()});
    for (const Json& item : json.at("items"))
      trial.items.push_back({item[0].get<std::string>(), item[1].get<std::string>()});
  }

  const JobCampaignParams& params_;
  const JobKinds& kinds_;
  const Catalog& catalog_;
  const JobCoverage& coverage_;
  test::ScratchFolder scratch_;
  std::vector<Trial> trials_;
};

std::string in_comment(const std::string& text) {
  std::string comment = "# ";
  for (const char sign : text) comment += sign == '\n' ? std::string("\n# ") : std::string(1, sign);
  return comment + "\n";
}

/// Shrinks and saves a failing job. Returns: the file.
std::string save(const JobCampaignParams& params, const Catalog& catalog, const Trial& trial) {
  const test::ScratchFolder scratch;
  const auto verdict_of_job = [&](const DrawnJob& job) {
    job.write(scratch.path());
    return judge_in_child(Scenario::load(scratch.path("job.yaml")), catalog, params.limits);
  };
  // A job that takes too long is not shrunk: a simpler one may take too long for another reason.
  const int tries = trial.verdict.sort == "time" ? 0 : params.tries;
  const DrawnJob simple = shrink(trial.draft.job, tries, [&](const DrawnJob& job) {
    return verdict_of_job(job).sort == trial.verdict.sort;
  });
  const std::string name = fmt::format("{}_{}", params.seed, trial.number);
  const std::string path = params.folder + "/" + name + ".yaml";
  const Verdict verdict = tries > 0 ? verdict_of_job(simple) : trial.verdict;
  simple.write(params.folder, name,
               in_comment(verdict.fault) + in_comment("Repeat it with: tools/fuzz --jobs " + path));
  return path;
}

void count_accepted(const Trial& trial, JobCampaignResult& result) {
  const auto has = [&trial](const std::string& path) {
    return std::any_of(trial.items.begin(), trial.items.end(),
                       [&](const Item& item) { return item.path == path; });
  };
  ++result.outcomes[trial.verdict.outcome];
  result.coverage.add(trial.items);
  result.beside += has("operation") && has("traffic") ? 1 : 0;
  result.faulty += has("faults") ? 1 : 0;
  result.waves += has("wave") ? 1 : 0;
}

void take(const Trial& trial, JobCampaignResult& result) {
  const bool accepted = trial.verdict.refusal.empty();
  ++result.drawn;
  result.accepted += accepted ? 1 : 0;
  result.as_drawn += trial.draft.as_drawn ? 1 : 0;
  if (accepted) count_accepted(trial, result);
  for (std::size_t i = 0; i < trial.aims.size(); ++i)
    if (i < trial.draft.misses.size())
      result.coverage.add_miss(trial.aims[i].pins, trial.draft.misses[i].reason,
                               trial.draft.misses[i].names_pins);
    else if (i > trial.draft.misses.size())
      result.coverage.add_untried(trial.aims[i].pins);
}

/// The number of first jobs, of which half are generated without aims.
constexpr std::int64_t first_jobs = 500;
constexpr std::size_t likes_of_a_job = 6;
constexpr int aims_of_a_job = 4;  // until a job is found for one of them

/// The latest accepted jobs: with each item, and with each pair that lacks runs.
class LatestJobs {
 public:
  void add(const std::vector<Item>& items, const DrawnJob& job, const JobCoverage& coverage) {
    const auto kept = std::make_shared<const DrawnJob>(job);
    for (std::size_t a = 0; a < items.size(); ++a) {
      of_item_[items[a]] = kept;
      for (std::size_t b = a + 1; b < items.size(); ++b)
        if (coverage.count(items[a], items[b]) < JobCoverage::wanted)
          of_pair_[{items[a], items[b]}] = kept;
        else
          of_pair_.erase({items[a], items[b]});
    }
  }

  /// Copies what it finds into the aim.
  void find_for(Aim& aim) const {
    if (aim.pins.empty()) return;
    const auto both = of_pair_.find({aim.pins.front(), aim.pins.back()});
    if (aim.pins.size() == 2 && both != of_pair_.end()) aim.both = *both->second;
    for (const Item& pin : aim.pins) {
      const auto found = of_item_.find(pin);
      if (found != of_item_.end()) aim.bases.push_back(*found->second);
    }
  }

 private:
  std::map<Item, std::shared_ptr<const DrawnJob>> of_item_;
  std::map<std::pair<Item, Item>, std::shared_ptr<const DrawnJob>> of_pair_;
};

Trial next_trial(std::int64_t number, const JobCampaignParams& params, JobCoverage& coverage,
                 const LatestJobs& latest) {
  Trial trial;
  trial.number = number;
  const bool without_aims = number % (number < first_jobs ? 2 : 4) == 0;
  if ((without_aims && params.with.empty()) || !params.directed) return trial;
  Random random(params.seed, "likes", static_cast<std::uint64_t>(number));
  for (int aims = 0; aims < (params.with.empty() ? aims_of_a_job : 1); ++aims) {
    Aim aim;
    aim.pins = params.with.empty() ? coverage.next_pins() : params.with;
    aim.likes = coverage.likes(aim.pins, likes_of_a_job, random);
    latest.find_for(aim);
    trial.aims.push_back(std::move(aim));
  }
  return trial;
}

}  // namespace

Verdict judge_in_child(const Scenario& job, const Catalog& catalog, const Limits& limits) {
  const test::ScratchFolder scratch;
  const std::string fault = run_in_child([&] {
    limit_this_process(limits);
    write_json(scratch.path("result.json"), json_of(judge(job, catalog, scratch.path())));
  });
  const Json json = read_json(scratch.path("result.json"));
  return fault.empty() && json.is_object() ? verdict_of(json) : ended_early(fault, limits);
}

std::string JobCampaignResult::lack_of_shares() const {
  if (2 * accepted < drawn) return "half of the jobs must be accepted";
  for (const auto& [count, what] : {std::pair(beside, "a collective beside traffic"),
                                    std::pair(faulty, "faults"), std::pair(waves, "a wave")})
    if (10 * count < accepted)
      return fmt::format("a tenth of the accepted jobs must have {}", what);
  return "";
}

std::string JobCampaignResult::summary() const {
  std::string text = fmt::format("{} jobs drawn, {} accepted, {} of them without a repair\n", drawn,
                                 accepted, as_drawn);
  for (const auto& [outcome, count] : outcomes) text += fmt::format("  {}: {}\n", outcome, count);
  return text + fmt::format("  a collective beside traffic: {}, faults: {}, a wave: {}\n", beside,
                            faulty, waves);
}

JobCampaignResult run_job_campaign(const JobCampaignParams& params, const Catalog& catalog,
                                   const std::function<void(const JobCampaignResult&)>& progress) {
  if (!params.folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(params.folder, error);
    if (error) throw SystemFailure("cannot make the folder " + params.folder);
  }
  const JobKinds kinds(catalog);
  for (const Item& item : params.with) kinds.require(item);
  JobCampaignResult result(kinds);
  LatestJobs latest;
  for (std::int64_t number = 0; number < params.count;) {
    if (std::chrono::steady_clock::now() >= params.until) return result;
    Batch jobs(params, kinds, catalog, result.coverage);
    for (const std::int64_t end = std::min(params.count - number, std::int64_t{batch}) + number;
         number < end; ++number)
      jobs.add(next_trial(number, params, result.coverage, latest));
    for (const Trial& trial : jobs.run()) {
      take(trial, result);
      latest.add(trial.items, trial.draft.job, result.coverage);
      if (trial.verdict.fault.empty()) continue;
      if (progress) progress(result);
      result.failures.push_back({trial.number, trial.verdict.sort, trial.verdict.fault,
                                 params.folder.empty() ? "" : save(params, catalog, trial)});
      if (static_cast<int>(result.failures.size()) >= params.failures) return result;
    }
    if (progress) progress(result);
  }
  return result;
}

}  // namespace flitwave::fuzz_jobs
