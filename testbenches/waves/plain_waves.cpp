// testbenches/waves/plain_waves.cpp: waves of plain signals, written by SystemC's own tracing.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <sysc/tracing/sc_tracing_ids.h>
#include <systemc>

#include "configs/error.hpp"
#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/vcd_file.hpp"
#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

namespace {

using sc_core::SC_PS;
using sc_core::sc_time;

/// What the probes share: whether they record, and when the kernel's file is long enough.
class Recording {
 public:
  /// `limit`: of the file that is made of the kernel's. Unit: B
  void set_file(std::string path, std::int64_t limit) {
    path_ = std::move(path);
    // The kernel's codes and scopes are longer than those of VcdFile, and so is its header.
    enough_ = 2 * std::min(limit, INT64_MAX / 4) + (1 << 16);
  }
  /// Called after each change: ends the recording when there is more of it than can be kept.
  void changed() {
    if (--changes_to_next_look_ > 0) return;
    changes_to_next_look_ = 1000;
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path_, unknown);
    if (!unknown && size > static_cast<std::uintmax_t>(enough_)) open = false;
  }

  bool open = false;
  std::int64_t first_activity = -1;
  std::int64_t last_change = -1;  ///< Of a wire, shown or not. Unit: ps

 private:
  std::string path_;
  std::int64_t enough_ = 0;
  int changes_to_next_look_ = 1000;
};

/// Word by word: SystemC's own assignment shifts too far where the width is a multiple of 32.
void assign(sc_dt::sc_lv_base& shown, std::uint64_t value) {
  for (int word = 0; word < shown.size(); ++word) {
    shown.set_word(word, static_cast<sc_dt::sc_digit>(value >> (word * 32)));
    shown.set_cword(word, 0);
  }
}

/// Copies the wires of a channel end, decoded, into variables that SystemC traces.
class Probe final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Probe);
  Probe(const sc_core::sc_module_name& name, const WaveEnd& end, const PacketPool& packets,
        Recording& recording);

  void trace_in(sc_core::sc_trace_file* file) const;
  void look();
  void show();

 private:
  void wires_changed() {
    recording_.last_change = picoseconds_now();
    look();
  }

  const WaveEnd& end_;
  const PacketPool& packets_;
  Recording& recording_;
  WaveSample sample_;
  std::array<std::uint64_t, WaveSample::most> last_{};
  bool known_ = false;
  std::vector<sc_dt::sc_lv_base> shown_;  // unknown until the window opens
};

Probe::Probe(const sc_core::sc_module_name& name, const WaveEnd& end, const PacketPool& packets,
             Recording& recording)
    : sc_module(name), end_(end), packets_(packets), recording_(recording) {
  for (const WaveSignal& signal : end.signals) shown_.emplace_back(signal.width);
  SC_METHOD(wires_changed);
  sensitive << end.wires->forward.wires().valid_wire().value_changed_event()
            << end.wires->forward.wires().payload_wire().value_changed_event();
  if (end.wires->back)
    sensitive << end.wires->back->wires().valid_wire().value_changed_event()
              << end.wires->back->wires().payload_wire().value_changed_event();
  if (end.wires->request)
    sensitive << end.wires->request->wires().valid_wire().value_changed_event()
              << end.wires->request->wires().payload_wire().value_changed_event();
  if (end.wires->ready)
    for (int vc = 0; vc < end.wires->ready->vcs(); ++vc)
      sensitive << end.wires->ready->wire(vc).value_changed_event();
}

void Probe::trace_in(sc_core::sc_trace_file* file) const {
  for (std::size_t k = 0; k < shown_.size(); ++k)
    sc_core::sc_trace(file, shown_[k], end_.scope + "." + end_.signals[k].name);
}

void Probe::look() {
  sample_.take(*end_.wires, packets_);
  show();
}

void Probe::show() {
  if (!recording_.open) return;
  const auto& values = sample_.values();
  for (std::size_t k = 0; k < shown_.size(); ++k) {
    if (known_ && values[k] == last_[k]) continue;
    assign(shown_[k], values[k]);
  }
  recording_.changed();
  known_ = true;
  last_ = values;
  if (recording_.first_activity < 0 && values[WaveSample::valid] != 0)
    recording_.first_activity = picoseconds_now();
}

/// A wire within a router, in a variable that SystemC traces.
struct InnerProbe {
  InnerProbe(const InnerWire& inner_wire, Recording& what) : wire(inner_wire), recording(what) {}

