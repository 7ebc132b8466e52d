// testbenches/tests/timed/relay/lan_cube.hpp: a cube of routers in blocks, with a processor at each
// node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "routers/relay/mhu/lan_router.hpp"

namespace flitwave::test {

/// A check inside child processes, which report failures by exceptions.
inline void demand(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// A message that a processor has sent or received.
struct LanMessage {
  std::int64_t edge = 0;  ///< Sent: cycle of the first field. Received: of the last one.
  std::vector<CubeBits> fields;
};

/// Sends the given messages and receives all that arrive.
class LanProcessor final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LanProcessor);
  LanProcessor(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  FieldOutput injection{"injection"};
  FieldInput ejection{"ejection"};

  /// Requests the router at `edge`, or later if earlier messages are not sent yet.
  void send(std::int64_t edge, const std::vector<CubeBits>& fields) {
    queue_.push_back({edge, fields});
  }
  std::vector<LanMessage> sent;
  std::vector<LanMessage> got;

 private:
  void tick();
  void inject();
  void eject();
  void show();

  int field_;
  int acknowledges_after_;
  std::int64_t edge_ = 0;
  std::deque<LanMessage> queue_;
  bool requesting_ = false;
  std::size_t next_ = 0;  // field to be sent; 0: none is being sent
  int beats_ = 0;
  int request_age_ = 0;  // edges since the request was observed
  std::vector<CubeBits> arriving_;
};

/// Routers, links and processors. Instance names have binary addresses, as in Lan 1988:
/// router_00110, link_00110_to_00100, inject_00110, eject_00110.
class LanCube final : public sc_core::sc_module {
 public:
  LanCube(const sc_core::sc_module_name& name, const BlockParams& params,
          const FaultsAt& faults = no_faults);

  LanProcessor& processor(CubeAddress node) { return processors_[node]; }
  const LanRouter& router(CubeAddress node) const { return *routers_[node]; }
  const FieldLink& link(CubeAddress from, int dimension) const {
    return *links_[from * ports_ + static_cast<std::size_t>(dimension)];
  }

  /// Edge number e occurs after e periods.
  static constexpr std::int64_t period = 100'000;  ///< Unit: ps; of links of 10 MHz.
  void run(std::int64_t edges);
  std::int64_t now() const { return edges_; }

 private:
  void connect(const BlockParams& params);

  Cube cube_;
  std::size_t ports_;
  sc_core::sc_clock clk_;
  std::vector<std::unique_ptr<BusSignal>> addresses_;
  std::vector<std::unique_ptr<BusSignal>> faults_;
  std::vector<std::unique_ptr<LanRouter>> routers_;
  std::vector<std::unique_ptr<FieldLink>> links_;  // Shape: [nodes][n + 1]; the last is injection
  std::vector<std::unique_ptr<FieldLink>> ejections_;
  sc_core::sc_vector<LanProcessor> processors_;
  std::int64_t edges_ = 0;
};

}  // namespace flitwave::test
