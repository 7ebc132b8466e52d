// testbenches/waves/files/vcd_file.cpp: see vcd_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/vcd_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "configs/error.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

namespace {

constexpr std::size_t flush_at = std::size_t{1} << 20;
constexpr std::size_t longest_time_line = 24;

/// The code of variable `number`: as few printable characters as possible.
std::string code_of(std::size_t number) {
  constexpr std::size_t base = '~' - '!' + 1;
  std::string code(1, static_cast<char>('!' + number % base));
  while ((number /= base) > 0) code += static_cast<char>('!' + --number % base);
  return code;
}

constexpr std::size_t byte_values = 256;

constexpr int digits_of(std::uint64_t value) { return 64 - __builtin_clzll(value | 1); }

/// The texts of a scalar, which has two values, and of vectors with values of a byte.
constexpr std::array<VcdDigits, 2> make_scalars() {
  std::array<VcdDigits, 2> table{};
  for (unsigned value = 0; value < 2; ++value) table[value] = {{static_cast<char>('0' + value)}, 1};
  return table;
}
constexpr std::array<VcdDigits, byte_values> make_vectors() {
  std::array<VcdDigits, byte_values> table{};
  for (unsigned value = 0; value < byte_values; ++value) {
    const auto digits = static_cast<unsigned>(digits_of(value));
    table[value].text[0] = 'b';
    for (unsigned i = 0; i < digits; ++i)
      table[value].text[1 + i] = static_cast<char>('0' + (value >> (digits - 1 - i) & 1));
    table[value].length = static_cast<std::uint8_t>(1 + digits);
  }
  return table;
}
constexpr std::array<VcdDigits, 2> scalars = make_scalars();
constexpr std::array<VcdDigits, byte_values> vectors = make_vectors();

constexpr std::size_t longest_binary = 72;

inline char* write(char* at, const VcdDigits& digits) {
  std::memcpy(at, &digits, sizeof digits);
  return at + digits.length;
}

/// Writes a value of more than a byte as a vector. Needs: space for `longest_binary` characters.
/// Returns: its end.
char* write_long_vector(char* at, std::uint64_t value) {
  *at++ = 'b';
  for (int bit = digits_of(value) - 1; bit >= 0; --bit)
    *at++ = static_cast<char>('0' + (value >> bit & 1));
  return at;
}

/// The declarations of variables.
struct VariableText final : VcdScopes {
  void declare(const WaveVariable& variable) override {
    text += variable.packet ? "$var string 1 " : "$var wire ";
    if (!variable.packet) text.append(std::to_string(variable.width)).append(" ");
    text.append(code_of(number++)).append(" ");
    text.append(variable.declared_name()).append(" $end\n");
  }

  std::size_t number = 0;
};

std::string limit_comment(std::int64_t limit) {
  return "$comment recording ends here: wave.limit, " + to_string(Bytes{limit}) +
         ", is reached $end\n";
}

}  // namespace

std::string VcdFile::header(const std::vector<WaveVariable>& variables,
                            const std::string& comment) {
  VariableText list;
  visit(variables, list);
  return "$version flitwave $end\n$timescale 1 ps $end\n$comment " + comment + " $end\n" +
         list.text + "$enddefinitions $end\n";
}

VcdFile::VcdFile(std::string path, std::int64_t limit, const std::vector<WaveVariable>& variables,
                 const WaveNames& names, const std::string& comment)
    : VcdFile(path, File(std::fopen(path.c_str(), "wb"), {std::fclose}), limit, variables, names,
              comment) {}

VcdFile::VcdFile(std::string path, std::FILE* pipe, std::int64_t limit,
                 const std::vector<WaveVariable>& variables, const WaveNames& names,
                 const std::string& comment)
    : VcdFile(std::move(path), File(pipe, {pclose}), limit, variables, names, comment) {}

VcdFile::VcdFile(std::string path, File file, std::int64_t limit,
                 const std::vector<WaveVariable>& variables, const WaveNames& names,
                 const std::string& comment)
    : path_(std::move(path)),
      limit_(limit),
      last_step_ends_by_(
          limit - static_cast<std::int64_t>(limit_comment(limit).size() + longest_time_line)),
      file_(std::move(file)),
      packets_(names),
      room_for_changes_(64 *
                        (1 + std::max(longest_binary, packets_.longest()) + sizeof(Tail::text))) {
  if (!file_) fail_writing(path_);
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  buffer_.resize(flush_at + flush_at / 4 + room_for_changes_);
  roomy_until_ = flush_at + flush_at / 4;
  append(header(variables, comment));
  for (std::size_t i = 0; i < variables.size(); ++i) tails_.push_back(tail_of(i, variables[i]));
  flush();
}