  void show() {
    if (!recording.open) return;
    assign(shown, wire.value());
    recording.changed();
  }

  const InnerWire& wire;
  Recording& recording;
  sc_dt::sc_lv_base shown{wire.width};  // unknown until the window opens
};

/// A trace file of SystemC's, without the message that its time unit was set.
sc_core::sc_trace_file* open_trace(const std::string& stem) {
  using Reports = sc_core::sc_report_handler;
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
  const sc_core::sc_actions before =
      Reports::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_, sc_core::SC_DO_NOTHING);
  file->set_time_unit(1, SC_PS);
  Reports::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_, before);
  return file;
}

/// What the kernel does with a trace file at the end of a time, and leaves out when it is paused
/// within one.
struct EndOfTime : sc_core::sc_trace_file {
  static void write(sc_core::sc_trace_file& file) { (file.*(&EndOfTime::cycle))(false); }
};

/// Last in a trace file that was written whole: the kernel does not tell when writing fails.
constexpr const char* last_words = "end of recording";

/// Turns the kernel's file into one of ours: no date, no scope around all, no longer than its
/// limit. At the end of each time, what has changed is written, as for the batched schedule.
class Conversion {
 public:
  /// `from`: when the window starts; `opens`: whether it does within the run. Unit: ps
  Conversion(const std::vector<VcdFile::Variable>& variables, std::int64_t from, bool opens,
             VcdFile& out)
      : from_(from),
        opens_(opens),
        out_(out),
        values_(variables.size()),
        written_(variables.size()) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      numbers_[variables[i].scope + "." + variables[i].name] = i;
  }

  /// Returns: whether the input was whole.
  bool run(std::istream& in) {
    bool whole = false;
    for (std::string line; std::getline(in, line);) {
      whole = whole || line == last_words;
      if (in_header_)
        header(line);
      else
        body(line);
    }
    end_time();
    return whole;
  }

 private:
  void header(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "$scope") {
      words >> word >> word;
      scopes_.push_back(word);
    } else if (word == "$upscope") {
      scopes_.pop_back();
    } else if (word == "$var") {
      std::string width, code, name;
      words >> word >> width >> code >> name;
      std::string path;
      for (std::size_t i = 1; i < scopes_.size(); ++i) path += scopes_[i] + ".";  // 0: around all
      variable_of_[code] = numbers_.at(path + name);
    }
    in_header_ = word != "$enddefinitions";
  }

  void body(const std::string& line) {
    if (line.empty()) return;
    switch (line[0]) {
      case '#':
        end_time();
        time_ = std::stoll(line.substr(1));
        break;
      case '0':
      case '1':
      case 'x':
      case 'X':
        set(line.substr(1), line.substr(0, 1));
        break;
      case 'b':
        set(line.substr(line.find(' ') + 1), line.substr(1, line.find(' ') - 1));
        break;
      default:
        break;  // commands and comments
    }
  }

  void set(const std::string& code, const std::string& digits) {
    const std::size_t variable = variable_of_.at(code);
    const bool unknown = digits.find_first_not_of("01") != std::string::npos;
    values_[variable] =
        unknown ? std::nullopt : std::optional<std::uint64_t>(std::stoull(digits, nullptr, 2));
    changed_.insert(variable);
  }

  void end_time() {
    if (out_.full() || changed_.empty()) return;
    if (time_ >= from_ && !opens_) return;
    out_.begin_step(time_);
    if (time_ == 0 || time_ == from_) {
      out_.begin_values(time_ == 0 ? "$dumpvars" : "$dumpon");
      for (std::size_t i = 0; i < values_.size(); ++i) write(i);
      out_.end_values();
    } else {
      for (const std::size_t variable : changed_)
        if (values_[variable] != written_[variable]) write(variable);
    }
    out_.end_step();
    changed_.clear();
  }

  void write(std::size_t variable) {
    written_[variable] = values_[variable];
    if (values_[variable])
      out_.change(variable, *values_[variable]);
    else
      out_.make_unknown(variable);
  }

  std::int64_t from_;
  bool opens_;
  VcdFile& out_;
  std::map<std::string, std::size_t> numbers_;      // of variables, by full name
  std::map<std::string, std::size_t> variable_of_;  // by the kernel's code
  std::vector<std::string> scopes_;                 // that are open in the header
  std::vector<std::optional<std::uint64_t>> values_;
  std::vector<std::optional<std::uint64_t>> written_;
  std::set<std::size_t> changed_;  // at `time_`
  std::int64_t time_ = 0;
  bool in_header_ = true;
};

