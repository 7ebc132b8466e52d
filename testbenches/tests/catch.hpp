// testbenches/tests/catch.hpp: the one place that knows which Catch2 is installed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
