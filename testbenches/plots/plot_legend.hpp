// testbenches/plots/plot_legend.hpp: what lines of a plot are called, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/experiments/findings/experiment_tables.hpp"

namespace flitwave {

/// The name of a setting without its section, in words: "send overhead" of node.send_overhead. A
/// name that abbreviates the first words of the setting's description gives way to these: "virtual
/// channels" of channel.vcs.
std::string words_of_setting(const std::string& path);

/// What a setting is, in words: "8x8" of [8, 8], "edn transposition, payload constant" of {kind:
/// edn_transposition, payload: constant}.
std::string words_of_value(const ConfigNode& value);

/// A name for each group of points: the values of the settings in which they differ. Words speak
/// for themselves; where a setting is a number in some group, its name comes before it, as in
/// "virtual channels: 4". Empty without settings.
std::vector<std::string> legend(const Findings& findings, const std::vector<Group>& groups,
                                const Paths& settings);

}  // namespace flitwave
