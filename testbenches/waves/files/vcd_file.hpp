// testbenches/waves/files/vcd_file.hpp: writes a value change dump within a size limit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "modules/signals/compiler.hpp"
#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

/// The text of a value before the code of its variable, and padding, so that all of it can be
/// copied at once.
struct VcdDigits {
  std::array<char, 15> text{};
  std::uint8_t length = 0;
};

/// Writes the scopes of the declarations of a VCD file.
class VcdScopes : public VariableVisitor {
 public:
  void enter(const std::string& scope) override { text += "$scope module " + scope + " $end\n"; }
  void leave() override { text += "$upscope $end\n"; }

  std::string text;

 protected:
  ~VcdScopes() = default;
};

/// A VCD file, or a stream of its text. A step that would make it larger than its limit is omitted
/// whole, a comment states this, and it is full.
/// Packets are written as strings, an extension of the format that viewers read.
/// Source: IEEE 1364-2005, section 18.
class VcdFile final : public WaveFile {
 public:
  /// The text before the first change. Variables of one scope are listed together.
  static std::string header(const std::vector<WaveVariable>& variables, const std::string& comment);

  /// Writes the header; variable i of the list is number i later on. `pipe`: of popen; written
  /// instead of a file of this path.
  /// Throws: SystemFailure
  VcdFile(std::string path, std::int64_t limit, const std::vector<WaveVariable>& variables,
          const WaveNames& names, const std::string& comment);
  VcdFile(std::string path, std::FILE* pipe, std::int64_t limit,
          const std::vector<WaveVariable>& variables, const WaveNames& names,
          const std::string& comment);

  ValueSink* begin_step(std::int64_t time) override;
  void begin_values(const char* command) override;
  void end_values() override;
  using WaveFile::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override;
  void make_unknown(std::size_t variable) override;
  bool end_step() override;

  bool full() const override { return full_; }
  /// The size so far. Unit: B
  std::int64_t size() const { return written_ + static_cast<std::int64_t>(used_); }
  void close(std::int64_t time) override;
  std::int64_t last_time() const override { return last_time_; }

 private:
  /// How the changes of a variable are written.
  struct Tail {
    std::array<char, 8> text{};  ///< After a value: " ID\n"; a scalar has no blank.
    const VcdDigits* digits = nullptr;
    std::uint16_t texts = 0;  ///< Values below have their text in `digits`.
    std::uint8_t length = 0;  ///< Of `text`.
    bool is_packet = false;
    bool is_scalar = false;
  };
  struct Closer {
    int (*close)(std::FILE*);
    void operator()(std::FILE* file) const { close(file); }
  };
  using File = std::unique_ptr<std::FILE, Closer>;

  VcdFile(std::string path, File file, std::int64_t limit,
          const std::vector<WaveVariable>& variables, const WaveNames& names,
          const std::string& comment);

  static Tail tail_of(std::size_t number, const WaveVariable& variable);
  void append(const std::string& text);
  static char* write_tail(char* at, const Tail& tail);
  FLITWAVE_APART void change_in_more_room(std::size_t first, const std::uint64_t* values,
                                          std::uint64_t which);
  FLITWAVE_APART void change_long(char* at, const Tail* tails, const std::uint64_t* values,
                                  std::uint64_t which);
  char* room(std::size_t bytes);
  void write_time(std::int64_t time);
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;
  std::int64_t limit_;
  std::int64_t last_step_ends_by_;  // bytes of the file: after it the last comment fits
  File file_;
  PacketTexts packets_;
  std::size_t room_for_changes_;  // bytes that one call of `change` needs at most
  std::vector<Tail> tails_;       // Shape: [variables]
  std::vector<char> buffer_;
  std::size_t used_ = 0;         // bytes used of the buffer
  std::size_t roomy_until_ = 0;  // as long as no more are used, there is room for changes
  std::size_t step_begin_ = 0;   // in the buffer
  std::size_t step_head_ = 0;    // in the buffer: after the step's time
  std::int64_t written_ = 0;     // bytes already handed to the system
  std::int64_t step_time_ = 0;
  std::int64_t last_time_ = -1;
  bool full_ = false;
};

}  // namespace flitwave
