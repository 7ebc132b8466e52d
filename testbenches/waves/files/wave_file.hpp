// testbenches/waves/files/wave_file.hpp: a file of a wave, whatever its format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "modules/signals/flit.hpp"
#include "testbenches/job/run_params.hpp"

namespace flitwave {

/// Takes the values of variables.
class ValueSink {
 public:
  /// The variables first, first + 1, ... whose bit is set. Shape: `values` [any]
  virtual void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) = 0;
  void change(std::size_t variable, std::uint64_t value) { change(variable, &value, 1); }

 protected:
  ~ValueSink() = default;
};

/// A variable of a wave.
struct WaveVariable {
  std::string scope;  ///< Modules, outermost first, joined by dots.
  std::string name;
  int width;            ///< Range: 1 .. 64
  int names = -1;       ///< Of its values: index into WaveNames::lists; -1: none.
  bool packet = false;  ///< Its values are those of `packet_value`, and are written as texts.

  /// "vc [1:0]", or "valid" for a single bit and for texts.
  std::string declared_name() const;
};

/// Names of values, such as the kinds of flits and the labels of nodes, by value.
struct WaveNames {
  struct List {
    std::string title;
    std::vector<std::string> names;
  };
  std::vector<List> lists;
};
/// Positions in WaveNames::lists. Packets have their names after the labels of nodes.
inline constexpr int node_names = 0;
inline constexpr int kind_names = 1;
inline constexpr int state_names = 2;

/// The bits of a value, the highest first, as viewers find its name by them.
std::string bits_text(std::uint64_t value, int width);

/// The value of a variable that shows a packet; 0 shows none. `number`: counts the packets of the
/// source. Range: below 2^45
inline std::uint64_t packet_value(NodeId source, std::int64_t number) {
  return static_cast<std::uint64_t>(number) * Flit::max_nodes +
         static_cast<std::uint64_t>(source.value()) + 1;
}

/// The texts of packets: "3_1#17" is the packet with number 17 of node 3_1; "-" is none.
class PacketTexts {
 public:
  explicit PacketTexts(const WaveNames& names);

  /// The space that a text needs at most while it is written.
  std::size_t longest() const { return longest_; }
  /// Writes the text of a value of `packet_value`; there must be space for the longest one.
  /// Returns: its end.
  char* write(char* at, std::uint64_t value) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // spreads values over the places
    Written& last = written_[value * odd >> (64 - place_bits)];
    if (last.value != value || last.length == 0) return write_new(at, value, last);
    std::memcpy(at, last.text.data(), last.text.size());
    return at + last.length;
  }

 private:
  static constexpr int place_bits = 10;
  /// A packet crosses many channels, and its text is the same on all.
  struct Written {
    std::uint64_t value = 0;
    std::array<char, 23> text{};
    std::uint8_t length = 0;  // 0: of no value, or longer than `text`
  };
  struct Prefix {
    std::vector<std::uint64_t> words;  // its characters and padding, copied in words
    std::size_t length = 0;
  };

  char* write_new(char* at, std::uint64_t value, Written& last);
  char* write_text(char* at, std::uint64_t value) const;

  std::vector<Prefix> prefixes_;  // per node
  std::vector<Written> written_;  // a value has one place
  std::size_t longest_ = Written{}.text.size();
};

/// A file that is being written; a time unit is a picosecond. It contains no date: equal runs give
/// equal files.
///
/// Changes are written in steps, one for each time at which a value changes.
class WaveFile : public ValueSink {
 public:
  virtual ~WaveFile() = default;

  /// Returns: what takes the changes of this step; null when the file is full.
  virtual ValueSink* begin_step(std::int64_t time) = 0;
  /// "$dumpvars" or "$dumpon": all values follow, until `end_values`.
  virtual void begin_values(const char* command) = 0;
  virtual void end_values() = 0;
  virtual void make_unknown(std::size_t variable) = 0;
  /// A step in which nothing was written adds nothing to the file.
  /// Returns: false when the file is full.
  /// Throws: SystemFailure
  virtual bool end_step() = 0;
  /// Whether the limit of its size is reached.
  virtual bool full() const = 0;
  /// Ends the file at `time`, unless it is full, and closes it.
  /// Throws: SystemFailure when any of it could not be written.
  virtual void close(std::int64_t time) = 0;
  /// After `close`: the last time in the file.
  virtual std::int64_t last_time() const = 0;
};

/// What a list of variables consists of.
class VariableVisitor {
 public:
  virtual void enter(const std::string& scope) = 0;
  virtual void leave() = 0;
  virtual void declare(const WaveVariable& variable) = 0;

 protected:
  ~VariableVisitor() = default;
};

/// Visits the variables in their order, and the scopes between them; ends outside all scopes.
void visit(const std::vector<WaveVariable>& variables, VariableVisitor& visitor);

/// Writes the header. Variable i of the list is number i later on.
/// Throws: SystemFailure; ConfigError on wave.format when this program cannot write it.
std::unique_ptr<WaveFile> open_wave_file(WaveFormat format, const std::string& path,
                                         std::int64_t limit,
                                         const std::vector<WaveVariable>& variables,
                                         const WaveNames& names, const std::string& comment);

/// Throws: SystemFailure which states, with the last system error, that `path` cannot be written.
[[noreturn]] void fail_writing(const std::string& path);

/// Throws: ConfigError on wave.format when this program cannot write it, naming what is missing.
void require_format(WaveFormat format);

}  // namespace flitwave
