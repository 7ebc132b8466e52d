// testbenches/fuzz_jobs/job_draw.hpp: generates random whole jobs and repairs them until `check`
// accepts them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/fuzz_jobs/job_coverage.hpp"
#include "testbenches/fuzz_jobs/value_draw.hpp"

namespace flitwave::fuzz_jobs {

/// A job and the files that it names.
struct DrawnJob {
  ConfigNode tree;
  std::vector<JobFile> files;

  /// Writes NAME.yaml and the files that it names into a folder. Throws: SystemFailure
  void write(const std::string& folder, const std::string& name = "job",
             const std::string& comment = "") const;
  /// The job as read from NAME.yaml in the folder.
  Scenario scenario(const std::string& folder, const std::string& name = "job") const;
};

/// The rejection of a job.
struct Refusal {
  std::string key;
  std::string text;  ///< Key, problem and remedy.
  std::string remedy;
};

/// Reads and plans a job as `flitwave check` does; its modules are built if it has devices or a
/// wave. Returns: the rejection; its text is empty when the job is accepted. Throws: any exception
/// other than ConfigError; it is a fault of the program.
Refusal refusal_of(const Scenario& job, const Catalog& catalog);

/// The items that a job must have, and the starting points of the search.
struct Aim {
  std::vector<Item> pins;   ///< Items that the job must have.
  std::vector<Item> likes;  ///< Items that it has at first and may lose by repairs.
  /// Accepted jobs, each with some of the pins: if no job is found from the likes, the search
  /// starts from each of these.
  std::vector<DrawnJob> bases;
  /// An accepted job with all of the pins: the search is near this one.
  std::optional<DrawnJob> both;
};

/// The parameters of a random job.
struct DrawParams {
  std::uint64_t seed = 1;
  std::int64_t number = 0;
  std::vector<Aim> aims;  ///< The first one for which a job is found; none: any job.
  int repairs = 60;       ///< In a search without pins; twice as many with pins.
  /// The missing runs: an accepted job is changed so that it contributes more of them.
  const JobCoverage* coverage = nullptr;
  int additions = 24;  ///< Changes tried for this purpose.
};

/// The reason why no job was found for an aim.
struct Miss {
  std::string reason;       ///< See JobRefusals.
  bool names_pins = false;  ///< Many messages named all pinned items.
};

/// A random job and how it was found.
struct Draft {
  DrawnJob job;
  Refusal refusal;           ///< Of the last version; its text is empty when it is accepted.
  bool as_drawn = false;     ///< Accepted without a repair.
  bool with_pins = false;    ///< Accepted with all pins of an aim.
  std::vector<Miss> misses;  ///< Of each preceding aim; of all aims if none succeeded.
};

/// Generates a job and repairs it as its error messages suggest. For an aim there are three
/// searches: from the likes and from the bases, or near the job with both. After all aims, any job
/// is used. Each job is written to `folder` before it is read, so that a job that ends the process
/// is known.
Draft draw_job(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
               const std::string& folder);

}  // namespace flitwave::fuzz_jobs
