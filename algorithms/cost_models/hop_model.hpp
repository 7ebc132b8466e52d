// algorithms/cost_models/hop_model.hpp: latencies that count the routers on a message's path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

/// A message over h hops passes h + 1 routers, since the path from its processor counts as a hop.
/// All functions are for a message without contention.
/// Source: Lan 1988, section 3.5, which calls tau_t a rate; it is a time
struct HopModel {
  double ends = 0;      ///< tau_s: at the source and at the destination. Unit: us
  double decision = 0;  ///< tau_p: of each router. Unit: us
  double per_byte = 0;  ///< tau_t: on each link. Unit: us

  /// A router waits for the whole message: equations 3.3 and 3.4. Unit: us
  double store_and_forward(int hops, double bytes) const {
    return after_routers(hops, per_byte * bytes);
  }
  /// A router waits for the address part only: equations 3.5 and 3.6. Unit: us
  double relay(int hops, double bytes, double address_bytes) const {
    return after_routers(hops, per_byte * address_bytes) + per_byte * (bytes - address_bytes);
  }
  /// A router can decide `transfer` us after a message began to arrive: equation 3.2. Unit: us
  double after_routers(int hops, double transfer) const {
    return ends + (hops + 1) * (decision + transfer);
  }

  /// Between neighbours, by bytes: equation 3.1, with t_l as start-up and t_c per byte.
  TauPoint one_hop() const { return {ends + 2 * decision, 2 * per_byte}; }
};

/// A machine whose messages were measured over several hops.
struct HopMachine {
  std::string name;    ///< e.g. "ncube_64"
  std::string system;  ///< A description.
  std::string source;  ///< e.g. "Lan 1988, section 3.5"
  HopModel model;
};

/// The rows of configs/measurements/lan_1988/hop_models.csv.
const std::vector<HopMachine>& hop_machines();

/// Throws: ConfigError on "machine" with the known names when there is none of that name.
const HopMachine& hop_machine(const std::string& name);
inline const HopModel& hop_model(const std::string& name) { return hop_machine(name).model; }

}  // namespace flitwave
