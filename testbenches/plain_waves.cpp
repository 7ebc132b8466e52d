// testbenches/plain_waves.cpp: waves of plain signals, written by SystemC's own tracing.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sysc/tracing/sc_tracing_ids.h>
#include <systemc>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/gtkwave.hpp"
#include "flitwave/testbenches/wave_plan.hpp"

namespace flitwave {

namespace {

using sc_core::SC_PS;
using sc_core::sc_time;

/// What the probes share: whether they record, and about how much they have.
struct Recording {
  bool open = false;
  bool full = false;
  std::int64_t bytes = 0;
  std::int64_t limit = 0;
  std::int64_t first_activity = -1;
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
  SC_METHOD(look);
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
  // What the kernel adds to a value's digits, and to a time.
  constexpr std::int64_t around_value = 8;
  constexpr std::int64_t around_time = 24;
  if (!recording_.open) return;
  const auto& values = sample_.values();
  for (std::size_t k = 0; k < shown_.size(); ++k) {
    if (known_ && values[k] == last_[k]) continue;
    assign(shown_[k], values[k]);
    recording_.bytes += end_.signals[k].width + around_value;
  }
  recording_.bytes += around_time;
  if (recording_.bytes > recording_.limit) {
    recording_.full = true;
    recording_.open = false;
  }
  known_ = true;
  last_ = values;
  if (recording_.first_activity < 0 && values[WaveSample::valid] != 0)
    recording_.first_activity = picoseconds_now();
}

/// A wire within a router, in a variable that SystemC traces.
struct InnerProbe {
  InnerProbe(const InnerWire& inner_wire, Recording& what) : wire(inner_wire), recording(what) {}

  void show() {
    constexpr std::int64_t around = 16;  // a value's digits, and its share of a time
    if (!recording.open) return;
    assign(shown, wire.value());
    recording.bytes += wire.width + around;
    if (recording.bytes <= recording.limit) return;
    recording.full = true;
    recording.open = false;
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

/// Turns the kernel's file into one without dates and without the scope that it puts around all.
class Conversion {
 public:
  Conversion(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  /// Returns: whether the input was whole.
  bool run() {
    out_ << "$version flitwave $end\n";
    std::string line;
    bool whole = false;
    while (std::getline(in_, line)) {
      whole = whole || line == last_words;
      if (in_header_)
        header(line);
      else
        out_ << line << '\n';
    }
    return whole;
  }

 private:
  void header(const std::string& line) {
    if (line == "$date" || line == "$version") skipping_ = true;
    if (skipping_) {
      skipping_ = line != "$end";
      return;
    }
    if (line == "$scope module SystemC $end") return;
    if (line.rfind("$enddefinitions", 0) == 0) {
      // The last of the scopes that end here is the one around all.
      in_header_ = false;
      held_.clear();
    }
    if (!held_.empty()) out_ << held_ << '\n';
    held_.clear();
    if (line == "$upscope $end")
      held_ = line;
    else
      out_ << line << '\n';
  }

  std::istream& in_;
  std::ostream& out_;
  bool in_header_ = true;
  bool skipping_ = false;
  std::string held_;
};

/// Probes on the selected ends, and the processes that open and shut the window.
class PlainWaves final : public sc_core::sc_module, public Waves {
 public:
  SC_HAS_PROCESS(PlainWaves);
  PlainWaves(const sc_core::sc_module_name& name, WavePlan plan);
  ~PlainWaves() override { close_trace(); }

  void finish() override;
  bool cut() const override { return recording_.full; }

 private:
  void begin();
  void end() { recording_.open = false; }
  void close_trace();
  void convert() const;

  std::string kernel_stem() const { return plan_.path + ".kernel"; }
  std::string kernel_path() const { return kernel_stem() + ".vcd"; }

  WavePlan plan_;
  Recording recording_;
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<std::unique_ptr<InnerProbe>> inner_;
  std::unique_ptr<sc_core::sc_module> watchers_;
  sc_core::sc_trace_file* trace_ = nullptr;
  sc_core::sc_event begins_{"begins"};
  sc_core::sc_event ends_{"ends"};
};

PlainWaves::PlainWaves(const sc_core::sc_module_name& name, WavePlan plan)
    : sc_module(name), plan_(std::move(plan)) {
  // The kernel gives up the process when it cannot open its file.
  for (const std::string& path : {plan_.path, kernel_path()})
    if (!std::ofstream(path)) fail_writing(path);
  recording_.limit = plan_.limit.count;
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
    watchers_ = watch(plan_.inner, [this](std::size_t wire) { inner_[wire]->show(); });
  SC_METHOD(begin);
  sensitive << begins_;
  dont_initialize();
  SC_METHOD(end);
  sensitive << ends_;
  dont_initialize();
  if (plan_.from > 0) begins_.notify(sc_time(static_cast<double>(plan_.from), SC_PS));
  recording_.open = plan_.from == 0;
  for (const auto& probe : inner_) probe->show();
  if (plan_.until < INT64_MAX) ends_.notify(sc_time(static_cast<double>(plan_.until), SC_PS));
}

void PlainWaves::begin() {
  recording_.open = true;
  for (const auto& probe : probes_) probe->show();
  for (const auto& probe : inner_) probe->show();
}

void PlainWaves::close_trace() {
  if (!trace_) return;
  if (recording_.full)
    trace_->write_comment("recording ends here: wave.limit, " + to_string(plan_.limit) +
                          ", is reached");
  trace_->write_comment(last_words);
  sc_core::sc_close_vcd_trace_file(trace_);
  trace_ = nullptr;
}

void PlainWaves::convert() const {
  std::ifstream in(kernel_path(), std::ios::binary);
  std::ofstream out(plan_.path, std::ios::binary);
  if (!in || !Conversion(in, out).run())
    throw SystemFailure("SystemC could not write " + kernel_path() + " whole");
  out.close();
  if (!out) fail_writing(plan_.path);
}

void PlainWaves::finish() {
  if (!trace_) return;
  for (const auto& probe : probes_) probe->look();
  EndOfTime::write(*trace_);
  close_trace();
  convert();
  std::filesystem::remove(kernel_path());
  write_gtkwave(plan_, recording_.first_activity);
}

}  // namespace

std::unique_ptr<Waves> record_plain(WavePlan plan) {
  return std::make_unique<PlainWaves>("waves", std::move(plan));
}

}  // namespace flitwave
