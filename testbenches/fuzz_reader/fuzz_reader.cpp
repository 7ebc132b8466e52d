// testbenches/fuzz_reader/fuzz_reader.cpp: the entry points for libFuzzer: an input, and how to
// change one.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "testbenches/fuzz_reader/job_mutator.hpp"

using namespace flitwave;
using namespace flitwave::fuzz_reader;

/// SystemC's library requires this function; libFuzzer provides the main function.
extern "C" int sc_main(int, char**) { return 0; }

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

// An exception from `take` ends the process, and libFuzzer keeps the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  take(JobInput::parse({reinterpret_cast<const char*>(bytes), size}));
  return 0;
}

/// Changes bytes or settings, with equal probability.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  static const JobMutator mutator;
  Random random(seed, "mutate");
  if (random.below(2) == 0) return LLVMFuzzerMutate(bytes, size, most);
  const std::string text =
      mutator.mutate(JobInput::parse({reinterpret_cast<const char*>(bytes), size}), random).text();
  if (text.size() > most) return LLVMFuzzerMutate(bytes, size, most);
  std::copy(text.begin(), text.end(), bytes);
  return text.size();
}
