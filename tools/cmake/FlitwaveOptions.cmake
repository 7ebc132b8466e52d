# tools/cmake/FlitwaveOptions.cmake: language level, warnings and sanitizers as interface targets.
# SPDX-License-Identifier: Apache-2.0
add_library(flitwave_warnings INTERFACE)
target_compile_options(flitwave_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${FLITWAVE_WERROR}>:-Werror>)

if(FLITWAVE_SANITIZE)
  add_compile_options(-fsanitize=${FLITWAVE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FLITWAVE_SANITIZE})
  add_compile_definitions(FLITWAVE_SANITIZED)  # for the tests
  # Under sanitizers g++ 12 gives this warning wrongly, for std::regex among others.
  target_compile_options(flitwave_warnings INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
