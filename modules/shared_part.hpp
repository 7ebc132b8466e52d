// modules/shared_part.hpp: what the routers of a network share beside their channels, e.g. a cable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitwave {

class ClockDomain;
class FaultLog;
class PacketPool;
class RequestProtocol;
class Topology;

/// The network for which a part is made. All outlive it.
struct SharedSite {
  ClockDomain& domain;
  const Topology& topology;
  PacketPool& packets;
  FaultLog* fault_log = nullptr;  ///< Null where nothing is ever faulty.
};

/// What the routers of one model share beside their channels. The netlist makes it before its
/// routers and hands it to each of them.
class SharedPart {
 public:
  /// A number for the results of a run.
  struct Count {
    std::string name;
    std::int64_t value = 0;
    std::string unit;
  };

  virtual ~SharedPart() = default;

  /// What it has counted, in cycles 1 .. now().
  virtual std::vector<Count> counts() const { return {}; }
  /// How interfaces send packets under the handshake request; null for routers without it.
  virtual RequestProtocol* requests() { return nullptr; }
};

}  // namespace flitwave
