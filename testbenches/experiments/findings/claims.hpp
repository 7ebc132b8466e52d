// testbenches/experiments/findings/claims.hpp: claims on the results of an experiment, and their
// verdicts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "testbenches/experiments/findings/experiment_tables.hpp"
#include "testbenches/experiments/findings/findings.hpp"
#include "testbenches/experiments/findings/latency_line.hpp"

namespace flitwave {

/// A number of an experiment's results, or why there is none.
struct FoundNumber {
  std::optional<double> value;
  std::optional<double> half_width;  ///< Half the 95 % interval of a mean over seeds; see Averaged.
  std::string lack;                  ///< "saturated (7 of 12)"; empty with a value.

  std::string text() const;
};

/// A number of an experiment: a metric averaged over the points with some settings, or a part of
/// its line, minus or divided by another number.
struct ClaimedNumber {
  std::string metric;
  Average average = Average::mean;
  LinePart line = LinePart::none;
  Settings of;
  Paths over;
  ConfigNode written;                      ///< For errors.
  std::vector<ClaimedNumber> minus;        ///< One at most.
  std::vector<ClaimedNumber> relative_to;  ///< One at most.

  /// None when a point of it, or of a number beside it, lacks the metric. A quotient by zero is
  /// infinite, or no number.
  FoundNumber find(const Findings& findings) const;
  /// As text.
  std::string text() const;
};

/// The origin of the figure of a claim.
enum class ClaimOrigin {
  unstated,
  printed,  ///< The source prints the number.
  read,     ///< A statement of the source's text, or read off a plot.
  ours,     ///< A formula or model of this project, or another program of it.
};
std::vector<std::string> names_of(ClaimOrigin);

/// The expected range of a number, or another number above or below it.
struct Claim {
  std::string label;        ///< The name by which claims are listed; empty: none.
  std::string about;        ///< A sentence; empty: none.
  std::string contradicts;  ///< The opposite statement of the source; empty: none.
  ClaimOrigin origin = ClaimOrigin::unstated;
  std::string each;  ///< The values of `for` of this claim; empty: none.
  ClaimedNumber number;
  std::optional<double> least;
  std::optional<double> greatest;
  bool open = false;                     ///< The range excludes its ends.
  std::vector<ClaimedNumber> less_than;  ///< One at most.
  std::vector<ClaimedNumber> more_than;  ///< One at most.

  std::vector<const ClaimedNumber*> numbers() const;
};

/// A claim with the value found.
struct Verdict {
  std::string label;
  std::string about;
  std::string contradicts;
  std::string origin;  ///< As of the claim.
  std::string each;    ///< As of the claim.
  std::string claim;
  std::string expected;
  std::string found;
  bool judged = false;  ///< False when points of the claim lack the metric.
  bool holds = false;   ///< False for a quotient by zero.
};

/// Reads the list `expect` of an experiment:
///
/// ```yaml
/// - about: EDN reaches its last node sooner, from 128 B on
///   value: collective.max_us for: {operation.message: [128 B, 256 B]}              # one claim for
///   each of: {algorithm.kind: edn}                             # mean over the points with these
///   settings less_than: {of: {algorithm.kind: recursive_doubling}} # unspecified settings are as
///   above ```
///
/// Instead of `less_than`: `more_than`, `between: [least, greatest]`, or `equals`; each but
/// `between` also takes a number. `minus` and `relative_to` name the number that is subtracted from
/// the value, or that it is divided by, before it is compared. `over` names settings over which a
/// mean may be taken. `line` selects a part of the value's line over the lengths of messages.
/// `contradicts` is the opposite claim of the source: where such a claim holds, that of the source
/// is not reproduced. Throws: ConfigError, located. `origin`: for claims that do not state their
/// own.
std::vector<Claim> read_claims(const ConfigNode& expect,
                               ClaimOrigin origin = ClaimOrigin::unstated);

/// The keys of a claim, for the reference.
std::vector<ParameterInfo> claim_info();

Verdict judge(const Claim& claim, const Findings& findings);

/// One line per claim, below the sentences of the claims.
std::string verdicts_text(const std::vector<Verdict>& verdicts);

}  // namespace flitwave
