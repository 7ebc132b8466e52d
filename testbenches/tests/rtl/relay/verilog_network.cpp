// testbenches/tests/rtl/relay/verilog_network.cpp: see verilog_network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/rtl/relay/verilog_network.hpp"

#include "routers/relay/mhu/block_router.hpp"

namespace flitwave::testing {
namespace {

struct NoParameters {};

std::unique_ptr<Router> build(const VerilogRouter& model, const VerilogPlaces& places,
                              const char* name, const RouterSite& site) {
  const BlockParams params = blocks_of(model.parameters.blocks(), site);
  const auto cut = places.cuts.find(site.node.value());
  const CutWires cuts = cut == places.cuts.end() ? CutWires{} : cut->second;
  return make_block_router(name, params, site,
                           [&](const BlockParams& blocks, const BlockWires& wires) {
                             return model.make(blocks, wires, cuts);
                           });
}

}  // namespace

Catalog verilog_catalog(const VerilogRouter& model, const VerilogPlaces& places) {
  Catalog catalog = standard_catalog();
  const RouterModel blocks =
      catalog.routers.bind(ConfigNode::parse(model.parameters.router(), "verilog")).build();
  catalog.routers.add("verilog", {"Lan's router in Verilog", ""}, Schema<NoParameters>{},
                      [=](const NoParameters&) {
                        RouterModel router = blocks;
                        router.build = [=](const char* name, const RouterSite& site) {
                          if (!places.has(site.node)) return blocks.build(name, site);
                          return build(model, places, name, site);
                        };
                        return router;
                      });
  return catalog;
}

}  // namespace flitwave::testing
