// testbenches/tests/instrumented.hpp: whether sanitizers watch the tests, which makes them far
// slower.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave::test {

/// Where a test draws many cases of one kind, sanitizers see all its code in a few of them.
#ifdef FLITWAVE_SANITIZED
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

}  // namespace flitwave::test
