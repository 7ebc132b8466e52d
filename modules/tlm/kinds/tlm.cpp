// modules/tlm/kinds/tlm.cpp: a node with TLM-2.0 sockets, and devices of a job at them.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "configs/section_codec.hpp"
#include "modules/tlm/devices/listed_initiator.hpp"
#include "modules/tlm/devices/memory.hpp"
#include "modules/tlm/devices/message_registers.hpp"
#include "modules/tlm/devices/node_device.hpp"

namespace flitwave {

namespace {

struct InitiatorParams {
  static constexpr const char* example = "{program: accesses.txt}";

  InputFile program;
  TimingStyle style = TimingStyle::loosely_timed;
  Delay quantum = Delay::of(Cycles{0});
  int outstanding = 1;

  static Schema<InitiatorParams> schema() {
    using P = InitiatorParams;
    return Schema<P>{}
        .required(
            "program", &P::program,
            "lines `at CYCLE` or `after CYCLES`, then `load ADDRESS BYTES [VALUE]` or `store "
            "ADDRESS BYTES VALUE`; a load with a VALUE is compared with it; # starts a comment; "
            "relative to the job's folder")
        .optional("style", &P::style,
                  "how transactions are transported: b_transport, or nb_transport with four phases")
        .optional(
            "quantum", &P::quantum,
            "loosely timed: how far the initiator may run ahead of simulated time between its "
            "accesses",
            at_least(0))
        .optional("outstanding", &P::outstanding,
                  "approximately timed: greatest number of transactions without a response",
                  between(1, 1000));
  }
};

struct MemoryParams {
  static constexpr const char* example = "{size: 64 KiB, wait: 20 ns}";

  Bytes size{0};
  Delay wait = Delay::of(Cycles{0});

  static Schema<MemoryParams> schema() {
    using P = MemoryParams;
    return Schema<P>{}
        .required("size", &P::size, "number of bytes, from address 0 of its region on", at_least(1))
        .optional("wait", &P::wait, "time of an access, one after the other", at_least(0));
  }
};

struct TlmParams {
  std::optional<InitiatorParams> initiator;
  std::optional<MemoryParams> memory;
  bool registers = false;
};

/// An initiator, a memory and registers, each of which may be absent.
class TlmDevices final : public NodeDevice {
 public:
  TlmDevices(const TlmParams& params, const NodeSite& site) {
    const Duration period = site.domain.period();
    const auto time = [period](Delay delay) { return time_of(delay.exact_picoseconds(period)); };
    if (params.initiator) {
      check(*params.initiator);
      const InitiatorTiming timing{params.initiator->style, time(params.initiator->quantum),
                                   params.initiator->outstanding};
      const Cycle last = longest_time / period.picoseconds / 2;  // after a wait as long
      initiator_ = std::make_unique<ListedInitiator>(
          "initiator", site.domain,
          read_accesses(params.initiator->program, "initiator.program", last), timing, site.done);
      initiator_->socket.bind(site.bridge.for_initiator());
    }
    if (params.memory) {
      memory_ =
          std::make_unique<Memory>("memory", static_cast<std::uint64_t>(params.memory->size.count),
                                   time(params.memory->wait));
      site.bridge.for_target("memory").bind(memory_->socket);
      site.bridge.target("memory")->set_answers_by(
          [this] { return picoseconds_of(memory_->free_at()); });
    }
    if (params.registers) {
      registers_ = std::make_unique<MessageRegisters>("registers", site);
      site.bridge.for_target("registers").bind(registers_->socket);
    }
  }

  /// Throws: ConfigError for a setting that the style does not have.
  static void check(const InitiatorParams& params) {
    const bool blocks = params.style == TimingStyle::loosely_timed;
    if (blocks && params.outstanding > 1)
      throw ConfigError("initiator.outstanding",
                        "a loosely timed initiator has one transaction at a time",
                        "set style: approximately_timed, or leave it out");
    if (!blocks && params.quantum.exact_picoseconds(Duration{1}) > 0)
      throw ConfigError("initiator.quantum",
                        "an approximately timed initiator does not run ahead of simulated time",
                        "set style: loosely_timed, or leave it out");
  }

  bool is_done() const override { return !initiator_ || initiator_->is_done(); }
  bool awaits_collective() const override { return registers_ && registers_->awaits_collective(); }
  std::int64_t wrong_values() const override { return initiator_ ? initiator_->wrong_values() : 0; }

 private:
  std::unique_ptr<ListedInitiator> initiator_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<MessageRegisters> registers_;
};

}  // namespace

/// Source: IEEE 1666-2011, sections 10 to 15.
void register_tlm(Nodes& nodes) {
  using P = TlmParams;
  nodes.add(
      "tlm",
      {"TLM-2.0 sockets for an initiator, a memory, or modules of the program in which the "
       "network is a module",
       "IEEE 1666-2011, sections 10 to 15",
       {"{kind: tlm, memory: {size: 64 KiB, wait: 20 ns}}"}},
      Schema<P>{}
          .optional("initiator", &P::initiator, "a processor whose accesses are in a file")
          .optional("memory", &P::memory, "a memory, the device `memory` of the node")
          .optional("registers", &P::registers,
                    "the device `registers` of the node: registers by which a processor sends "
                    "messages and begins the node's part of the collective (docs/tlm.md)"),
      [](const P& params, const NodeSite& site) {
        return std::unique_ptr<NodeDevice>(std::make_unique<TlmDevices>(params, site));
      });
}

}  // namespace flitwave
