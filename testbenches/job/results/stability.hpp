// testbenches/job/results/stability.hpp: whether a network carries its load, by the packets in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace flitwave {

/// How a series of samples at equal distances has moved.
struct Drift {
  double growth = 0;        ///< Over all samples, along the line of least squares.
  double growth_error = 0;  ///< Its standard error.
  double gained = 0;        ///< The last sample less the first.
  double gained_error = 0;  ///< Its standard error, were all gains independent.
};

/// Cycles that must be measured for a trend: of fewer, there are not samples enough for drift_of.
constexpr int shortest_trend = 60;

/// The line goes through the means of 30 batches, and gains are those from the end of one batch to
/// the end of the next. What neighbours correlate widens both errors.
/// Returns: none of fewer than 61 samples.
std::optional<Drift> drift_of(const std::vector<double>& samples);

/// How large a drift must be to count as growth. A population that is carried swings, slowly near
/// saturation: a line then finds growth where the sum of gains does not, for that stays within the
/// swing. A load that is not carried shows in both.
struct GrowthTest {
  double growth_errors = 0;  ///< Least growth, in its standard errors, ...
  double gained_errors = 0;  ///< ... when also the gain is as many of its own, ...
  double gained_alone = 0;   ///< ... or the gain is so many.
  double least_share = 0;    ///< Least growth: of what is offered meanwhile.

  /// `offered`: what came in over all samples.
  bool finds(const Drift& drift, double offered) const;
};

/// When all is measured. Finds growth in at most 1 % of series without any, if what a series is at
/// one time is forgotten within a fifth of the samples.
constexpr GrowthTest whole_window{2.5, 1.25, 3, 0.001};
/// Sooner, thrice: finds what nothing that follows would refute.
constexpr GrowthTest part_of_window{5, 3, 6, 0.02};

/// Half the width of the 95 % confidence interval of a rate, of how much came in each of equal
/// times, as BatchMeans does it.
/// Returns: none of fewer than 60 times.
/// Unit: that of `amounts`, for each such time
std::optional<double> rate_interval(const std::vector<double>& amounts);

}  // namespace flitwave
