// testbenches/tests/timed/vcd_reader.cpp: see vcd_reader.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/vcd_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace flitwave {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Removes leading digits that the format's extension rule (0 and 1 by 0, x by x, z by z) restores.
std::string shortest(const std::string& digits) {
  std::size_t first = 0;
  while (first + 1 < digits.size()) {
    const char here = digits[first];
    const char next = digits[first + 1];
    const bool redundant = here == '0' ? next == '0' || next == '1' : here != '1' && here == next;
    if (!redundant) break;
    ++first;
  }
  return digits.substr(first);
}

class Parser {
 public:
  Parser(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {}

  Vcd parse() {
    while (next())
      if (token_[0] == '$')
        command();
      else if (!defined_)
        fail("`" + std::string(token_) + "` is before $enddefinitions");
      else
        value_or_time();
    if (!defined_) fail("there is no $enddefinitions");
    if (dumping_) fail("values are listed without an $end");
    for (const auto& [name, code] : names_) vcd_.signals.emplace(name, variables_.at(code));
    return std::move(vcd_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw VcdError(file_ + ":" + std::to_string(line_) + ": " + problem);
  }

  /// Advances to the next word. Returns: whether there is one.
  bool next() {
    while (place_ < text_.size() && is_space(text_[place_]))
      if (text_[place_++] == '\n') ++line_;
    const std::size_t begin = place_;
    while (place_ < text_.size() && !is_space(text_[place_])) ++place_;
    token_ = std::string_view(text_).substr(begin, place_ - begin);
    return !token_.empty();
  }

  std::string word(const char* what) {
    if (!next()) fail(std::string("the file ends where ") + what + " should be");
    return std::string(token_);
  }

  /// The words up to `$end`.
  std::vector<std::string> words() {
    std::vector<std::string> found;
    while (true) {
      std::string text = word("an $end");
      if (text == "$end") return found;
      found.push_back(std::move(text));
    }
  }

  std::string sentence() {
    std::string text;
    for (const std::string& part : words()) text += (text.empty() ? "" : " ") + part;
    return text;
  }

  void command() {
    const std::string name(token_);
    if (name == "$comment") {
      vcd_.comments.push_back(sentence());
    } else if (defined_) {
      listing(name);
    } else if (name == "$date") {
      vcd_.date = sentence();
    } else if (name == "$version") {
      vcd_.version = sentence();
    } else if (name == "$timescale") {
      timescale(sentence());
    } else if (name == "$scope") {
      const auto parts = words();
      if (parts.size() != 2) fail("$scope has a kind and a name");
      scopes_.push_back(parts[1]);
    } else if (name == "$upscope") {
      if (!words().empty()) fail("$upscope has no words of its own");
      if (scopes_.empty()) fail("$upscope outside any scope");
      scopes_.pop_back();
    } else if (name == "$var") {
      variable(words());
    } else if (name == "$enddefinitions") {
      if (!words().empty()) fail("$enddefinitions has no words of its own");
      if (!scopes_.empty()) fail("scope `" + scopes_.back() + "` is not closed");
      if (unit_femtoseconds_ == 0) fail("there is no $timescale");
      defined_ = true;
    } else {
      fail("unknown command `" + name + "`");
    }
  }

  /// $dumpvars and similar commands: values follow until $end.
  void listing(const std::string& name) {
    if (name == "$end") {
      if (!dumping_) fail("$end without a command");
      dumping_ = false;
      return;
    }
    if (name != "$dumpvars" && name != "$dumpon" && name != "$dumpoff" && name != "$dumpall")
      fail("unknown command `" + name + "` among the values");
    if (dumping_) fail("`" + name + "` within a list of values");
    dumping_ = true;
  }

  void timescale(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    static const std::map<std::string, std::int64_t> units = {{"fs", 1},
                                                              {"ps", 1'000},
                                                              {"ns", 1'000'000},
                                                              {"us", 1'000'000'000},
                                                              {"ms", 1'000'000'000'000},
                                                              {"s", 1'000'000'000'000'000}};
    const auto unit = units.find(std::string(rest, end));
    if (error != std::errc() || (number != 1 && number != 10 && number != 100) ||
        unit == units.end())
      fail("`" + text + "` is no timescale");
    unit_femtoseconds_ = number * unit->second;
  }

  void variable(const std::vector<std::string>& parts) {
    if (parts.size() < 4 || parts.size() > 5)
      fail("$var has a kind, a width, a code, a name and at most a range");
    int width = 0;
    const char* end = parts[1].data() + parts[1].size();
    const auto [rest, error] = std::from_chars(parts[1].data(), end, width);
    const int least = parts[0] == "string" ? 0 : 1;  // programs differ in the width of a string
    if (error != std::errc() || rest != end || width < least)
      fail("`" + parts[1] + "` is no width");
    width = std::max(width, 1);
    const auto [entry, added] = variables_.try_emplace(parts[2]);
    if (!added && entry->second.width != width)
      fail("code `" + parts[2] + "` has variables of different widths");
    entry->second.width = width;
    std::string name;
    for (const std::string& scope : scopes_) name += scope + ".";
    name += full_name(parts, width);
    if (!names_.emplace(name, parts[2]).second) fail("`" + name + "` is declared twice");
  }

  /// The name without the bit range of a whole vector.
  std::string full_name(const std::vector<std::string>& parts, int width) const {
    std::string name = parts[3];
    std::string range = parts.size() == 5 ? parts[4] : "";
    const std::size_t bracket = name.rfind('[');
    if (range.empty() && bracket != std::string::npos && bracket > 0 && name.back() == ']' &&
        name.find(':', bracket) != std::string::npos) {
      range = name.substr(bracket);
      name.resize(bracket);
    }
    if (range.empty()) return name;
    if (range.front() != '[' || range.back() != ']') fail("`" + range + "` is no range");
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos) return name + range;
    const int most = number(range.substr(1, colon - 1));
    const int least = number(range.substr(colon + 1, range.size() - colon - 2));
    if (std::abs(most - least) + 1 != width)
      fail("range " + range + " of `" + name + "` does not have " + std::to_string(width) +
           " bits");
    return name;
  }

  int number(const std::string& text) const {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end) fail("`" + text + "` is no number");
    return value;
  }

  void value_or_time() {
    const char kind = token_[0];
    const std::string rest(token_.substr(1));
    switch (kind) {
      case '#':
        time(rest);
        break;
      case 'b':
      case 'B':
        digits(rest, word("a code"), true);
        break;
      case 'r':
      case 'R':
        store(variable_of(word("a code")), "r" + rest);
        break;
      case 's':
      case 'S':
        store(variable_of(word("a code")), "s" + rest);
        break;
      default:
        digits(std::string(1, kind), rest, false);
    }
  }

  void time(const std::string& text) {
    std::int64_t units = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, units);
    if (error != std::errc() || rest != end || units < 0) fail("`#" + text + "` is no time");
    constexpr std::int64_t picosecond = 1000;
    const std::int64_t step = std::min(unit_femtoseconds_, picosecond);
    if (units % (picosecond / step) != 0) fail("#" + text + " is no whole picosecond");
    const std::int64_t scale = std::max<std::int64_t>(unit_femtoseconds_ / picosecond, 1);
    if (units > INT64_MAX / scale) fail("#" + text + " is too late");
    const std::int64_t now = units / (picosecond / step) * scale;
    if (now < now_) fail("time decreases to #" + text);
    now_ = vcd_.end = now;
  }

  VcdSignal& variable_of(const std::string& code) {
    const auto found = variables_.find(code);
    if (found == variables_.end()) fail("code `" + code + "` is not declared");
    return found->second;
  }

  void digits(std::string text, const std::string& code, bool vector) {
    for (char& c : text) {
      if (c == 'X' || c == 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c != '0' && c != '1' && c != 'x' && c != 'z') fail("`" + text + "` is no value");
    }
    if (text.empty()) fail("a value has no digits");
    VcdSignal& signal = variable_of(code);
    if (!vector && signal.width > 1)
      fail("a single digit for code `" + code + "`, which is " + std::to_string(signal.width) +
           " bits wide");
    if (static_cast<int>(text.size()) > signal.width)
      fail("`" + text + "` is wider than the " + std::to_string(signal.width) + " bits of code `" +
           code + "`");
    store(signal, shortest(text));
  }

  void store(VcdSignal& signal, std::string value) {
    if (!signal.changes.empty() && signal.changes.back().value == value) return;
    signal.changes.push_back({now_, std::move(value)});
  }

  const std::string& text_;
  std::string file_;
  std::size_t place_ = 0;
  int line_ = 1;
  std::string_view token_;
  std::vector<std::string> scopes_;
  std::map<std::string, VcdSignal> variables_;  // by code
  std::map<std::string, std::string> names_;    // full name -> code
  std::int64_t unit_femtoseconds_ = 0;
  std::int64_t now_ = 0;
  bool defined_ = false;
  bool dumping_ = false;
  Vcd vcd_;
};

std::string show(const VcdSignal& signal, std::size_t place) {
  if (place == signal.changes.size()) return "no further change";
  const VcdSignal::Change& change = signal.changes[place];
  return change.value + " at " + std::to_string(change.time) + " ps";
}

}  // namespace

const std::string& VcdSignal::at(std::int64_t time) const {
  static const std::string unknown = "x";
  const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                      [](std::int64_t t, const Change& c) { return t < c.time; });
  return after == changes.begin() ? unknown : std::prev(after)->value;
}

std::uint64_t VcdSignal::number(std::int64_t time) const {
  const std::string& value = at(time);
  std::uint64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number, 2);
  if (error != std::errc() || rest != end)
    throw VcdError("`" + value + "` at " + std::to_string(time) + " ps is no number");
  return number;
}

