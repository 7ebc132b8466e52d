# tools/cmake/FlitwaveOptions.cmake: language level, warnings and sanitizers as interface targets.
# SPDX-License-Identifier: Apache-2.0
add_library(flitwave_warnings INTERFACE)
target_compile_options(flitwave_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${FLITWAVE_WERROR}>:-Werror>)

if(FLITWAVE_SANITIZE)
  add_compile_options(-fsanitize=${FLITWAVE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  # At a fixed address: a program would else apply two million relocations, to the sanitizers' tables,
  # each time that it starts.
  add_link_options(-fsanitize=${FLITWAVE_SANITIZE}
                   $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  add_compile_definitions(FLITWAVE_SANITIZED)  # for the tests
  # Of code that runs once, and of tests. Checks of each pointer are a quarter to a third of the time
  # in which these compile, and half of what they occupy; AddressSanitizer finds null pointers, too.
  set(FLITWAVE_FEWER_CHECKS -fno-sanitize=null,alignment,object-size)
  # Under sanitizers g++ 12 gives this warning wrongly, for std::regex among others.
  target_compile_options(flitwave_warnings INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
