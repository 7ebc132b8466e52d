// modules/tlm/devices/payload_pool.hpp: transactions that are used again when they are released.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tlm>
#include <vector>

namespace flitwave {

/// The memory manager of an initiator.
/// Source: IEEE 1666-2011, section 14.5.
class PayloadPool final : public tlm::tlm_mm_interface {
 public:
  /// Returns: a transaction with one reference, its attributes reset.
  tlm::tlm_generic_payload& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
      free_.push_back(all_.back().get());
    }
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_byte_enable_length(0);
    payload.acquire();
    return payload;
  }

  /// Called by the last release.
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace flitwave
