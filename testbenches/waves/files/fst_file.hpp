// testbenches/waves/files/fst_file.hpp: waves in FST, the compressed format of GTKWave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "testbenches/waves/files/wave_file.hpp"

namespace flitwave {

/// Writes FST with GTKWave's own writer where that was available at build time; otherwise a VCD
/// stream that the program vcd2fst converts as it is written. Names of values are part of a file of
/// the former only. The size of the file exceeds `limit` by at most the last block of changes; of a
/// stream the limit is that of the VCD text.
/// Throws: as open_wave_file.
std::unique_ptr<WaveFile> open_fst(const std::string& path, std::int64_t limit,
                                   const std::vector<WaveVariable>& variables,
                                   const WaveNames& names, const std::string& comment);

/// Throws: ConfigError on wave.format when neither is available.
void require_fst();

/// Writes the wave of an FST file as VCD, by GTKWave's reader where that was available at build
/// time, otherwise by the program fst2vcd.
/// Throws: SystemFailure when `path` is no FST file, or `vcd` cannot be written; ConfigError on
///   wave.format when there is neither reader nor program.
void convert_to_vcd(const std::string& path, const std::string& vcd);

}  // namespace flitwave
