// testbenches/tests/paper/tsai_1997/fibonacci_tables.hpp: the growth of Fibonacci trees, and the
// steps that they take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace flitwave::testing {

/// N(t, 2) for t = 0, 1, 2, ...: nodes reached in t steps by a message of two packets.
/// Source: Tsai 1997, section 5.3
inline const std::vector<long long> fibonacci_numbers{1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};

/// t(1024, k) for k = 1, 2, 3, ... packets. Source: Tsai 1997, section 5.4.2, for k = 18
inline const std::vector<int> steps_on_1024{10, 16, 20, 24, 28, 31, 34, 38, 41, 44,
                                            47, 50, 53, 56, 58, 61, 64, 67, 69, 72};

/// t(64, k) for k = 1, 2, 3, ... packets.
inline const std::vector<int> steps_on_64{6, 10, 13, 15, 18, 20, 22, 24};

}  // namespace flitwave::testing
