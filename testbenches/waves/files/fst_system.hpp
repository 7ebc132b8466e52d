// testbenches/waves/files/fst_system.hpp: the calls of the system by GTKWave's writer of FST.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitwave::fst {

/// The error of the first call that failed since `clear_error`, of any writer; 0 if none has.
/// The writer itself reports no errors.
int error();
void clear_error();

}  // namespace flitwave::fst
