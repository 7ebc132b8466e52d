// modules/interface/interface_site.cpp: see interface_site.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/interface_site.hpp"

namespace flitwave {

std::vector<std::string> names_of(Ejection) { return {"drains", "held", "half_duplex"}; }

std::vector<std::string> names_of(EjectionSharing) { return {"flits", "packets"}; }

std::vector<std::string> names_of(InjectionVc) { return {"free", "with_room"}; }

}  // namespace flitwave
