// tools/rtl/traced_signals.hpp: the signals inside a model of Verilator, from its trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the generated sources of designs, which include router_design.hpp before it.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <verilated_vcd_c.h>

namespace flitwave {

/// The text of a value change dump, kept in memory.
class TraceText final : public VerilatedVcdFile {
 public:
  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* text, ssize_t length) override {
    text_.append(text, static_cast<std::size_t>(length));
    return length;
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

/// Reads the trace of one model: its header once, then the changes of each dump.
class TraceReader {
 public:
  /// `trace`: calls the model's function `trace`.
  explicit TraceReader(const std::function<void(VerilatedVcdC*)>& trace) {
    trace(&file_);
    file_.open("inner");
    file_.flush();
    read_header(text_.take());
  }
  ~TraceReader() { file_.close(); }

  /// A signal, and where its value is in `words`.
  struct Place {
    InnerSignal signal;
    std::size_t word = 0;
  };
  const std::vector<Place>& places() const { return places_; }
  const std::vector<std::uint64_t>& words() const { return words_; }

  void sample() {
    file_.dump(++dumps_);
    file_.flush();
    const std::string text = text_.take();
    for_lines(text, [this](std::string_view line) { read_change(line); });
  }

 private:
  struct Code {
    int width = 1;
    std::size_t first = 0;  // its least word
  };

  template <class Use>
  static void for_lines(std::string_view text, Use use) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      use(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  static std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string_view::npos) return words;
      line.remove_prefix(begin);
      const std::size_t end = std::min(line.find(' '), line.size());
      words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
  }

  /// "$scope module core $end", "$var wire 32 + slots[0] [31:0] $end"
  void read_header(const std::string& text) {
    std::vector<std::string> scopes;
    for_lines(text, [&](std::string_view line) {
      const auto words = words_of(line);
      if (words.empty()) return;
      if (words[0] == "$scope" && words.size() > 2) scopes.emplace_back(words[2]);
      if (words[0] == "$upscope" && !scopes.empty()) scopes.pop_back();
      if (words[0] == "$var" && words.size() > 4) declare(scopes, words);
    });
  }

  /// The outermost scope is the instance, whose signals are those of the top module again.
  void declare(const std::vector<std::string>& scopes, const std::vector<std::string_view>& words) {
    int width = 1;
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), width);
    const auto [code, is_new] =
        codes_.try_emplace(std::string(words[3]), Code{width, words_.size()});
    if (is_new) words_.resize(words_.size() + static_cast<std::size_t>((width + 63) / 64));
    if (scopes.size() < 2 || words[1] == "real") return;
    std::string scope = scopes[1];
    for (std::size_t i = 2; i < scopes.size(); ++i) scope += "." + scopes[i];
    for (int least = 0; least < width; least += 64) {
      const int part = std::min(64, width - least);
      std::string name(words[4]);
      if (width > 64) name += "_" + std::to_string(least + part - 1) + "_" + std::to_string(least);
      places_.push_back({{scope, std::move(name), part},
                         code->second.first + static_cast<std::size_t>(least / 64)});
    }
  }

  /// "1+", "b0101 +"
  void read_change(std::string_view line) {
    if (line.empty() || line[0] == '#' || line[0] == '$' || line[0] == 'r') return;
    const bool vector = line[0] == 'b';
    const std::size_t blank = vector ? line.find(' ') : 0;
    if (blank == std::string_view::npos) return;
    const std::string_view digits = vector ? line.substr(1, blank - 1) : line.substr(0, 1);
    const auto code = codes_.find(std::string(line.substr(vector ? blank + 1 : 1)));
    if (code == codes_.end()) return;
    std::uint64_t* const words = &words_[code->second.first];
    std::fill(words, words + (code->second.width + 63) / 64, 0);
    for (std::size_t bit = 0; bit < digits.size(); ++bit)
      if (digits[digits.size() - 1 - bit] == '1') words[bit / 64] |= std::uint64_t{1} << bit % 64;
  }

  TraceText text_;
  VerilatedVcdC file_{&text_};
  std::uint64_t dumps_ = 0;
  std::map<std::string, Code> codes_;
  std::vector<Place> places_;
  std::vector<std::uint64_t> words_;
};

/// The signals inside a model.
class TracedSignals final : public InnerSignals {
 public:
  using Open = std::function<std::unique_ptr<TraceReader>()>;

  /// `declared`: of any instance of the design; `open` is called by the first `sample`.
  TracedSignals(const TraceReader& declared, Open open) : open_(std::move(open)) {
    for (const TraceReader::Place& place : declared.places()) signals_.push_back(place.signal);
  }

  const std::vector<InnerSignal>& signals() const override { return signals_; }
  void sample() override {
    if (!reader_) {
      reader_ = open_();
      find_words();
    }
    reader_->sample();
  }
  std::uint64_t value(std::size_t signal) const override {
    return reader_ ? reader_->words()[words_[signal]] : 0;
  }

 private:
  static std::string full_name(const InnerSignal& signal) {
    return signal.scope + "." + signal.name;
  }
  /// The models for both adapters number their signals differently.
  void find_words() {
    std::map<std::string, std::size_t> words;
    for (const TraceReader::Place& place : reader_->places())
      words.emplace(full_name(place.signal), place.word);
    for (const InnerSignal& signal : signals_) words_.push_back(words.at(full_name(signal)));
  }

  Open open_;
  std::vector<InnerSignal> signals_;
  std::unique_ptr<TraceReader> reader_;
  std::vector<std::size_t> words_;  // Shape: [signals]
};

}  // namespace flitwave
