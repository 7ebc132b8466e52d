// configs/version.hpp: the version of the library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave {

/// The version of the library and of the program, e.g. "0.1.0".
const char* version();

}  // namespace flitwave
