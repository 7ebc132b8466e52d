// testbenches/tests/rtl/relay/verilog_models.hpp: Lan's router in Verilog, with several sets of
// parameters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "routers/relay/mhu/router_blocks.hpp"

namespace flitwave::testing {

/// The parameters of routers/relay/rtl/greedy_multicast_router.sv, with the same defaults; `local`
/// and `answer_cycles` are those of a unit.
struct VerilogParameters {
  int dimensions = 3;
  int rows = 4;
  int data = 64;
  int field_cycles = 1;
  int selection_cycles = 10;
  int answer_cycles = 0;
  int local_answer_cycles = 0;
  int arbitration = 0;
  bool broadcaster = true;
  bool fault_tolerant = false;
  bool stores = false;
  bool sequential = false;
  bool serial = false;
  bool local = false;

  /// From a request to the first field, which is the same at all channels.
  int handshake() const { return local_answer_cycles + 2; }
  /// Of the channels between routers.
  int latency() const { return 1 + (local_answer_cycles - answer_cycles) / 2; }
  /// The same construction in SystemC.
  BlockParams blocks() const;
  /// The section `channel` of a job whose routers are built so.
  std::string channel() const;
  /// The section `router` of such a job, for routers in blocks.
  std::string router() const;
};

/// Wires of a router that are broken: bit i is that of link i.
struct CutWires {
  unsigned rts = 0;  ///< Requests to the neighbours are lost.
  unsigned ack = 0;  ///< Acknowledgements to the neighbours are lost.
};

/// A verilated router.
struct VerilogRouter {
  std::string name;
  VerilogParameters parameters;
  std::function<std::unique_ptr<RouterBlocks>(const BlockParams&, const BlockWires&, CutWires)>
      make;
};

/// The pins of a verilated message handling unit, and what is inside it. Element b is of output b.
struct UnitPins {
  bool rts = false;
  CubeBits flit = 0;
  bool valid = false;
  bool eom = false;
  std::vector<bool> grant;
  std::vector<bool> go;

  bool ack = false;
  std::vector<bool> request;
  CubeNodes out_flit;
  std::vector<bool> out_valid;
  std::vector<bool> out_eom;
  int state = 0;
  std::int64_t level = 0;
  bool select = false;
  bool copy = false;
  CubeBits dimension = 0;  ///< If `select`.
  CubeNodes addresses;     ///< If `select`.
  CubeBits control = 0;    ///< If `select`.
  CubeNodes rows;          ///< Of the Store.
  CubeBits source = 0;     ///< Of the Store.
};

class VerilogUnit {
 public:
  virtual ~VerilogUnit() = default;
  /// Resets it. They do not change afterwards.
  virtual void start(CubeBits local_addr, CubeBits faults) = 0;
  /// Sets the inputs, reads the outputs before the next edge.
  virtual void settle(UnitPins& pins) = 0;
  virtual void edge() = 0;
};

struct VerilogUnitModel {
  std::string name;
  VerilogParameters parameters;
  std::function<std::unique_ptr<VerilogUnit>()> make;
};

std::vector<VerilogRouter> verilog_routers();
std::vector<VerilogUnitModel> verilog_units();
/// Needs: there is one of that name.
VerilogRouter verilog_router(const std::string& name);

}  // namespace flitwave::testing
