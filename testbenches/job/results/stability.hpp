// testbenches/job/results/stability.hpp: decides by the packets in a network whether it carries its
// load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace flitwave {

/// The drift of a series of samples at equal distances.
struct Drift {
  double growth = 0;        ///< Over all samples, along the line of least squares.
  double growth_error = 0;  ///< Its standard error.
  double gained = 0;        ///< The last sample less the first.
  double gained_error = 0;  ///< Its standard error, were all gains independent.
};

/// Cycles that must be measured for a trend; fewer do not yield enough samples for drift_of.
constexpr int shortest_trend = 60;

/// The line is fitted to the means of 30 batches; a gain is the difference between the ends of two
/// successive batches. Correlation of successive batches widens both errors.
/// Returns: none of fewer than 61 samples.
std::optional<Drift> drift_of(const std::vector<double>& samples);

/// How large a drift must be to count as growth. The number of packets in a network that carries
/// its load fluctuates, slowly near saturation: the line may then show growth where the sum of
/// gains, which stays within the fluctuation, does not. Both show a load that is not carried.
struct GrowthTest {
  double growth_errors = 0;  ///< Least growth, in its standard errors, together with ...
  double gained_errors = 0;  ///< ... this least gain, in its standard errors;
  double gained_alone = 0;   ///< or least gain alone, in its standard errors.
  double least_share = 0;    ///< Least growth as a share of the packets offered meanwhile.

  /// `offered`: the packets offered over all samples.
  bool finds(const Drift& drift, double offered) const;
};

/// For a complete measurement. Finds growth in at most 1 % of series without any, if the series
/// decorrelates within a fifth of the samples.
constexpr GrowthTest whole_window{2.5, 1.25, 3, 0.001};
/// For three tests before the end: finds only growth that no later samples would refute.
constexpr GrowthTest part_of_window{5, 3, 6, 0.02};

/// Half the width of the 95 % confidence interval of a rate, from the amounts of equal time
/// intervals, by the method of BatchMeans.
/// Returns: none for fewer than 60 intervals.
/// Unit: that of `amounts`, per time interval
std::optional<double> rate_interval(const std::vector<double>& amounts);

}  // namespace flitwave