/// Probes on the selected ends, and the processes that open and shut the window.
class PlainWaves final : public sc_core::sc_module, public Waves {
 public:
  SC_HAS_PROCESS(PlainWaves);
  PlainWaves(const sc_core::sc_module_name& name, WavePlan plan);
  ~PlainWaves() override { close_trace(); }

  void finish(std::int64_t end) override;
  bool cut() const override { return cut_; }

 private:
  void begin();
  void end() { recording_.open = false; }
  void close_trace();
  void convert(std::int64_t end);

  std::string kernel_stem() const { return plan_.path + ".kernel"; }
  std::string kernel_path() const { return kernel_stem() + ".vcd"; }

  WavePlan plan_;
  Recording recording_;
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<std::unique_ptr<InnerProbe>> inner_;
  std::unique_ptr<sc_core::sc_module> watchers_;
  sc_core::sc_trace_file* trace_ = nullptr;
  bool begun_ = false;
  bool cut_ = false;
  sc_core::sc_event begins_{"begins"};
  sc_core::sc_event ends_{"ends"};
};

PlainWaves::PlainWaves(const sc_core::sc_module_name& name, WavePlan plan)
    : sc_module(name), plan_(std::move(plan)) {
  // The kernel gives up the process when it cannot open its file.
  for (const std::string& path : {plan_.path, kernel_path()})
    if (!std::ofstream(path)) fail_writing(path);
  recording_.set_file(kernel_path(), plan_.limit.count);
  trace_ = open_trace(kernel_stem());
  for (std::size_t i = 0; i < plan_.ends.size(); ++i) {
    probes_.push_back(std::make_unique<Probe>(("probe_" + std::to_string(i)).c_str(), plan_.ends[i],
                                              plan_.packets, recording_));
    probes_.back()->trace_in(trace_);
  }
  for (const InnerWire& wire : plan_.inner) {
    inner_.push_back(std::make_unique<InnerProbe>(wire, recording_));
    sc_core::sc_trace(trace_, inner_.back()->shown, wire.scope + "." + wire.name);
  }
  if (!inner_.empty())
    watchers_ = watch(plan_.inner, [this](std::size_t wire) {
      recording_.last_change = picoseconds_now();
      inner_[wire]->show();
    });
  SC_METHOD(begin);
  sensitive << begins_;
  dont_initialize();
  SC_METHOD(end);
  sensitive << ends_;
  dont_initialize();
  if (plan_.from > 0) begins_.notify(sc_time(static_cast<double>(plan_.from), SC_PS));
  begun_ = recording_.open = plan_.from == 0;
  for (const auto& probe : inner_) probe->show();
  if (plan_.until < INT64_MAX) ends_.notify(sc_time(static_cast<double>(plan_.until), SC_PS));
}

void PlainWaves::begin() {
  begun_ = recording_.open = true;
  for (const auto& probe : probes_) probe->show();
  for (const auto& probe : inner_) probe->show();
}

void PlainWaves::close_trace() {
  if (!trace_) return;
  trace_->write_comment(last_words);
  sc_core::sc_close_vcd_trace_file(trace_);
  trace_ = nullptr;
}

void PlainWaves::convert(std::int64_t end) {
  const std::vector<VcdFile::Variable> variables = variables_of(plan_);
  std::ifstream in(kernel_path(), std::ios::binary);
  VcdFile out(plan_.path, plan_.limit.count, variables, wave_comment);
  // SystemC's time may have gone on, to where the window starts, when the run was over.
  const bool opens = plan_.from <= std::max(end, recording_.last_change);
  if (!in || !Conversion(variables, plan_.from, opens, out).run(in))
    throw SystemFailure("SystemC could not write " + kernel_path() + " whole");
  out.close(std::min(end, plan_.until));
  cut_ = out.full();
}

void PlainWaves::finish(std::int64_t end) {
  if (!trace_) return;
  if (!begun_ && plan_.from <= end) begin();
  for (const auto& probe : probes_) probe->look();
  EndOfTime::write(*trace_);
  close_trace();
  convert(end);
  std::filesystem::remove(kernel_path());
  write_gtkwave(plan_, recording_.first_activity);
}

}  // namespace

std::unique_ptr<Waves> record_plain(WavePlan plan) {
  return std::make_unique<PlainWaves>("waves", std::move(plan));
}

}  // namespace flitwave
