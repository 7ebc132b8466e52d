// testbenches/tests/catch.hpp: the only file that depends on the installed version of Catch2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
