// testbenches/fuzz_jobs/job_drafter.hpp: generates the sections of jobs so that they fit a small
// network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// The job with an end of its simulation: with a saturated load a collective may never end.
ConfigNode with_end(const ConfigNode& job);

/// Generates jobs with pinned items: whole ones and variations of others. Its constructor's
/// arguments must outlive it.
class Drafter {
 public:
  Drafter(const JobKinds& kinds, const Catalog& catalog, std::vector<Item> pins, Random& random)
      : kinds_(kinds),
        catalog_(catalog),
        pins_(std::move(pins)),
        random_(random),
        values_(kinds, pins_, random) {}
  Drafter(const Drafter&) = delete;
  Drafter& operator=(const Drafter&) = delete;

  /// `likes`: pinned in this job only.
  ConfigNode draw(const std::vector<Item>& likes);
  /// A variation of the base with the pinned items: sections with pins are generated anew.
  ConfigNode draw_from(const DrawnJob& base);
  /// A variation of the base that keeps the pinned items: its seed is generated anew, and so is a
  /// section without pins.
  ConfigNode vary(const DrawnJob& base);
  /// The job with an additional item.
  ConfigNode with_more(const DrawnJob& base, const Item& item);
  ConfigNode repair(const ConfigNode& job, const Refusal& refusal);

  const std::vector<Item>& pins() const { return pins_; }
  void set_pins(std::vector<Item> pins) { pins_ = std::move(pins); }
  const std::vector<JobFile>& files() const { return values_.files(); }
  Random& random() { return random_; }

 private:
  ConfigNode draw_sections();
  void redraw_topology(ConfigNode& job);
  void fit_network(ConfigNode& job);
  void begin_from(const DrawnJob& base);
  std::vector<std::string> draw_loads(const Json& choices);
  bool is_some_load(const std::string& key) const;

  const JobKinds& kinds_;
  const Catalog& catalog_;
  std::vector<Item> pins_;
  Random& random_;
  ValueDraw values_;
  std::vector<std::string> loads_;  ///< Sections of which a job needs one.
};

}  // namespace flitwave::fuzz_jobs
