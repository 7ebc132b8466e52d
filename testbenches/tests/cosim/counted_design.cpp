// testbenches/tests/cosim/counted_design.cpp: see counted_design.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/cosim/counted_design.hpp"

#include <deque>
#include <memory>
#include <utility>

#include <systemc>

namespace flitwave::test {

namespace {

/// Of the instances in this process, which simulates once.
std::deque<PinCounts>& instances() {
  static std::deque<PinCounts> counts;
  return counts;
}

class CountedEvaluated final : public EvaluatedDesign {
 public:
  CountedEvaluated(const RouterDesign& design, std::unique_ptr<EvaluatedDesign> inner)
      : design_(design), inner_(std::move(inner)), counts_(instances().emplace_back()) {}

  void* data(int pin) override { return inner_->data(pin); }
  void evaluate() override {
    const bool rises = ones(design_.clock) > 0 && !was_high_;
    was_high_ = ones(design_.clock) > 0;
    const bool in_reset = (ones(design_.reset.bits) > 0) != design_.reset.active_low;
    if (rises) ++counts_.edges;
    if (rises && !in_reset) count_read();
    inner_->evaluate();
    if (rises && !in_reset) count_driven();
  }

 private:
  int ones(const PinBits& bits) {
    if (!bits.exist()) return 0;
    const auto* bytes = static_cast<const unsigned char*>(inner_->data(bits.pin));
    int sum = 0;
    for (int bit = bits.lsb; bit < bits.lsb + bits.width; ++bit)
      sum += bytes[bit / 8] >> (bit % 8) & 1;
    return sum;
  }
  int credits(const FlitPins& port) { return ones(port.credit.pulse) + ones(port.credit.per_vc); }

  void count_read() {
    for (const FlitPins& input : design_.inputs) counts_.flits_in += ones(input.valid);
    for (const FlitPins& output : design_.outputs) counts_.received += credits(output);
  }
  void count_driven() {
    for (int port = 0; port < design_.ports(); ++port) {
      const int flits = ones(design_.outputs[static_cast<std::size_t>(port)].valid);
      counts_.flits_out += flits;
      if (port >= design_.network_ports) counts_.delivered += flits;
      counts_.returned += credits(design_.inputs[static_cast<std::size_t>(port)]);
    }
  }

  RouterDesign design_;
  std::unique_ptr<EvaluatedDesign> inner_;
  PinCounts& counts_;
  bool was_high_ = false;
};

/// Counts the rising edges of the clock of an instance.
class EdgeCounter final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(EdgeCounter);
  EdgeCounter(const sc_core::sc_module_name& name, sc_core::sc_signal_in_if<bool>& clock)
      : sc_core::sc_module(name), counts_(instances().emplace_back()) {
    SC_METHOD(on_edge);
    sensitive << clock.posedge_event();
    dont_initialize();
  }

 private:
  void on_edge() { ++counts_.edges; }

  PinCounts& counts_;
};

class CountedSignals final : public SignalDesign {
 public:
  CountedSignals(std::unique_ptr<SignalDesign> inner, sc_core::sc_signal_in_if<bool>& clock)
      : inner_(std::move(inner)), counter_("edges", clock) {}

  PinSignal& pin(int pin) override { return inner_->pin(pin); }

 private:
  std::unique_ptr<SignalDesign> inner_;
  EdgeCounter counter_;
};

}  // namespace

CountedDesign::CountedDesign(const std::string& model) : name_("counted_" + model) {
  const RouterDesign inner = *RouterDesigns::find(model);
  RouterDesign design = inner;
  design.name = name_;
  design.evaluated = [inner](const char* name, std::uint64_t seed) {
    return std::unique_ptr<EvaluatedDesign>(
        std::make_unique<CountedEvaluated>(inner, inner.evaluated(name, seed)));
  };
  design.signals = [inner](const char* name, std::uint64_t seed,
                           sc_core::sc_signal_in_if<bool>& clock) {
    return std::unique_ptr<SignalDesign>(
        std::make_unique<CountedSignals>(inner.signals(name, seed, clock), clock));
  };
  RouterDesigns::add(std::move(design));
}

CountedDesign::~CountedDesign() { RouterDesigns::remove(name_); }

SimulateOptions CountedDesign::options() {
  SimulateOptions options;
  options.attach = [](Testbench&) {
    return [](Results& results) {
      Table& table = results.tables["pins"];
      table.columns = {"edges", "flits_in", "flits_out", "delivered", "returned", "received"};
      for (const PinCounts& counts : instances())
        table.rows.push_back({std::to_string(counts.edges), std::to_string(counts.flits_in),
                              std::to_string(counts.flits_out), std::to_string(counts.delivered),
                              std::to_string(counts.returned), std::to_string(counts.received)});
    };
  };
  return options;
}

std::vector<PinCounts> CountedDesign::counts(const Results& results) {
  std::vector<PinCounts> counts;
  for (const auto& row : results.table("pins").rows)
    counts.push_back({std::stoll(row[0]), std::stoll(row[1]), std::stoll(row[2]),
                      std::stoll(row[3]), std::stoll(row[4]), std::stoll(row[5])});
  return counts;
}

}  // namespace flitwave::test
