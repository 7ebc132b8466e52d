// testbenches/experiments/manual/manual.hpp: the settings of a job as text for a person.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// A remark after the parameters of a kind: a line, and below it its meaning.
struct ManualRemark {
  std::string line;
  std::string meaning{};  ///< May be empty.
};

/// A kind in the manual.
struct ManualEntry : KindInfo {
  std::vector<ManualRemark> remarks{};
};

/// The kinds of one part of a job; the part `job` has the sections without kinds, and `metric` the
/// numbers that runs report.
struct ManualRoom {
  std::string name;      ///< As in a job, e.g. "topology".
  std::string sentence;  ///< A description of the part.
  std::vector<ManualEntry> entries;
};

/// Every kind and every section, in the order of a job.
std::vector<ManualRoom> manual(const Catalog& catalog);

/// A part of a job, then its entries with a sentence each, indented.
std::string list_text(const ManualRoom& room);
/// An entry with its parameters: type, range, default, meaning.
std::string entry_text(const ManualRoom& room, const ManualEntry& entry);

/// The part of that name.
/// Throws: ConfigError naming the existing parts.
const ManualRoom& find_room(const std::vector<ManualRoom>& rooms, const std::string& name);

/// The text on a kind, a section or a part: "torus", "topology.torus", "channel", "topology".
/// Throws: ConfigError when there is none, naming the nearest, or when a kind is in several parts,
///   naming them.
std::string describe(const std::vector<ManualRoom>& rooms, const std::string& name);

}  // namespace flitwave
