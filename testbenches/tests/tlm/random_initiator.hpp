// testbenches/tests/tlm/random_initiator.hpp: an initiator that makes random transactions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tlm>
#include <vector>

#include <systemc>

#include "configs/random.hpp"
#include "modules/tlm/devices/payload_pool.hpp"

namespace flitwave::test {

/// What an initiator does.
struct RandomPlan {
  enum class Style { blocking, non_blocking, mixed };

  Style style = Style::blocking;
  int transactions = 100;
  int outstanding = 1;                ///< Non-blocking transactions without a response.
  std::vector<std::uint64_t> blocks;  ///< First addresses of blocks of 64 bytes that it accesses.
  std::uint64_t seed = 1;
  int most_pause = 20;     ///< Between transactions. Unit: ns
  bool shared = false;     ///< Others store in its blocks, too: what it loads is not compared.
  bool prompt = false;     ///< Non-blocking: responses end at once, else some after 1.5 or 2.5 ns.
  bool odd_times = false;  ///< Pauses are multiples of 1 ps instead of 1 ns.
};

/// Loads and stores with byte enables and streaming widths, of 1 to 64 bytes within a block. Each
/// value that it loads is compared with a copy of the blocks, if no other initiator stores there.
class RandomInitiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(RandomInitiator);
  tlm::tlm_initiator_socket<> socket{"socket"};

  RandomInitiator(const sc_core::sc_module_name& name, const RandomPlan& plan);

  int answered() const { return answered_; }
  bool is_done() const { return answered_ == plan_.transactions; }
  /// Bytes that were loaded and differ from the copy.
  std::int64_t wrong_bytes() const { return wrong_; }
  std::int64_t loaded_bytes() const { return loaded_; }
  /// The time of each transaction, in the order of their beginning. Unit: ps
  const std::vector<std::int64_t>& times() const { return times_; }

 private:
  struct Open {
    tlm::tlm_generic_payload* payload = nullptr;
    int number = 0;
    std::vector<unsigned char> data;
    std::vector<unsigned char> enables;
    std::vector<unsigned char> expected;
    std::int64_t begun = 0;
  };

  void run();
  Open& prepare(int number);
  void block(Open& open);
  void begin(Open& open);
  void end(Open& open);
  void end_due();

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  RandomPlan plan_;
  Random random_;
  PayloadPool payloads_;
  std::vector<Open> open_;
  std::map<std::uint64_t, unsigned char> copy_;
  std::vector<std::int64_t> times_;
  std::vector<Open*> due_;
  bool requesting_ = false;
  int outstanding_ = 0;
  int answered_ = 0;
  std::int64_t wrong_ = 0;
  std::int64_t loaded_ = 0;
  sc_core::sc_event changed_{"changed"};
  sc_core::sc_event response_{"response"};
};

}  // namespace flitwave::test
