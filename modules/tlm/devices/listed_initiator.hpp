// modules/tlm/devices/listed_initiator.hpp: an initiator whose accesses are listed in a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <vector>

#include <systemc>

#include "modules/clock/clock_domain.hpp"
#include "modules/tlm/devices/access_list.hpp"
#include "modules/tlm/devices/payload_pool.hpp"

namespace flitwave {

/// How an initiator transports its transactions.
enum class TimingStyle {
  loosely_timed,        ///< b_transport, one transaction at a time.
  approximately_timed,  ///< nb_transport with four phases.
};
std::vector<std::string> names_of(TimingStyle);

/// Properties of an initiator besides its accesses.
struct InitiatorTiming {
  TimingStyle style = TimingStyle::loosely_timed;
  sc_core::sc_time quantum;  ///< Loosely timed: how far it may run ahead of simulated time.
  int outstanding = 1;       ///< Approximately timed: transactions without a response.
};

/// Carries out accesses in their order.
///
/// Timing: an access `at` a cycle begins at that edge, cycle 0 being the first in which processors
///   run; one `after` some cycles begins that long after the response of the access before.
///   Approximately timed, an access waits for END_REQ of the one before and for a response when
///   `outstanding` have none.
class ListedInitiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(ListedInitiator);
  tlm::tlm_initiator_socket<> socket{"socket"};

  /// `domain`: whose cycles are meant; outlives it. `done`: called after the last response.
  ListedInitiator(const sc_core::sc_module_name& name, const ClockDomain& domain,
                  std::vector<Access> accesses, const InitiatorTiming& timing,
                  std::function<void()> done);

  bool is_done() const { return answered_ == accesses_.size(); }
  /// Loads that returned another value than expected, or no value because of an error.
  std::int64_t wrong_values() const { return wrong_; }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  /// A transaction with its access and data; the payload has the address of the data.
  struct Running {
    std::size_t access = 0;
    std::vector<std::uint8_t> data;
    tlm::tlm_generic_payload* payload = nullptr;
  };

  void run_loosely_timed();
  void run_approximately_timed();
  void end_responses();
  sc_core::sc_time begin_of(const Access& access) const;
  Running& start(std::size_t access);
  void answered(Running& running);
  Running& running_of(const tlm::tlm_generic_payload& payload);

  const ClockDomain& domain_;
  std::vector<Access> accesses_;
  InitiatorTiming timing_;
  std::function<void()> done_;
  PayloadPool payloads_;
  std::vector<Running> running_;  // some of them idle: without a payload
  std::size_t answered_ = 0;
  std::int64_t wrong_ = 0;
  int outstanding_ = 0;
  const tlm::tlm_generic_payload* requesting_ = nullptr;  // between BEGIN_REQ and END_REQ
  sc_core::sc_event changed_{"changed"};
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> responses_{"responses"};
};

}  // namespace flitwave
