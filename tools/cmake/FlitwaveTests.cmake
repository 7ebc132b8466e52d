# tools/cmake/FlitwaveTests.cmake: the test suites; a CTest label for each.
# SPDX-License-Identifier: Apache-2.0
find_package(Catch2 REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(FLITWAVE_TEST_ENVIRONMENT
  "FLITWAVE_PROGRAM=$<TARGET_FILE:flitwave>" "PYTHONDONTWRITEBYTECODE=1"
  "FLITWAVE_SANITIZE=${FLITWAVE_SANITIZE}")

# flitwave_test(NAME LABELS label ... COMMAND ...): runs in the source folder.
function(flitwave_test name)
  cmake_parse_arguments(TEST "" "" "LABELS;COMMAND" ${ARGN})
  set(timeout 900)
  if("long" IN_LIST TEST_LABELS)
    set(timeout 7200)
  endif()
  set(cost 1)  # simulating tests start first, so that none runs alone at the end
  if("unit" IN_LIST TEST_LABELS)
    set(cost 0)
  elseif(TEST_LABELS MATCHES "^(timed|crossval|switching)$")
    set(cost 2)
  endif()
  add_test(NAME "${name}" COMMAND ${TEST_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties("${name}" PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${timeout}
    COST ${cost} ENVIRONMENT "${FLITWAVE_TEST_ENVIRONMENT}")
endfunction()

# Each file of a suite is one CTest test, which Catch selects by the file's name; its cases tagged
# [long] are a second one, labelled `long`. A file without cases fails.
function(flitwave_test_file suite file program)
  get_filename_component(stem "${file}" NAME_WLE)
  string(REGEX REPLACE "_test$" "" name "${suite}.${stem}")
  file(STRINGS "${file}" cases REGEX "^ *(TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)")
  file(STRINGS "${file}" long_cases REGEX "\\[\\.?long\\]")
  list(LENGTH cases all)
  list(LENGTH long_cases long)
  set(command ${program} --filenames-as-tags)
  set(names "")
  if(all GREATER long OR long EQUAL 0)
    flitwave_test(${name} LABELS ${suite} COMMAND ${command} "[#${stem}]~[long]")
    list(APPEND names ${name})
  endif()
  if(long GREATER 0)
    flitwave_test(${name}.long LABELS ${suite} long COMMAND ${command} "[#${stem}][long]")
    list(APPEND names ${name}.long)
  endif()
  set_tests_properties(${names} PROPERTIES FAIL_REGULAR_EXPRESSION "No test(s| cases)")
  # A case that becomes [long] moves from one test to the other.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endfunction()

# Compiling tests takes longer than running them: the tested code is optimized, the tests little or,
# when instrumented, not at all.
set(FLITWAVE_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
if(FLITWAVE_SANITIZE)
  set(FLITWAVE_TEST_OPTIONS -O0 ${FLITWAVE_FEWER_CHECKS})
endif()

set(FLITWAVE_PURE_TESTS "" CACHE INTERNAL "")
# flitwave_suite_target(TARGET USES target ...): common properties of all targets of a suite.
function(flitwave_suite_target target)
  cmake_parse_arguments(TARGET "" "" "USES" ${ARGN})
  target_link_libraries(${target} PRIVATE ${TARGET_USES})
  target_compile_options(${target} PRIVATE ${FLITWAVE_TEST_OPTIONS})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)  # a target that shares a header would still wait for its owner
    return()
  endif()
  if("flitwave_test_main" IN_LIST TARGET_USES)
    target_precompile_headers(${target} REUSE_FROM flitwave_test_main)
  elseif(FLITWAVE_PURE_TESTS)  # the first target without SystemC, whose header serves the others
    target_precompile_headers(${target} REUSE_FROM ${FLITWAVE_PURE_TESTS})
  else()
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/testbenches/tests/catch.hpp")
    set(FLITWAVE_PURE_TESTS ${target} CACHE INTERNAL "")
  endif()
endfunction()

# flitwave_suite(NAME FILES file ... USES target ...): NAME_tests, from its files; those named
# *_test.cpp contain cases, the others are helpers. With FLITWAVE_TEST_PER_FILE each of the former
# is a program.
function(flitwave_suite suite)
  cmake_parse_arguments(SUITE "" "" "FILES;USES" ${ARGN})
  if(NOT SUITE_FILES)
    return()
  endif()
  set(helpers ${SUITE_FILES})
  list(FILTER SUITE_FILES INCLUDE REGEX "_test\\.cpp$")
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
  if(NOT FLITWAVE_TEST_PER_FILE)
    add_executable(${suite}_tests ${SUITE_FILES} ${helpers})
    flitwave_suite_target(${suite}_tests USES ${SUITE_USES})
    foreach(file IN LISTS SUITE_FILES)
      flitwave_test_file(${suite} "${file}" ${suite}_tests)
    endforeach()
    return()
  endif()
  if(helpers)
    add_library(${suite}_helpers OBJECT ${helpers})
    flitwave_suite_target(${suite}_helpers USES ${SUITE_USES})
    set(helpers $<TARGET_OBJECTS:${suite}_helpers>)
  endif()
  foreach(file IN LISTS SUITE_FILES)
    get_filename_component(stem "${file}" NAME_WLE)
    string(REGEX REPLACE "_test$" "" name "${suite}.${stem}")
    add_executable(${name} "${file}" ${helpers})
    flitwave_suite_target(${name} USES ${SUITE_USES})
    flitwave_test_file(${suite} "${file}" ${name})
  endforeach()
endfunction()

# libsystemc needs an sc_main; the precompiled header is for all suites that link it.
set(tests "${PROJECT_SOURCE_DIR}/testbenches/tests")
set(companions "${PROJECT_SOURCE_DIR}/testbenches")  # which have tests of their own
add_library(flitwave_test_main OBJECT "${tests}/sc_main.cpp")
target_link_libraries(flitwave_test_main PUBLIC
  flitwave_warnings flitwave::testbenches flitwave::reference fmt::fmt Catch2::Catch2WithMain
  rapidcheck)
target_compile_options(flitwave_test_main PRIVATE ${FLITWAVE_TEST_OPTIONS})
target_precompile_headers(flitwave_test_main PRIVATE <systemc> "${PROJECT_SOURCE_DIR}/testbenches/tests/catch.hpp")
set_target_properties(flitwave_test_main PROPERTIES CXX_EXTENSIONS OFF)

# The unit tests of the pure folders link no SystemC; other tests that need it are `timed`.
file(GLOB_RECURSE unit_files CONFIGURE_DEPENDS "${tests}/unit/*.cpp")
flitwave_suite(unit FILES ${unit_files}
  USES flitwave_warnings flitwave::algorithms flitwave::reference flitwave::command_line fmt::fmt
       Catch2::Catch2WithMain rapidcheck)
if(TARGET unit_tests)
  flitwave_test(unit.links_no_systemc LABELS unit
    COMMAND "${CMAKE_READELF}" --dynamic $<TARGET_FILE:unit_tests>)
  set_tests_properties(unit.links_no_systemc PROPERTIES
    PASS_REGULAR_EXPRESSION "NEEDED" FAIL_REGULAR_EXPRESSION "libsystemc")
endif()

foreach(suite paper timed tlm golden cli)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${tests}/${suite}/*.cpp")
  if(suite STREQUAL "timed")
    file(GLOB examples CONFIGURE_DEPENDS "${tests}/extending/*.cpp")  # of docs/extending.md
    list(APPEND files ${examples})
    if(FLITWAVE_FSTAPI_SETTINGS)
      set_source_files_properties("${tests}/timed/waves/fst_test.cpp" PROPERTIES
        ${FLITWAVE_FSTAPI_SETTINGS})
    endif()
  elseif(suite STREQUAL "paper")
    list(APPEND files "${tests}/timed/jobs.cpp")
  elseif(suite STREQUAL "tlm")
    list(APPEND files "${tests}/timed/jobs.cpp" "${tests}/timed/small_network.cpp")
  endif()
  flitwave_suite(${suite} FILES ${files} USES flitwave_test_main)
endforeach()

# Random networks compared with the reference; the program that searches for more, and mutants of
# the router, each of which must be found. Whole jobs of all kinds, run in all schedulings. For the
# reader of jobs, the inputs kept from its own search.
file(GLOB fuzz_files CONFIGURE_DEPENDS "${companions}/fuzz/*_test.cpp"
  "${companions}/fuzz_jobs/*_test.cpp" "${companions}/fuzz_reader/*_test.cpp")
flitwave_suite(fuzz FILES ${fuzz_files}
  USES flitwave_test_main flitwave::fuzz flitwave::fuzz_jobs flitwave::fuzz_reader)
if(TARGET fuzz_tests)
  add_dependencies(fuzz_tests fuzz fuzz_jobs)
endif()
set(random_jobs 500)
if(FLITWAVE_SANITIZE)
  set(random_jobs 50)
endif()
flitwave_test(fuzz.jobs LABELS fuzz
  COMMAND fuzz_jobs --count ${random_jobs} --out "${PROJECT_BINARY_DIR}/fuzz_jobs_failures")
flitwave_test(fuzz.jobs.long LABELS fuzz long
  COMMAND fuzz_jobs --count 20000 --covered --pairs
          --out "${PROJECT_BINARY_DIR}/fuzz_jobs_failures")
flitwave_test(fuzz.program LABELS fuzz
  COMMAND fuzz --count 4 --out "${PROJECT_BINARY_DIR}/fuzz_failures")
set_tests_properties(fuzz.program PROPERTIES
  PASS_REGULAR_EXPRESSION "4 scenarios, 0 failures, seed 1")
flitwave_test(fuzz.reader LABELS fuzz long
  COMMAND "${PROJECT_SOURCE_DIR}/tools/fuzz" --reader --minutes 10)
flitwave_test(fuzz.mutants_match LABELS fuzz
  COMMAND Python3::Interpreter "${companions}/fuzz/mutants.py" --check)
flitwave_test(fuzz.mutants LABELS fuzz long
  COMMAND Python3::Interpreter "${companions}/fuzz/mutants.py" --folder "${PROJECT_BINARY_DIR}/mutants")

# Comparison with the figures of another simulator; the program measures them again and prints the
# tables.
file(GLOB crossval_files CONFIGURE_DEPENDS "${companions}/crossval/*_test.cpp")
flitwave_suite(crossval FILES ${crossval_files} "${tests}/timed/jobs.cpp"
  USES flitwave_test_main flitwave::crossval)
if(TARGET crossval_tests)
  add_dependencies(crossval_tests bench crossval)  # cli.arguments runs them
endif()

file(GLOB switching_files CONFIGURE_DEPENDS "${tests}/switching/*_test.cpp")
flitwave_suite(switching FILES ${switching_files} "${tests}/timed/jobs.cpp"
  USES flitwave_test_main)

include(FlitwaveRtl)
include(FlitwaveCosim)

file(GLOB scripts CONFIGURE_DEPENDS "${tests}/unit/tools/*_test.py" "${tests}/cli/*_test.py")
foreach(script IN LISTS scripts)
  get_filename_component(name "${script}" NAME_WLE)
  string(REGEX REPLACE "_test$" "" name "${name}")
  string(REGEX REPLACE ".*/(unit|cli)/.*" "\\1" suite "${script}")
  flitwave_test(${suite}.${name} LABELS ${suite} COMMAND Python3::Interpreter "${script}")
  if(FLITWAVE_TEST_PER_FILE)  # a target of its name, like programs of tests
    add_custom_target(${suite}.${name})
    if(suite STREQUAL "cli")
      add_dependencies(${suite}.${name} flitwave)
    endif()
  endif()
endforeach()

# The examples of docs/extending.md, copied into a copy of the tree: configured, or built and run.
flitwave_test(cli.in_tree LABELS cli
  COMMAND Python3::Interpreter "${tests}/cli/in_tree.py" "${PROJECT_BINARY_DIR}/in_tree")
flitwave_test(cli.in_tree.long LABELS cli long
  COMMAND Python3::Interpreter "${tests}/cli/in_tree.py" "${PROJECT_BINARY_DIR}/in_tree_built" --build)

# Uses vcd2fst and fst2vcd of the package gtkwave.
flitwave_test(cli.fst_pipe LABELS cli long
  COMMAND Python3::Interpreter "${tests}/cli/fst_pipe.py" "${PROJECT_BINARY_DIR}/fst_pipe")

flitwave_test(cli.arguments LABELS cli
  COMMAND Python3::Interpreter "${tests}/cli/arguments.py"
          $<TARGET_FILE:fuzz> $<TARGET_FILE:bench> $<TARGET_FILE:crossval>
          $<TARGET_FILE:fuzz_jobs>)

flitwave_test(layers LABELS unit
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/check_layers.py")
flitwave_test(docs LABELS docs
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tools/check_docs.py"
          --program $<TARGET_FILE:flitwave>)

# Instructions are counted for the release build, which is also installed in a fresh system.
if(NOT FLITWAVE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Release")
  flitwave_test(bench.instructions LABELS bench
    COMMAND Python3::Interpreter "${companions}/bench/instructions.py"
            $<TARGET_FILE:flitwave> $<TARGET_FILE:fuzz>)
  flitwave_test(bench.wave_instructions LABELS bench long
    COMMAND Python3::Interpreter "${companions}/bench/instructions.py" --waves
            $<TARGET_FILE:flitwave> $<TARGET_FILE:fuzz>)
  flitwave_test(install.fresh_system LABELS long  # for root
    COMMAND "${PROJECT_SOURCE_DIR}/tools/check_install.sh" "${PROJECT_BINARY_DIR}/fresh_system")
  flitwave_test(install.packages LABELS long  # for root
    COMMAND "${PROJECT_SOURCE_DIR}/tools/check_install.sh" --deb "${PROJECT_BINARY_DIR}/fresh_system_deb")
  set_tests_properties(install.fresh_system install.packages PROPERTIES RUN_SERIAL TRUE)
endif()

# A router of the former contract does not compile, and the compiler shows what has changed.
flitwave_test(consumer.former_router LABELS consumer
  COMMAND "${CMAKE_CXX_COMPILER}" -std=c++17 -fsyntax-only -I "${PROJECT_SOURCE_DIR}" -x c++
          "${tests}/consumer/former_router.txt")
set_tests_properties(consumer.former_router PROPERTIES
  PASS_REGULAR_EXPRESSION "tick.. = 0;  // returns nothing; .*stay_awake")

# The consumer builds against an installed package; an instrumented library would not link there.
if(NOT FLITWAVE_SANITIZE AND NOT CMAKE_CXX_FLAGS_DEBUG MATCHES "--coverage")
  set(prefix "${PROJECT_BINARY_DIR}/consumer/prefix")
  flitwave_test(consumer.install LABELS consumer
    COMMAND sh -c "rm -rf '${prefix}' && '${CMAKE_COMMAND}' --install . --prefix '${prefix}'")
  set_tests_properties(consumer.install PROPERTIES
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" FIXTURES_SETUP installed)
  # consumer_test(NAME LABELS COMPILER): in a folder of its own.
  function(consumer_test name labels compiler)
    flitwave_test(${name} LABELS ${labels}
      COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${tests}/consumer"
              "${PROJECT_BINARY_DIR}/consumer/${name}" --build-generator Ninja
              --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_BUILD_TYPE=Debug"
                              "-DCONSUMER_RTL=${FLITWAVE_HAS_VERILATOR}"
                              "-DCMAKE_CXX_COMPILER=${compiler}"
              --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure --no-tests=error)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED installed)
  endfunction()
  consumer_test(consumer consumer "${CMAKE_CXX_COMPILER}")
  consumer_test(consumer.clang "consumer;long" clang++)  # of the package clang
endif()
