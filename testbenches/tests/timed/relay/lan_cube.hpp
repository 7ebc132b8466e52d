// testbenches/tests/timed/relay/lan_cube.hpp: a cube of routers made of blocks, with a processor at
// each.
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

/// For the inside of child processes, whose failures are told by what they throw.
inline void demand(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// A message that a processor has sent or got.
struct LanMessage {
  std::int64_t edge = 0;  ///< Sent: the first field begins to go. Got: the last one is there.
  std::vector<CubeBits> fields;
};

/// Sends what it is told to, and takes what comes.
class LanProcessor final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LanProcessor);
  LanProcessor(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  FieldOutput injection{"injection"};
  FieldInput ejection{"ejection"};

  /// Asks the router at `edge` or, when messages before it are not gone, later.
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
  int answers_after_;
  std::int64_t edge_ = 0;
  std::deque<LanMessage> queue_;
  bool asking_ = false;
  std::size_t next_ = 0;  // field to be sent; 0: none is being sent
  int beats_ = 0;
  int seen_ = 0;  // edges since the request was
  std::vector<CubeBits> coming_;
};

/// Routers, links and processors. The names of instances have addresses in binary, as in Lan 1988:
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

  /// Edge number e is at e periods.
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
