// testbenches/fuzz_jobs/job_draw.hpp: whole jobs, drawn and repaired until `check` accepts them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/fuzz_jobs/job_coverage.hpp"
#include "testbenches/fuzz_jobs/value_draw.hpp"

namespace flitwave::fuzz_jobs {

/// A job and files, of which it names some.
struct DrawnJob {
  ConfigNode tree;
  std::vector<JobFile> files;

  /// Writes NAME.yaml and the files that it names into a folder. Throws: SystemFailure
  void write(const std::string& folder, const std::string& name = "job",
             const std::string& comment = "") const;
  /// The job as if it were read from NAME.yaml in the folder.
  Scenario scenario(const std::string& folder, const std::string& name = "job") const;
};

/// Why a job was rejected.
struct Refusal {
  std::string key;
  std::string text;  ///< Key, problem and remedy.
  std::string remedy;
};

/// Reads and plans a job as `flitwave check` does, as far as modules are not made.
/// Returns: why it is rejected; an empty text when it is accepted.
/// Throws: whatever is no ConfigError; it is a fault of the program.
Refusal refusal_of(const Scenario& job, const Catalog& catalog);

/// What a job is to have, and where to begin.
struct Aim {
  std::vector<Item> pins;   ///< Items that the job is to have.
  std::vector<Item> likes;  ///< Items that it has at first, and may lose by repairs.
  /// Jobs that were accepted, each with some of the pins: where none is found from the likes, one
  /// is sought from each of these.
  std::vector<DrawnJob> bases;
  /// A job that was accepted with all of the pins: one near it is sought.
  std::optional<DrawnJob> both;
};

/// What to draw.
struct DrawParams {
  std::uint64_t seed = 1;
  std::int64_t number = 0;
  std::vector<Aim> aims;  ///< The first one for which a job is found; none: any job.
  int repairs = 60;       ///< In a search without pins; twice as many with them.
  /// Where runs lack: an accepted job is changed so that it adds more of them.
  const JobCoverage* coverage = nullptr;
  int additions = 24;  ///< Changes that are tried for that.
};

/// Why no job was found for an aim.
struct Miss {
  std::string reason;       ///< See JobRefusals.
  bool names_pins = false;  ///< Messages that name all that was pinned were frequent.
};

/// A job that was drawn, and how it came about.
struct Draft {
  DrawnJob job;
  Refusal refusal;           ///< Of the last version; its text is empty when that is accepted.
  bool as_drawn = false;     ///< Accepted without a repair.
  bool with_pins = false;    ///< Accepted with all that an aim pins.
  std::vector<Miss> misses;  ///< Of each aim before that one; of all when there is none.
};

/// Draws a job and repairs it by what its error messages name. For an aim it searches three times,
/// from the likes and from the bases, or near the job with both; after all aims any job will do.
/// Jobs that are tried are written to `folder` before they are read, so that one that ends the
/// process is known.
Draft draw_job(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
               const std::string& folder);

}  // namespace flitwave::fuzz_jobs
