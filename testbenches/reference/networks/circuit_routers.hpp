// testbenches/reference/networks/circuit_routers.hpp: the routers of all nodes under circuit
// switching.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbenches/reference/arbiter.hpp"
#include "testbenches/reference/fingerprint.hpp"
#include "testbenches/reference/mail.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/window.hpp"

namespace flitwave::reference {

/// The acknowledgement of a probe.
enum Answer : Index { granted = 0, busy = 1 };

/// The number of the pulse that acknowledges the probe of a channel's slot, and its parts.
constexpr Index pulse_of(Index slot, Answer answer) { return 2 * slot + answer; }
constexpr Index slot_of_pulse(Index pulse) { return pulse / 2; }
constexpr Answer answer_of_pulse(Index pulse) { return static_cast<Answer>(pulse % 2); }

/// Routers in which probes reserve circuits; docs/timing.md, "A router of circuits". Nothing is
/// buffered: the state of an input is its circuit and the output of the circuit.
///
/// An input, or an output, is a slot of a port: end * slots + slot. An input passes flits to
/// outputs of one slot for each port, and an output takes them from inputs of one slot, so a port
/// determines the output of an input and vice versa.
class CircuitRouters {
 public:
  CircuitRouters(const Params& params, const Wiring& wiring, Packets& packets, Mail& mail,
                 Fingerprint& fingerprint, Window& window);

  /// One cycle of all routers.
  void tick(Cycle now);

 private:
  enum class Stage : std::uint8_t {
    idle,         // no circuit
    waiting,      // a probe without an output
    leaving,      // a probe with an output
    established,  // the probe has left
  };
  struct Wish {
    Index port;
    Index output;  // a port, too; -1 once granted
  };

  Index input(Index port, Index slot) const { return (first_end_ + port) * slots_ + slot; }
  /// The output of a port that corresponds to inputs of a slot.
  Index output(Index port, Index slot) const { return input(port, slot_behind(port, slot)); }
  Index slot_behind(Index port, Index slot) const;
  Index slot_before(Index port, Index slot) const;

  void tick_one(Index router);
  void pass_acknowledgements(Mask outputs);
  void pass_flits(Mask inputs);
  void take_probe(Index port, Word probe);
  void collect_wishes(Index slot);
  Index free_output(Index port, Index slot) const;
  bool is_free(Index to) const;
  void grant_all(Index slot);
  void grant(Index port, Index slot, Index to);
  void send_probes();
  void send(Index port, Word flit);
  void give_acknowledgement(Index port, Index slot, Answer answer);
  void send_acknowledgements();

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Mail& mail_;
  Fingerprint& fingerprint_;
  Window& window_;
  const Index slots_;
  Cycle now_ = 0;
  Index slot_ = 0;       // current
  Index router_ = 0;     // current
  Index first_end_ = 0;  // of the current router

  // Per input.
  Field<Stage> stage_;
  Field<Word> probe_;
  Field<Cycle> ready_at_;  // earliest end of the stage
  Field<Index> output_;    // port, when leaving or established
  Field<Index> routed_;
  Field<Route> routes_;
  Field<Answer> answer_;  // to be sent
  // Per output.
  Field<Index> holder_;     // the port of the input whose circuit leaves here, or -1
  Field<Cycle> free_from_;  // first cycle in which it is free
  Arbiters arbiters_;       // requesters: ports
  // Per router and slot of inputs: router * slots + slot.
  Field<Mask> waiting_;  // ports
  Field<Mask> leaving_;  // ports
  // Per end of a router.
  Field<Index> shift_;          // from a slot of inputs to that of the outputs here
  Field<Mask> unacknowledged_;  // slots of inputs with an acknowledgement to be sent
  // Per router.
  Field<Index> probes_;        // that wait or leave
  Field<Mask> acknowledging_;  // ports with an acknowledgement to be sent
  // Scratch space for one router.
  std::vector<Wish> wishes_;
  std::vector<Request> requests_;
};

}  // namespace flitwave::reference
