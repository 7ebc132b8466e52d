// testbenches/tests/instrumented.hpp: whether sanitizers instrument the tests, which makes them far
// slower.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave::test {

/// With sanitizers a test with many random cases of one kind runs only a few, which cover its code,
/// and one of means over many draws none.
#ifdef FLITWAVE_SANITIZED
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

/// Whether a case of many is left out with sanitizers, which all but each `every`-th are.
constexpr bool left_out(int number, int every) { return instrumented && number % every != 0; }

}  // namespace flitwave::test
