// modules/tlm/protocol_rules.hpp: the rules of the base protocol on one connection.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tlm>

#include <systemc>

namespace flitwave {

/// A broken rule of the base protocol; empty if none is.
struct BrokenRule {
  std::string found;   ///< e.g. "a request has no data pointer"
  std::string remedy;  ///< e.g. "set it to memory for the data length"

  bool empty() const { return found.empty(); }
};

/// The base protocol between one initiator socket and one target socket. It is given each call and
/// each return; each function returns the broken rule, or an empty one.
///
/// Ignorable phases are ignored. The address of a transaction is compared with that of its request
/// when the response is sent: an interconnect may change it for the connection behind it, and must
/// have restored it by then.
/// Source: IEEE 1666-2011, sections 14.7 to 14.17 and 15.2.
class ProtocolRules {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// A call of nb_transport_fw, before it is passed on.
  BrokenRule forward(const Payload& payload, const tlm::tlm_phase& phase,
                     const sc_core::sc_time& delay);
  /// A call of nb_transport_bw, before it is passed on.
  BrokenRule backward(const Payload& payload, const tlm::tlm_phase& phase,
                      const sc_core::sc_time& delay);

  /// Values that a caller has passed, to be compared after the return.
  struct Call {
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
  };
  /// The return of nb_transport_fw, or of nb_transport_bw.
  BrokenRule forward_returned(const Payload& payload, const Call& call, tlm::tlm_sync_enum status,
                              const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  BrokenRule backward_returned(const Payload& payload, const Call& call, tlm::tlm_sync_enum status,
                               const tlm::tlm_phase& phase, const sc_core::sc_time& delay);

  /// The call and the return of b_transport.
  BrokenRule blocking(const Payload& payload, const sc_core::sc_time& delay);
  BrokenRule blocking_returned(const Payload& payload, const sc_core::sc_time& delay);

  /// Transactions that have begun and have not ended.
  std::size_t open() const { return transactions_.size(); }

 private:
  /// The attributes that may not change between request and response.
  struct Attributes {
    tlm::tlm_command command;
    std::uint64_t address;
    const unsigned char* data;
    unsigned length;
    const unsigned char* enables;
    unsigned enable_length;
    unsigned streaming_width;
  };
  enum class State { requested, accepted, responded };
  struct Progress {
    Attributes attributes;
    State state = State::requested;
    std::int64_t at = 0;  ///< Time of its last phase. Unit: ps
    bool blocking = false;
  };

  static Attributes attributes_of(const Payload& payload);
  static BrokenRule wrong_request(const Payload& payload);
  static BrokenRule wrong_response(const Progress& progress, const Payload& payload);
  BrokenRule request(const Payload& payload, std::int64_t at);
  BrokenRule accept(const Payload& payload, std::int64_t at);
  BrokenRule respond(const Payload& payload, std::int64_t at);
  BrokenRule end_response(const Payload& payload, std::int64_t at);
  BrokenRule end_early(const Payload& payload, std::int64_t at);
  BrokenRule returned(const Payload& payload, const Call& call, tlm::tlm_sync_enum status,
                      const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  BrokenRule move(Progress& progress, std::int64_t at);
  Progress* find(const Payload& payload);
  void end(const Payload& payload);

  std::map<const Payload*, Progress> transactions_;  // looked up only, never iterated
  const Payload* requesting_ = nullptr;              // between BEGIN_REQ and END_REQ
  const Payload* responding_ = nullptr;              // between BEGIN_RESP and END_RESP
};

}  // namespace flitwave
