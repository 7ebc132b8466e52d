// routers/verilated/verilated_model.cpp: see verilated_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/verilated_model.hpp"

#include <utility>

#include "configs/error.hpp"
#include "routers/parts/needs.hpp"
#include "routers/verilated/evaluated_router.hpp"
#include "routers/verilated/signal_router.hpp"

namespace flitwave {

std::vector<std::string> names_of(DesignAdapter) { return {"evaluated", "pins"}; }

Schema<VerilatedSettings> verilated_schema() {
  using S = VerilatedSettings;
  return Schema<S>{}
      .required("model", &S::model, "the name of a design that is built into the program")
      .optional("adapter", &S::adapter,
                "evaluated: the design is a function that is called at each clock edge, which is "
                "faster; pins: it is a SystemC module with signals")
      .optional(
          "gated", &S::gated,
          "the design is not clocked while no flit or credit is inside or arrives; for designs "
          "whose registers do not change then")
      .optional("compare_with", &S::compare_with,
                "a router, as in this section; it gets the same flits and credits, and its first "
                "difference ends the run with exit code 4");
}

void read_compared(VerilatedSettings& settings, const Routers& routers) {
  if (settings.compare_with.is_null()) return;
  settings.compared = routers.bind(settings.compare_with);
  if (settings.compared->kind() == "verilated")
    throw settings.compare_with.error("a router in RTL is compared with another kind",
                                      "use kind: wormhole");
}

std::string why_no_designs() {
  if (!RouterDesigns::names().empty()) return "";
  return "this program was built without designs; run `tools/flitwave --rtl run JOB.yaml`";
}

namespace {

const RouterDesign& design_of(const VerilatedSettings& settings) {
  const RouterDesign* design = RouterDesigns::find(settings.model);
  if (!design) {
    const std::string none = why_no_designs();
    throw ConfigError(
        "model", "there is no design " + detail::in_quotes(settings.model),
        none.empty() ? detail::known_names(settings.model, RouterDesigns::names()) : none);
  }
  check_design(*design);
  const bool evaluated = settings.adapter == DesignAdapter::evaluated;
  if (evaluated ? !design->evaluated : !design->signals)
    throw ConfigError(
        "adapter", "design " + detail::in_quotes(design->name) + " is not built for this adapter",
        evaluated ? "set adapter: pins" : "set adapter: evaluated");
  return *design;
}

std::shared_ptr<const RouterModel> compared_model(const VerilatedSettings& settings) {
  if (!settings.compared) return nullptr;
  auto model = std::make_shared<RouterModel>(settings.compared->build());
  if (model->share || model->supports.requests)
    throw settings.compare_with.error(
        "routers of kind " + settings.compared->kind() + " are not independent of each other",
        "use kind: wormhole");
  return model;
}

}  // namespace

RouterModel verilated_model(const VerilatedSettings& settings) {
  const RouterDesign& design = design_of(settings);
  DesignUse use{&design, settings.gated, compared_model(settings), ""};
  if (settings.compared) use.compared_kind = settings.compared->kind();
  RouterModel model;
  if (design.timing) model.timing = design.timing->timing();
  model.needs = design_needs(design, settings.adapter);
  if (use.compared && use.compared->needs)
    model.needs = needs::all({model.needs, use.compared->needs});
  if (settings.adapter == DesignAdapter::evaluated)
    model.build = [use](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
      return std::make_unique<EvaluatedRouter>(name, use, site);
    };
  else
    model.build = [use](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
      return std::make_unique<SignalRouter>(name, use, site);
    };
  return model;
}

}  // namespace flitwave
