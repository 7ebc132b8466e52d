// routers/verilated/router_design.hpp: what a router in RTL declares about its pins and flits.
// port map -> [router_design] -> adapter -> network
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "modules/channel/channel.hpp"
#include "routers/parts/stage_delays.hpp"

namespace flitwave {

/// A field of a flit on the pins.
enum class FlitField {
  kind,  ///< 2 bits: 0 body, 1 head, 2 tail, 3 head and tail.
  head,
  tail,
  vc,
  destination,    ///< The number of the node.
  coordinate,     ///< The destination's coordinate in a dimension.
  source,         ///< The number of the node.
  message_class,  ///< 0: a request or a plain message; 1: a reply.
  route,          ///< The output port that the packet takes here; for look-ahead designs.
  payload,        ///< A pattern that depends on the packet and the flit's number in it.
  tag,            ///< Identifies the flit inside the router; exists in simulation only.
};
std::vector<std::string> names_of(FlitField);

/// The bits of a field. Offset 0 is the least bit.
struct BitField {
  FlitField field = FlitField::payload;
  int dimension = 0;  ///< Of `coordinate`.
  int offset = 0;
  int width = 1;
};

/// The bits of a flit on the pins. `check_flit_bits` has what is permitted.
struct FlitBits {
  int width = 0;
  std::vector<BitField> fields;
};

/// One pin of a design: a port, or one element of a port that is an unpacked array, e.g.
/// "in_flit[3]".
struct DesignPin {
  std::string name;
  int width = 1;
  bool is_input = true;
};

/// Bits of a pin.
struct PinBits {
  int pin = -1;  ///< Index in RouterDesign::pins; -1: there is none.
  int lsb = 0;
  int width = 1;

  bool exist() const { return pin >= 0; }
};

/// Credits: a pulse with the number of the virtual channel, or a bit for each virtual channel.
struct CreditPins {
  PinBits pulse;   ///< Exists unless `per_vc` does.
  PinBits vc;      ///< The number, beside `pulse`; may be absent with one virtual channel.
  PinBits per_vc;  ///< Bit v: a slot of virtual channel v is free again.
};

/// The pins of one direction of one port.
struct FlitPins {
  PinBits valid;
  PinBits flit;                 ///< The whole flit, or:
  std::vector<PinBits> fields;  ///< One for each of FlitBits::fields, in their order.
  CreditPins credit;            ///< With the handshake credit.
  /// With ready_valid: a bit for each virtual channel.
  PinBits ready;
};

/// An input that is constant during a run.
struct ConstantPins {
  enum class Value {
    node,           ///< The number of the router's node.
    coordinate,     ///< The node's coordinate in a dimension.
    radix,          ///< The extent of a dimension.
    network_ports,  ///< The number of network ports of this router.
    number,         ///< `number`.
  };

  Value value = Value::number;
  int dimension = 0;  ///< Of `coordinate` and `radix`.
  std::uint64_t number = 0;
  PinBits bits;
};

struct ResetPin {
  PinBits bits;
  bool active_low = false;
  bool asynchronous = false;  ///< Takes effect without an edge of the clock.
};

/// A signal inside a design. One of more than 64 bits is several, each with its bits in its name.
struct InnerSignal {
  std::string scope;  ///< Modules, outermost first, joined by dots: "wormhole_credit.core".
  std::string name;   ///< "credits", "slots[2]", "in_flit_127_64"
  int width = 1;      ///< Range: 1 .. 64
};

/// The signals inside an instance, for waves.
class InnerSignals {
 public:
  InnerSignals() = default;
  InnerSignals(const InnerSignals&) = delete;
  InnerSignals& operator=(const InnerSignals&) = delete;
  virtual ~InnerSignals() = default;

  /// By scope and name. The same list for all instances of a design.
  virtual const std::vector<InnerSignal>& signals() const = 0;
  /// Reads the values of all signals, which are 0 until then.
  /// Needs: SystemC's elaboration has ended.
  virtual void sample() = 0;
  /// As sampled last.
  virtual std::uint64_t value(std::size_t signal) const = 0;
};

/// An instance of a design whose pins are memory in Verilator's layout: 1, 2, 4 or 8 bytes for up
/// to 8, 16, 32 or 64 bits, and words of 32 bits beyond, the least first.
class EvaluatedDesign {
 public:
  EvaluatedDesign() = default;
  EvaluatedDesign(const EvaluatedDesign&) = delete;
  EvaluatedDesign& operator=(const EvaluatedDesign&) = delete;
  virtual ~EvaluatedDesign() = default;

