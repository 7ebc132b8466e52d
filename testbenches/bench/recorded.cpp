// testbenches/bench/recorded.cpp: see recorded.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/recorded.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <tuple>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave::bench {

namespace {

/// Records each packet when its tail is ejected.
class Recorder final : public TransitListener {
 public:
  explicit Recorder(const PacketPool& packets) : packets_(packets) {}

  void on_transits(Cycle /*cycle*/, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits)
      if (transit.flit.tail()) found_.push_back(packets_.packet(transit.flit));
  }

  /// Writes the packets in the order in which each source created them.
  void write(const std::string& file) {
    std::sort(found_.begin(), found_.end(), [](const Packet& a, const Packet& b) {
      return std::tuple(a.created, a.header.source, a.number) <
             std::tuple(b.created, b.header.source, b.number);
    });
    std::ofstream out(file);
    for (const Packet& packet : found_)  // a trace's cycles count from the first
      out << packet.created - 1 << ' ' << packet.header.source.value() << ' '
          << packet.header.destination.value() << ' ' << packet.length << '\n';
    if (!out.flush()) throw SystemFailure("cannot write " + file);
  }

 private:
  const PacketPool& packets_;
  std::vector<Packet> found_;
};

}  // namespace

void record_trace(const Scenario& scenario, const std::string& file) {
  SimulateOptions options;
  options.attach = [&file](Testbench& testbench) {
    auto recorder = std::make_shared<Recorder>(testbench.packets());
    testbench.listen(ChannelSite::Kind::ejection, *recorder);
    return [recorder, &file](Results&) { recorder->write(file); };
  };
  const Results results = simulate(scenario, standard_catalog(), options);
  if (results.outcome != Outcome::complete) throw SystemFailure(results.message);
}

}  // namespace flitwave::bench
