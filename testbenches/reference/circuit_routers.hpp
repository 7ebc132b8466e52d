// testbenches/reference/circuit_routers.hpp: all routers of circuits, side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "flitwave/testbenches/reference/arbiter.hpp"
#include "flitwave/testbenches/reference/fingerprint.hpp"
#include "flitwave/testbenches/reference/mail.hpp"
#include "flitwave/testbenches/reference/packets.hpp"
#include "flitwave/testbenches/reference/window.hpp"

namespace flitwave::reference {

/// What comes back for a probe.
enum Answer : Index { granted = 0, busy = 1 };

/// Routers through which probes reserve circuits; docs/timing.md, "A router of circuits". Nothing
/// is buffered: all that is known of an input is who holds it and where the way goes on.
class CircuitRouters {
 public:
  CircuitRouters(const Params& params, const Wiring& wiring, Packets& packets, Mail& mail,
                 Fingerprint& fingerprint, Window& window);

  /// One cycle of all routers.
  void tick(Cycle now);

 private:
  enum class Stage : std::uint8_t {
    idle,      // no circuit
    asking,    // a probe without an output
    leaving,   // a probe with one
    standing,  // the probe has gone on
  };
  struct Wish {
    Index port;
    Index output;  // a port too; -1 once settled
  };

  void tick_one(Index router);
  void pass_answers(Mask outputs);
  void pass_flits(Mask inputs);
  void take_probe(Index port, Word probe);
  void collect_wishes();
  Index free_output(Index port) const;
  bool is_free(Index output) const;
  void settle();
  void grant(Index port, Index output);
  void send_probes();

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Mail& mail_;
  Fingerprint& fingerprint_;
  Window& window_;
  Cycle now_ = 0;
  Index router_ = 0;     // in turn
  Index first_end_ = 0;  // of the router in turn

  // Per end, as an input.
  Field<Stage> stage_;
  Field<Word> probe_;
  Field<Cycle> ready_at_;  // when the stage can end at the earliest
  Field<Index> output_;    // port, when leaving or standing
  Field<Index> routed_;
  Field<Route> routes_;
  // Per end, as an output.
  Field<Index> holder_;     // the input port whose circuit leaves here, or -1
  Field<Cycle> free_from_;  // when nobody holds it
  // Per router.
  Field<Mask> asking_;   // ports
  Field<Mask> leaving_;  // ports
  Arbiters arbiters_;    // per end, as an output
  // Scratch of one router's turn.
  std::vector<Wish> wishes_;
  std::vector<Request> requests_;
};

}  // namespace flitwave::reference
