// testbenches/experiments/manual/manual.hpp: what can stand in a job, as text for a person.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// What follows the parameters of a kind: a line, and below it what it means.
struct ManualRemark {
  std::string line;
  std::string meaning{};  ///< May be empty.
};

/// A kind as the manual shows it.
struct ManualEntry : KindInfo {
  std::vector<ManualRemark> remarks{};
};

/// The kinds of one part of a job; the part `job` has the sections that have no kinds, and `metric`
/// the numbers that runs report.
struct ManualRoom {
  std::string name;      ///< As in a job, e.g. "topology".
  std::string sentence;  ///< What the part says.
  std::vector<ManualEntry> entries;
};

/// Every kind and every section, in the order of a job.
std::vector<ManualRoom> manual(const Catalog& catalog);

/// A room, then its entries with a sentence each, indented.
std::string list_text(const ManualRoom& room);
/// An entry with its parameters: type, range, default, meaning.
std::string entry_text(const ManualRoom& room, const ManualEntry& entry);

/// The room of that name.
/// Throws: ConfigError naming the rooms there are.
const ManualRoom& find_room(const std::vector<ManualRoom>& rooms, const std::string& name);

/// The text on a kind, a section or a room: "torus", "topology.torus", "channel", "topology".
/// Throws: ConfigError when there is none, naming the nearest, or when a kind is in several rooms,
///   naming them.
std::string describe(const std::vector<ManualRoom>& rooms, const std::string& name);

}  // namespace flitwave
