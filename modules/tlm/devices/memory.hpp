// modules/tlm/devices/memory.hpp: a memory with wait states, loosely and approximately timed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <systemc>

namespace flitwave {

/// Bytes, 0 at first, in pages that exist once they are written.
class SparseBytes {
 public:
  std::uint8_t read(std::uint64_t address) const;
  void write(std::uint64_t address, std::uint8_t value);

 private:
  static constexpr std::uint64_t page_size = 4096;
  std::map<std::uint64_t, std::array<std::uint8_t, page_size>> pages_;
};

/// A target that serves one access at a time, in the order of the requests, each `wait` long.
///
/// Non-blocking: END_REQ is sent when an access begins, BEGIN_RESP when it ends.
/// Byte enables and streaming widths are supported, DMI is refused. TLM_IGNORE_COMMAND is answered
/// with TLM_OK_RESPONSE, without waiting: no data is moved.
/// Errors, all without waiting: beyond `size` the response is TLM_ADDRESS_ERROR_RESPONSE; to a
///   command of no meaning, TLM_COMMAND_ERROR_RESPONSE; with a byte enable of no meaning,
///   TLM_BYTE_ENABLE_ERROR_RESPONSE.
class Memory final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};

  /// `size` in bytes.
  Memory(const sc_core::sc_module_name& name, std::uint64_t size, const sc_core::sc_time& wait);

  /// When all accesses that have begun will be over.
  const sc_core::sc_time& free_at() const { return free_at_; }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  struct Times {
    sc_core::sc_time begin;
    sc_core::sc_time end;
  };

  bool holds(const tlm::tlm_generic_payload& payload) const;
  Times serve(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at);
  void access(tlm::tlm_generic_payload& payload);
  void passed(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void respond();
  void response_ended();

  std::uint64_t size_;
  sc_core::sc_time wait_;
  SparseBytes bytes_;
  sc_core::sc_time free_at_;
  std::deque<tlm::tlm_generic_payload*> responses_;  // the first may have begun
  bool responding_ = false;
  tlm_utils::peq_with_cb_and_phase<Memory> phases_;
};

}  // namespace flitwave
