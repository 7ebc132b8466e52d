// testbenches/tests/tlm/reference_memory.hpp: a model of a memory's content, in front of the
// memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <tlm>
#include <vector>

#include <systemc>

namespace flitwave::test {

/// Passes all calls on. Carries out each request on bytes of its own as it passes, and compares
/// what loads return with what they returned here.
class ReferenceMemory final : public sc_core::sc_module,
                              private tlm::tlm_fw_transport_if<>,
                              private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<> target_socket{"target_socket"};
  tlm::tlm_initiator_socket<> initiator_socket{"initiator_socket"};

  explicit ReferenceMemory(const sc_core::sc_module_name& name);

  std::int64_t compared() const { return compared_; }
  /// Bytes that were loaded and differ.
  std::int64_t wrong() const { return wrong_; }
  /// Bytes of the memory that differ at the end.
  std::int64_t wrong_at_the_end();

 private:
  using Payload = tlm::tlm_generic_payload;

  void serve(const Payload& payload);
  void compare(const Payload& payload);

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload& payload) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::map<std::uint64_t, unsigned char> bytes_;
  std::map<const Payload*, std::vector<unsigned char>> expected_;
  std::int64_t compared_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace flitwave::test