VcdFile::Tail VcdFile::tail_of(std::size_t number, const WaveVariable& variable) {
  Tail tail;
  const bool is_scalar = variable.width == 1 && !variable.packet;
  tail.is_packet = variable.packet;
  tail.is_scalar = is_scalar;
  tail.digits = is_scalar ? scalars.data() : vectors.data();
  const std::size_t texts = is_scalar ? scalars.size() : vectors.size();
  tail.texts = variable.packet ? 0 : static_cast<std::uint16_t>(texts);
  const std::string text = (is_scalar ? "" : " ") + code_of(number) + "\n";
  tail.length = static_cast<std::uint8_t>(text.copy(tail.text.data(), tail.text.size()));
  return tail;
}

/// Reserves `bytes` more in the buffer. Returns: where to write them.
char* VcdFile::room(std::size_t bytes) {
  if (buffer_.size() - used_ < bytes) {
    buffer_.resize(buffer_.size() * 2 + bytes);
    roomy_until_ = buffer_.size() - room_for_changes_;
  }
  return buffer_.data() + used_;
}

void VcdFile::append(const std::string& text) {
  std::memcpy(room(text.size()), text.data(), text.size());
  used_ += text.size();
}

/// Needs: space for all characters of `Tail::text`. Returns: its end.
inline char* VcdFile::write_tail(char* at, const Tail& tail) {
  std::memcpy(at, tail.text.data(), tail.text.size());
  return at + tail.length;
}

void VcdFile::write_time(std::int64_t time) {
  char* at = room(longest_time_line);
  *at = '#';
  char* end = std::to_chars(at + 1, at + longest_time_line, time).ptr;
  *end++ = '\n';
  used_ += index(end - at);
}

ValueSink* VcdFile::begin_step(std::int64_t time) {
  step_begin_ = used_;
  step_time_ = time;
  write_time(time);
  step_head_ = used_;
  return full_ ? nullptr : this;
}

void VcdFile::begin_values(const char* command) { append(std::string(command) + "\n"); }
void VcdFile::end_values() { append("$end\n"); }

/// The usual values; all else is apart, so that this needs no stack.
void VcdFile::change(std::size_t first, const std::uint64_t* values, std::uint64_t which) {
  if (used_ > roomy_until_) return change_in_more_room(first, values, which);
  char* at = buffer_.data() + used_;
  const Tail* const tails = tails_.data() + first;
  for (; which != 0; which &= which - 1) {
    const auto place = static_cast<std::size_t>(__builtin_ctzll(which));
    const Tail& tail = tails[place];
    const std::uint64_t value = values[place];
    if (value >= tail.texts) return change_long(at, tails, values, which);
    at = write_tail(write(at, tail.digits[value]), tail);
  }
  used_ = static_cast<std::size_t>(at - buffer_.data());
}

void VcdFile::change_in_more_room(std::size_t first, const std::uint64_t* values,
                                  std::uint64_t which) {
  room(room_for_changes_);
  change(first, values, which);
}

/// The rest of `change`, where the text of the next value is in no table.
void VcdFile::change_long(char* at, const Tail* tails, const std::uint64_t* values,
                          std::uint64_t which) {
  const auto place = static_cast<std::size_t>(__builtin_ctzll(which));
  const Tail& tail = tails[place];
  if (tail.is_packet) {
    *at++ = 's';
    at = packets_.write(at, values[place]);
  } else {
    at = write_long_vector(at, values[place]);
  }
  used_ = static_cast<std::size_t>(write_tail(at, tail) - buffer_.data());
  which &= which - 1;
  if (which != 0) change(static_cast<std::size_t>(tails - tails_.data()), values, which);
}

void VcdFile::make_unknown(std::size_t variable) {
  const Tail& tail = tails_[variable];
  char* at = room(2 + tail.text.size());
  if (!tail.is_scalar) *at++ = tail.is_packet ? 's' : 'b';
  *at++ = 'x';
  used_ = static_cast<std::size_t>(write_tail(at, tail) - buffer_.data());
}

bool VcdFile::end_step() {
  if (used_ == step_head_) {
    used_ = step_begin_;
    return true;
  }
  if (written_ + static_cast<std::int64_t>(used_) > last_step_ends_by_) {
    used_ = step_begin_;
    write_time(step_time_);
    append(limit_comment(limit_));
    full_ = true;
  }
  last_time_ = step_time_;
  if (used_ >= flush_at) flush();
  return !full_;
}

void VcdFile::flush() {
  if (std::fwrite(buffer_.data(), 1, used_, file_.get()) != used_) fail();
  written_ += static_cast<std::int64_t>(used_);
  used_ = 0;
}

void VcdFile::close(std::int64_t time) {
  if (!full_ && time > last_time_) {
    write_time(time);
    last_time_ = time;
  }
  flush();
  const auto end = file_.get_deleter().close;
  if (end(file_.release()) != 0) fail();
}

/// Throws: SystemFailure
void VcdFile::fail() const {
  if (file_.get_deleter().close != pclose) fail_writing(path_);
  throw SystemFailure(
      "cannot write " + path_ +
      ": the program vcd2fst has failed; free space in its folder and in the folder "
      "of temporary files, or use wave.format: vcd");
}

}  // namespace flitwave
