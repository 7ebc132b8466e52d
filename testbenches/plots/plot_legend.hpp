// testbenches/plots/plot_legend.hpp: the names of the lines of a plot, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/findings/experiment_tables.hpp"

namespace flitwave {

/// The name of a setting without its section, in words: "send overhead" of node.send_overhead. A
/// name that abbreviates the first words of the setting's description is replaced by these:
/// "virtual channels" of channel.vcs. `titles`: a map from settings and values to words, which have
/// precedence; may be null.
std::string words_of_setting(const std::string& path, const ConfigNode& titles = {});

/// The label of a setting at an axis: the beginning of its description, if that is short, else its
/// name in words.
std::string title_of_setting(const std::string& path, const Findings& findings,
                             const ConfigNode& titles);

/// The value of a setting in words: "8x8" of [8, 8], "edn transposition, payload constant" of
/// {kind: edn_transposition, payload: constant}. `titles`: as above.
std::string words_of_value(const ConfigNode& value, const ConfigNode& titles = {});

/// A name for each group of points: the values of the settings in which they differ. Where a
/// setting is a number in some group, its name precedes the value, as in "virtual channels: 4".
/// Empty without settings.
std::vector<std::string> legend(const Findings& findings, const std::vector<Group>& groups,
                                const Paths& settings, const ConfigNode& titles = {});

}  // namespace flitwave