const VcdSignal& Vcd::signal(const std::string& name) const {
  const auto found = signals.find(name);
  if (found == signals.end()) throw VcdError("there is no signal `" + name + "`");
  return found->second;
}

Vcd parse_vcd(const std::string& text, const std::string& file) {
  return Parser(text, file).parse();
}

Vcd read_vcd(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw VcdError(path + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_vcd(text, path);
}

Vcd window_of(const Vcd& whole, std::int64_t begin, std::int64_t end) {
  Vcd window = whole;
  window.end = std::min(window.end, end);
  for (auto& [name, signal] : window.signals) {
    const VcdSignal& all = whole.signal(name);
    signal.changes = {{begin, all.at(begin)}};
    for (const VcdSignal::Change& change : all.changes)
      if (change.time > begin && change.time <= end) signal.changes.push_back(change);
  }
  return window;
}

std::string difference(const Vcd& left, const Vcd& right) {
  for (const auto& entry : left.signals)
    if (right.signals.count(entry.first) == 0) return entry.first + " is only on the left";
  for (const auto& [name, theirs] : right.signals) {
    const auto found = left.signals.find(name);
    if (found == left.signals.end()) return name + " is only on the right";
    const VcdSignal& ours = found->second;
    if (ours.width != theirs.width) return name + " has two widths";
    const std::size_t shared = std::min(ours.changes.size(), theirs.changes.size());
    std::size_t i = 0;
    while (i < shared && ours.changes[i] == theirs.changes[i]) ++i;
    if (i < std::max(ours.changes.size(), theirs.changes.size()))
      return name + ": " + show(ours, i) + " on the left, " + show(theirs, i) + " on the right";
  }
  return "";
}

}  // namespace flitwave