  /// The memory of a pin, by its index in RouterDesign::pins. Lifetime: that of the instance.
  virtual void* data(int pin) = 0;
  /// Computes registers and outputs from the inputs.
  virtual void evaluate() = 0;
  /// For waves; null: unknown.
  virtual std::unique_ptr<InnerSignals> inner_signals() { return nullptr; }
};

/// A pin of a design as a SystemC signal, which is bound to the design's port. `pin_signal.hpp` has
/// those of the usual types.
class PinSignal {
 public:
  PinSignal() = default;
  PinSignal(const PinSignal&) = delete;
  PinSignal& operator=(const PinSignal&) = delete;
  virtual ~PinSignal() = default;

  /// Writes an input of the design. `words`: the bits, the least word first; shape [width / 64,
  /// rounded up].
  virtual void write(const std::uint64_t* words) = 0;
  /// Reads an output. Bits that are X or Z are 0 in `words`. Returns: the lowest such bit, -1 if
  /// there is none.
  virtual int read(std::uint64_t* words) const = 0;
  /// 'X' or 'Z' for a bit that is one of them, else '0' or '1'.
  virtual char digit(int bit) const = 0;
  virtual const sc_core::sc_event& changed() const = 0;
};

/// An instance of a design that is a SystemC module, with a signal bound to each of its ports but
/// the clock.
class SignalDesign {
 public:
  SignalDesign() = default;
  SignalDesign(const SignalDesign&) = delete;
  SignalDesign& operator=(const SignalDesign&) = delete;
  virtual ~SignalDesign() = default;

  /// The signal of a pin, by its index in RouterDesign::pins; not of the clock.
  virtual PinSignal& pin(int pin) = 0;
  /// For waves; null: unknown.
  virtual std::unique_ptr<InnerSignals> inner_signals() { return nullptr; }
};

/// A router in RTL: pins, flits and properties, and functions that create instances.
///
/// Timing: all outputs are registers. A flit that is presented before an edge is accepted at that
///   edge; outputs change after it.
struct RouterDesign {
  using Evaluated =
      std::function<std::unique_ptr<EvaluatedDesign>(const char* name, std::uint64_t seed)>;
  using Signals = std::function<std::unique_ptr<SignalDesign>(
      const char* name, std::uint64_t seed, sc_core::sc_signal_in_if<bool>& clock)>;

  std::string name;    ///< The value of `model` in jobs.
  std::string source;  ///< The path of the port map, for messages.
  std::vector<DesignPin> pins;
  PinBits clock;
  ResetPin reset;
  FlitBits flit;
  Handshake handshake = Handshake::credit;
  /// Under ready_valid: `ready` answers a flit that is valid, and may be low without one.
  bool acknowledges = false;
  int vcs = 1;
  int depth = 4;  ///< Slots per virtual channel of its input buffers. Unit: flit
  int network_ports = 4;
  int local_ports = 1;
  /// Network ports, then local ports. Shape: [network_ports + local_ports]
  std::vector<FlitPins> inputs;
  std::vector<FlitPins> outputs;
  std::vector<ConstantPins> constants;
  std::optional<StageDelays> timing{};  ///< Absent: not declared.
  bool torus = false;                   ///< Its routing follows rings.
  /// The value of `routing.kind` that it implements; empty: not declared.
  std::string routing{};

  Evaluated evaluated{};  ///< Empty: not built for the adapter `evaluated`.
  /// Creates the SystemC module within the module under construction, and its signals. `clock` is
  /// for the port `clock`. Empty: not built for the adapter `pins`.
  Signals signals{};

  int ports() const { return network_ports + local_ports; }
};

/// The text of a field of a design: "vc", "coordinate[1]".
std::string name_of(const BitField& field);

/// Throws: ModelError that names `source` and the pin or field, unless the declaration is complete
///   and consistent: pins exist, have the right direction and width, fields do not overlap, and
///   there are as many tags as flits that can be inside.
void check_design(const RouterDesign& design);

/// The designs that are built into the program.
class RouterDesigns {
 public:
  /// For initializers of static variables in generated files. Replaces a design of the same name.
  /// Returns: true.
  static bool add(RouterDesign design);
  static void remove(const std::string& name);
  /// Null if there is none.
  static const RouterDesign* find(const std::string& name);
  /// Sorted.
  static std::vector<std::string> names();
};

}  // namespace flitwave
