// testbenches/waves/files/threaded_file.hpp: a wave's file, written by another thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

/// Passes what is written to `file` in batches to a thread of its own, so that the simulation goes
/// on meanwhile. The file is the same as without it. That it is full is known some batches later,
/// always at the same step of equal runs; until then steps are taken that it no longer contains.
/// Throws: SystemFailure if no thread can be started; the file: what `file` throws, by a later
///   `end_step` or by `close`.
std::unique_ptr<WaveFile> written_by_thread(std::unique_ptr<WaveFile> file);

}  // namespace flitwave
