// testbenches/experiments/findings/claims.hpp: what an experiment is expected to show, and whether
// it does.
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

/// A number that an experiment found, or why it found none.
struct FoundNumber {
  std::optional<double> value;
  std::optional<double> half_width;  ///< Of the 95 % interval of a mean over seeds; see Averaged.
  std::string lack;                  ///< "saturated (7 of 12)"; empty with a value.

  std::string text() const;
};

/// A number of an experiment: a metric averaged over the points that have some settings, or a part
/// of the line that it follows, less or in relation to another one.
struct ClaimedNumber {
  std::string metric;
  Average average = Average::mean;
  LinePart line = LinePart::none;
  Settings of;
  Paths over;
  ConfigNode written;                      ///< For errors.
  std::vector<ClaimedNumber> minus;        ///< One at most.
  std::vector<ClaimedNumber> relative_to;  ///< One at most.

  /// None when a point that it, or a number beside it, is about lacks the metric. A quotient by
  /// zero is infinite, or no number.
  FoundNumber find(const Findings& findings) const;
  /// In words.
  std::string text() const;
};

/// Where the figure of a claim comes from.
enum class ClaimOrigin {
  unstated,
  printed,  ///< The source prints the number.
  read,     ///< A statement of the source's text, or read off a drawn figure.
  ours,     ///< A formula or model of this project, or another program of it.
};
std::vector<std::string> names_of(ClaimOrigin);

/// What a number should be: in a range, or below or above another number.
struct Claim {
  std::string label;        ///< By which claims are listed; empty: none.
  std::string about;        ///< A sentence; empty: none.
  std::string contradicts;  ///< What the source says instead; empty: nothing.
  ClaimOrigin origin = ClaimOrigin::unstated;
  std::string each;  ///< The values of `for` that it is made for; empty: none.
  ClaimedNumber number;
  std::optional<double> least;
  std::optional<double> greatest;
  bool open = false;                     ///< The ends of the range are not in it.
  std::vector<ClaimedNumber> less_than;  ///< One at most.
  std::vector<ClaimedNumber> more_than;  ///< One at most.

  std::vector<const ClaimedNumber*> numbers() const;
};

/// A claim beside what was found.
struct Verdict {
  std::string label;
  std::string about;
  std::string contradicts;
  std::string origin;  ///< As of the claim.
  std::string each;    ///< As of the claim.
  std::string claim;
  std::string expected;
  std::string found;
  bool judged = false;  ///< False when points that it is about lack the metric.
  bool holds = false;   ///< Never when a quotient is by zero.
};

/// Reads the list `expect` of an experiment:
///
/// ```yaml
/// - about: EDN reaches its last node sooner, from 128 B on
///   value: collective.max_us
///   for: {operation.message: [128 B, 256 B]}              # one claim for each
///   of: {algorithm.kind: edn}                             # mean over the points that have these
///   less_than: {of: {algorithm.kind: recursive_doubling}} # what it does not say is as above
/// ```
///
/// Instead of `less_than`: `more_than`, `between: [least, greatest]`, or `equals`; each but
/// `between` also takes a number. `minus` and `relative_to` say what the value is set against
/// before it is compared. `over` names settings over which a mean may go. `line` speaks of the
/// value's line over the lengths of messages. `contradicts` is what the source claims instead:
/// where such a claim holds, the source's is not reproduced. Throws: ConfigError, located.
/// `origin`: of claims that do not state their own.
std::vector<Claim> read_claims(const ConfigNode& expect,
                               ClaimOrigin origin = ClaimOrigin::unstated);

/// The keys of a claim, for the reference.
std::vector<ParameterInfo> claim_info();

Verdict judge(const Claim& claim, const Findings& findings);

/// One line per claim, under the sentences that they belong to.
std::string verdicts_text(const std::vector<Verdict>& verdicts);

}  // namespace flitwave
