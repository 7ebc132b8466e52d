// configs/input_file.hpp: files that a job names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "configs/codec.hpp"

namespace flitwave {

/// A file that a job names; a relative path starts at the job's own folder.
struct InputFile {
  std::string path;  ///< Absolute or relative to the current folder; empty for none.

  static constexpr std::size_t most_bytes = std::size_t{256} << 20;  ///< Of an input file.

  bool given() const { return !path.empty(); }
};

template <>
struct Codec<InputFile> {
  static InputFile read(const ConfigNode& node);
  static std::string print(const InputFile& value);  ///< Absolute, so that it can be read again.
  static ValueType type();
};

/// The whole file. `key` is the parameter that names it.
/// Throws: ConfigError on `key` when it cannot be read or is longer than `most_bytes`.
std::string contents_of(const InputFile& file, const std::string& key);

/// One line of a file of words.
struct WordLine {
  Place place;
  std::vector<std::string> words;

  /// The word as an integer, as in "12"; `what` names it in messages.
  /// Throws: ConfigError at this line when it is not an integer.
  std::int64_t number(std::size_t word, const std::string& what) const;
  /// An error at this line, to be thrown.
  ConfigError error(std::string problem, std::string remedy = "") const;
};

/// The permitted numbers of words in a line.
struct WordCount {
  std::size_t least;
  std::size_t most;

  WordCount(std::size_t exact) : least(exact), most(exact) {}
  WordCount(std::size_t fewest, std::size_t greatest) : least(fewest), most(greatest) {}
};

/// Calls `visit` for each line that has words; a # starts a comment.
/// Throws: ConfigError on `key` when the file cannot be read, and at a line with another number of
///   words; `form` is the expected form of a line, e.g. "SOURCE DESTINATION".
void for_each_line(const InputFile& file, const std::string& key, WordCount words,
                   const std::string& form, const std::function<void(const WordLine&)>& visit);

}  // namespace flitwave
