// testbenches/job/own_catalog.hpp: the catalogue of a program with kinds of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// The kinds of this project and those of a program. Defined in programs whose kinds were added by
/// `flitwave_add_kinds` or `flitwave_add_program` of the CMake package; there is no other
/// definition.
Catalog own_catalog();

}  // namespace flitwave
