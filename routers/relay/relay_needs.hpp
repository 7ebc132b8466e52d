// routers/relay/relay_needs.hpp: what relay routers need of their network, and of its messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "modules/router.hpp"
#include "routers/relay/relay_model.hpp"

namespace flitwave {

/// `kind`: the name of the routers' kind.
RouterNeeds relay_needs(const std::string& kind, std::shared_ptr<const RelayModel> relay,
                        const RelaySettings& settings);

}  // namespace flitwave
