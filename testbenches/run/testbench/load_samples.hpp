// testbenches/run/testbench/load_samples.hpp: queues at the sources and packets in the network
// while a load is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modules/network/simulated_network.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/processor/traffic_control.hpp"
#include "testbenches/job/observer.hpp"
#include "testbenches/job/results/stability.hpp"

namespace flitwave {

/// Samples of an open-loop load at equal intervals through its measurement, and the verdict whether
/// the network carries it. It does not if the number of packets in network and sources, or the
/// queue of any source, grows.
///
/// Samples are taken at the end of a cycle, so that neither scheduling nor the order of building
/// matters. A verdict of saturation is final; it is computed at each quarter of the window, so that
/// it is the same whether the run then stops or continues.
class LoadSamples {
 public:
  /// All outlive it. `dispersion`: variance over mean of the number of packets that a source
  /// creates.
  LoadSamples(const SimulatedNetwork& network, const PacketPool& packets,
              const TrafficControl& traffic, const Window& window, double dispersion);

  /// The cycle at whose end the next sample is due; INT64_MAX when there is none.
  Cycle next() const;
  /// Takes the sample: at the end of cycle `next()`.
  void take();

  /// Ends sampling: the run stops early.
  void stop() { stopped_ = true; }

  /// Why the load exceeds the network's capacity; empty while there is no sign of it.
  const std::string& too_much() const { return too_much_; }

  /// Half the width of the 95 % interval of the flits delivered per node and cycle. None for a
  /// measurement of less than 60 cycles.
  std::optional<double> accepted_interval() const;

  /// Adds the mean queue and its growth, per node, and the growth of all packets.
  void report(Results& results) const;

 private:
  static constexpr int most_samples = 480;
  static constexpr int quarters = 4;
  static constexpr int per_queue_sample =
      15;  // samples per queue sample; queues take longer to read

  /// The samples of one source. Unit: flit
  struct Queue {
    double sum = 0;
    double by_sample = 0;  // sum of sample number * flits
    double growth(int samples) const;
  };

  Cycle at(int sample) const { return start_ + length_ * sample / samples_; }
  void take_queues();
  void judge();
  NodeId growing() const;

  const SimulatedNetwork& network_;
  const PacketPool& packets_;
  const TrafficControl& traffic_;
  double dispersion_;
  Cycle start_;                     // the cycle before the window
  Cycle length_;                    // length of the window
  int samples_;                     // besides the one at `start_`
  std::vector<double> population_;  // packets more than at the first sample
  std::vector<double> delivered_;   // flits since the start of the run
  std::vector<Queue> queues_;       // Shape: [nodes]
  int queue_samples_ = 0;
  std::int64_t gone_before_ = 0;
  bool stopped_ = false;
  std::string too_much_;
};

}  // namespace flitwave
