// testbenches/fuzz_jobs/job_draw.cpp: see job_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_draw.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_drafter.hpp"
#include "testbenches/fuzz_jobs/job_refusals.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/child_pool.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr std::size_t searches_for_aim = 3;
constexpr int repairs_of_additions = 4;
constexpr int proof_in_search = 12;  // rejections by messages that name all pinned items

void write_text(const std::string& path, const std::string& text) {
  std::filesystem::remove(path);  // overwriting a file would flush it to the disk each time
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw SystemFailure("cannot write " + path);
}

}  // namespace

void DrawnJob::write(const std::string& folder, const std::string& name,
                     const std::string& comment) const {
  const std::string job = tree.to_yaml();
  for (const JobFile& file : files)
    if (job.find(file.name) != std::string::npos) write_text(folder + "/" + file.name, file.text);
  write_text(folder + "/" + name + ".yaml", comment + job);
}

Scenario DrawnJob::scenario(const std::string& folder, const std::string& name) const {
  return Scenario::parse(tree.to_yaml(), folder + "/" + name + ".yaml");
}

namespace {

Refusal refusal_by(const ConfigError& error) {
  const std::string remedy = error.remedy().empty() ? "" : "; " + error.remedy();
  return {error.key(), error.key() + ": " + error.problem() + remedy, error.remedy()};
}

/// Builds the modules, as simulations do: once in a process, so in one of their own.
Refusal refusal_of_modules(const Job& job, const Plan& plan) {
  constexpr char mark = '\x1f';  // between the parts of the rejection; in no message
  const std::string fault = run_in_child([&] {
    try {
      check_modules(job, plan);
    } catch (const ConfigError& error) {
      const Refusal refusal = refusal_by(error);
      throw std::runtime_error(refusal.key + mark + refusal.text + mark + refusal.remedy);
    }
  });
  const std::size_t first = fault.find(mark);
  if (first == std::string::npos) return {};  // a fault of the program shows when the job is run
  const std::size_t second = fault.find(mark, first + 1);
  return {fault.substr(0, first), fault.substr(first + 1, second - first - 1),
          fault.substr(second + 1)};
}

}  // namespace

Refusal refusal_of(const Scenario& scenario, const Catalog& catalog) try {
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job, Plan::Check::always);
  const bool only_planned = job.devices.empty() && !job.wave;  // the others have no more rules
  return only_planned || !job.is_clocked() ? Refusal{} : refusal_of_modules(job, plan);
} catch (const ConfigError& error) {
  return refusal_by(error);
}

namespace {

/// Searches for one job.
class Search {
 public:
  Search(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
         const std::string& folder)
      : kinds_(kinds),
        catalog_(catalog),
        params_(params),
        folder_(folder),
        random_(params.seed, "job", static_cast<std::uint64_t>(params.number)),
        drafter_(kinds, catalog, {}, random_) {}

  Draft run() {
    if (params_.aims.empty()) {
      search_from(drafter_.draw({}), params_.repairs);
      return std::move(draft_);
    }
    for (const Aim& aim : params_.aims) {
      drafter_.set_pins(aim.pins);
      refusals_.emplace(kinds_, aim.pins);
      draft_.with_pins = aim.both ? search_near(*aim.both) : search_for(aim);
      if (draft_.with_pins) break;
      draft_.misses.push_back({refusals_->reason(), refusals_->naming_all() >= proof_in_search});
    }
    if (!draft_.with_pins) {
      drafter_.set_pins({});
      search_from(drafter_.draw({}), params_.repairs);
    }
    if (draft_.refusal.text.empty() && params_.coverage) add_items();
    return std::move(draft_);
  }

 private:
  /// Returns: whether the job, as it is or after repairs, is accepted with all pinned items.
  /// `draft_` has the last version.
  bool search_from(ConfigNode job, int repairs) {
    const bool is_first = draft_.job.tree.is_null();
    const std::vector<Item>& pins = drafter_.pins();
    const int proven = pins.empty() ? 0 : refusals_->naming_all() + proof_in_search;
    for (int repair = 0;; ++repair) {
      draft_.job = {std::move(job), drafter_.files()};
      draft_.job.write(folder_);
      draft_.refusal = refusal_of(draft_.job.scenario(folder_), catalog_);
      const std::string& text = draft_.refusal.text;
      if (text.empty()) {
        draft_.as_drawn = is_first && repair == 0;
        return pins.empty() || has_all(items_of(draft_.job), pins);
      }
      if (!pins.empty()) refusals_->add(text);
      if (repair >= repairs || (!pins.empty() && refusals_->naming_all() >= proven)) return false;
      job = drafter_.repair(draft_.job.tree, draft_.refusal);
    }
  }

  /// Searches from the likes and from accepted jobs with one of the pins.
  bool search_for(const Aim& aim) {
    for (std::size_t search = 0; search < searches_for_aim; ++search) {
      const bool from_base = search > 0 && search <= aim.bases.size();
      const ConfigNode first =
          from_base ? drafter_.draw_from(aim.bases[search - 1]) : drafter_.draw(aim.likes);
      if (search_from(first, 2 * params_.repairs)) return true;
    }
    return false;
  }

  /// Searches near a job with all pinned items.
  bool search_near(const DrawnJob& base) {
    for (std::size_t tries = 0; tries < searches_for_aim; ++tries)
      if (search_from(drafter_.vary(base), params_.repairs / 4)) return true;
    return false;
  }

  std::vector<Item> items_of(const DrawnJob& job) const {
    return kinds_.items_of(job.tree, Job::read(job.scenario(folder_), catalog_).resolved());
  }

  /// Adds items with missing runs to the job, one after the other. An addition is kept if the job
  /// is accepted and contributes more runs than before.
  void add_items() {
    const std::vector<Item> pins = drafter_.pins();
    std::vector<Item> present = items_of(draft_.job);
    std::int64_t gained = params_.coverage->gain(present);
    Draft best = draft_;
    for (int addition = 0; addition < params_.additions; ++addition) {
      const std::optional<Item> item = params_.coverage->missing(present, pins, random_);
      if (!item) break;
      std::vector<Item> more = pins;
      more.push_back(*item);
      drafter_.set_pins(more);
      refusals_.emplace(kinds_, more);
      draft_ = best;
      if (!search_from(drafter_.with_more(best.job, *item), repairs_of_additions)) continue;
      const std::vector<Item> items = items_of(draft_.job);
      const std::int64_t gain = params_.coverage->gain(items);
      if (gain <= gained || !has_all(items, pins)) continue;
      draft_.as_drawn = best.as_drawn;
      best = draft_;
      present = items;
      gained = gain;
    }
    draft_ = best;
    drafter_.set_pins(pins);
    draft_.job.write(folder_);
  }

  static bool has_all(const std::vector<Item>& items, const std::vector<Item>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&items](const Item& item) {
      return std::find(items.begin(), items.end(), item) != items.end();
    });
  }

  const JobKinds& kinds_;
  const Catalog& catalog_;
  const DrawParams& params_;
  const std::string& folder_;
  Random random_;
  Drafter drafter_;
  std::optional<JobRefusals> refusals_;  ///< Of the current aim.
  Draft draft_;
};

}  // namespace

Draft draw_job(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
               const std::string& folder) {
  return Search(kinds, catalog, params, folder).run();
}

}  // namespace flitwave::fuzz_jobs
