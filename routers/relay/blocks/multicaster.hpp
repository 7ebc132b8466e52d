// routers/relay/blocks/multicaster.hpp: the gates that select a dimension and its destinations.
// store -> [multicaster] -> output_port
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// DECR: one line for each number of bits that a column can have.
/// Timing: combinational
/// Source: Lan 1988, section 6.6.1, Fig. 6.7
class Decr final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Decr);
  explicit Decr(const sc_core::sc_module_name& name);

  BusIn a_col{"a_col"};  ///< Width: m
  BusOut c{"c"};         ///< Width: m + 1

 private:
  void decode();
};

/// DECR of the fault-tolerant router: the column of a faulty dimension drives no line.
/// Timing: combinational
/// Source: Lan 1988, section 7.4, Fig. 7.9
class DecrFT final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(DecrFT);
  /// `dimension`: of its wire in the fault vector.
  DecrFT(const sc_core::sc_module_name& name, int dimension);

  BusIn a_col{"a_col"};  ///< Width: m
  BusIn f{"f"};          ///< Width: n
  BusOut c{"c"};         ///< Width: m + 1

 private:
  void decode();

  int dimension_;
};

/// MAXC: the line of the fullest column.
/// Timing: combinational
/// Source: Lan 1988, section 6.6.2, Fig. 6.8
class Maxc final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Maxc);
  Maxc(const sc_core::sc_module_name& name, const BlockParams& params);

  BusIns c;                 ///< Shape: [n]. Width: m + 1
  BusOut s_star{"s_star"};  ///< The counts that some column has. Width: m + 1
  BusOut s{"s"};            ///< The highest of them. Width: m + 1

 private:
  void compare();
};

/// CLMS: the lowest of the fullest columns.
/// Timing: combinational
/// Source: Lan 1988, section 6.6.3, Fig. 6.9
class Clms final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Clms);
  Clms(const sc_core::sc_module_name& name, const BlockParams& params);

  BusIns c;                 ///< Shape: [n]. Width: m + 1
  BusIn s{"s"};             ///< Width: m + 1
  BusOut y_star{"y_star"};  ///< All of the fullest. Width: n
  BusOut y{"y"};            ///< Width: n

 private:
  void select();
};

/// ADSC: the rows with a bit in the selected column.
/// Timing: combinational
/// Source: Lan 1988, section 6.6.4
class Adsc final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Adsc);
  Adsc(const sc_core::sc_module_name& name, const BlockParams& params);

  BusIns a;       ///< Shape: [m]. Width: n
  BusIn y{"y"};   ///< Width: n
  BusOut r{"r"};  ///< Width: m

 private:
  void select();
};

/// Selects one dimension in a routing cycle.
///
/// Timing: `y`, `r` and `term` follow the Store. At an edge with `cycle` they are latched as `y_q`
///   and `r_q`, unless `term`; `row_clear` has r in the cycle before that edge.
/// Source: Lan 1988, section 6.6, Fig. 6.6
class Multicaster final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Multicaster);
  Multicaster(const sc_core::sc_module_name& name, const BlockParams& params);

  WireIn clk{"clk"};
  BusIns a;                            ///< Shape: [m]. Width: n
  BusIns column;                       ///< Shape: [n]. Width: m
  BusIn fault_vector{"fault_vector"};  ///< Width: n
  WireIn cycle{"cycle"};               ///< The routing cycle ends at the next edge.
  BusOut y{"y"};                       ///< Width: n
  BusOut r{"r"};                       ///< Width: m
  BusOut row_clear{"row_clear"};       ///< Width: m
  BusOut y_q{"y_q"};                   ///< Width: n
  BusOut r_q{"r_q"};                   ///< Width: m
  WireOut term{"term"};                ///< s_0: no destination is left to select.

 private:
  void build_decoders(const BlockParams& params);
  void lead_out();
  void latch();

  std::vector<std::unique_ptr<sc_core::sc_module>> decr_;  // Shape: [n]; Decr, or all DecrFT
  Maxc maxc_;
  Clms clms_;
  Adsc adsc_;
  BusSignals c_;
  BusSignal s_star_;
  BusSignal s_;
  BusSignal y_star_;
};

}  // namespace flitwave
