# tools/cmake/FlitwaveAddRtl.cmake: routers in Verilog as models of the kind `verilated`.
# SPDX-License-Identifier: Apache-2.0
set(FLITWAVE_RTL_TOOLS "${CMAKE_CURRENT_LIST_DIR}/../rtl" CACHE INTERNAL "")
if(NOT EXISTS "${FLITWAVE_RTL_TOOLS}/add_design.py")  # installed beside this file
  set(FLITWAVE_RTL_TOOLS "${CMAKE_CURRENT_LIST_DIR}/rtl" CACHE INTERNAL "")
endif()

# flitwave_find_rtl_python(VARIABLE): a Python that can read port maps, or nothing. The first one
# found may be another than the system's, which has the package python3-yaml.
function(flitwave_find_rtl_python variable)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  set(${variable} "" PARENT_SCOPE)
  foreach(python "${Python3_EXECUTABLE}" /usr/bin/python3)
    if(EXISTS "${python}")
      execute_process(COMMAND "${python}" -c "import yaml" RESULT_VARIABLE missing ERROR_QUIET)
      if(NOT missing)
        set(${variable} "${python}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# The parts of Verilator that all models of a program share.
function(flitwave_add_verilator)
  if(TARGET flitwave_verilator)
    return()
  endif()
  if(NOT VERILATOR_ROOT OR NOT VERILATOR_BIN)
    set(VERILATOR_CFLAGS "")
    set(VERILATOR_MT_CFLAGS -pthread)
    find_package(verilator REQUIRED)
  endif()
  flitwave_find_rtl_python(python)
  if(NOT python)
    message(FATAL_ERROR "flitwave_add_rtl: port maps need Python 3 with its module yaml; install the "
      "packages python3 and python3-yaml")
  endif()
  set(FLITWAVE_RTL_PYTHON "${python}" CACHE INTERNAL "")
  find_package(Threads REQUIRED)
  set(own verilated.cpp verilated_threads.cpp verilated_vcd_c.cpp verilated_vcd_sc.cpp)
  list(TRANSFORM own PREPEND "${VERILATOR_ROOT}/include/")
  add_library(flitwave_verilator STATIC EXCLUDE_FROM_ALL ${own})
  target_include_directories(flitwave_verilator SYSTEM PUBLIC
    "${VERILATOR_ROOT}/include" "${VERILATOR_ROOT}/include/vltstd")
  target_compile_definitions(flitwave_verilator
    PUBLIC VM_SC=1 VM_TRACE=1 PRIVATE VM_COVERAGE=0 VM_TRACE_FST=0 VM_TRACE_VCD=1)
  # clang++ calls libatomic where g++ evaluates at compile time.
  target_link_libraries(flitwave_verilator PUBLIC SystemC::systemc Threads::Threads
    $<$<CXX_COMPILER_ID:Clang>:atomic>)
  target_compile_options(flitwave_verilator PRIVATE -w)
  target_compile_features(flitwave_verilator PUBLIC cxx_std_17)
  set_target_properties(flitwave_verilator PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD OFF
    POSITION_INDEPENDENT_CODE ON)
endfunction()

# flitwave_add_rtl(NAME name SOURCES file ... TOP module PORTS port_map.yaml
#                  [PARAMETERS NAME=value ...] [INCLUDE_DIRS folder ...] [VERILATOR_ARGS option ...])
# Builds a router in Verilog as the target NAME. A program that links NAME has the model NAME of the
# kind `verilated`. The port map (docs/rtl.md) is checked now, against the module as Verilator
# elaborates it; modules that SOURCES do not define are searched in INCLUDE_DIRS.
function(flitwave_add_rtl)
  cmake_parse_arguments(PARSE_ARGV 0 RTL "" "NAME;TOP;PORTS"
    "SOURCES;PARAMETERS;INCLUDE_DIRS;VERILATOR_ARGS")
  foreach(argument NAME SOURCES TOP PORTS)
    if(NOT RTL_${argument})
      message(FATAL_ERROR "flitwave_add_rtl: ${argument} is missing; write "
        "flitwave_add_rtl(NAME my_router SOURCES my_router.sv TOP my_router PORTS my_router.yaml)")
    endif()
  endforeach()
  if(RTL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "flitwave_add_rtl(NAME ${RTL_NAME}): unknown: ${RTL_UNPARSED_ARGUMENTS}")
  elseif("${CMAKE_CURRENT_SOURCE_DIR}${CMAKE_CURRENT_BINARY_DIR}" MATCHES " ")
    message(FATAL_ERROR "flitwave_add_rtl(NAME ${RTL_NAME}): Verilator cannot read a path with "
      "spaces; move the folder")
  endif()
  flitwave_add_verilator()

  set(arguments "")
  foreach(parameter IN LISTS RTL_PARAMETERS)
    list(APPEND arguments "-G${parameter}")
  endforeach()
  foreach(folder IN LISTS RTL_INCLUDE_DIRS)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND arguments -y "${folder}")
  endforeach()
  list(APPEND arguments ${RTL_VERILATOR_ARGS})
  foreach(source IN LISTS RTL_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "flitwave_add_rtl(NAME ${RTL_NAME}): there is no source ${source}")
    endif()
    list(APPEND arguments "${source}")
  endforeach()
  get_filename_component(ports "${RTL_PORTS}" ABSOLUTE)
  file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${ports}")
  set(includes "")
  get_target_property(imported flitwave::routers IMPORTED)
  if(imported)
    set(includes "flitwave/")
  endif()

  set(out "${CMAKE_CURRENT_BINARY_DIR}/rtl/${RTL_NAME}")
  file(MAKE_DIRECTORY "${out}")
  execute_process(
    COMMAND "${FLITWAVE_RTL_PYTHON}" -B "${FLITWAVE_RTL_TOOLS}/add_design.py"
            --verilator "${VERILATOR_BIN}" --name "${RTL_NAME}" --top "${RTL_TOP}" --ports "${ports}"
            --shown "${shown}" --out "${out}" "--includes=${includes}" -- ${arguments}
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  file(GLOB tools "${FLITWAVE_RTL_TOOLS}/*")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ports}" ${tools})
  foreach(argument IN LISTS arguments)
    if(EXISTS "${argument}" AND NOT IS_DIRECTORY "${argument}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${argument}")
    endif()
  endforeach()
  if(NOT status EQUAL 0)
    string(REPLACE "\n" "\n  " errors "  ${errors}")  # CMake breaks lines that are not indented
    message(FATAL_ERROR "flitwave_add_rtl(NAME ${RTL_NAME}):\n${errors}")
  endif()
  file(STRINGS "${out}/inputs.txt" inputs)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})

  # Foreign code, each model in two parts: only the second runs in each cycle.
  set(slow "${out}/${RTL_NAME}_cc_slow.cpp" "${out}/${RTL_NAME}_sc_slow.cpp")
  add_library(${RTL_NAME}_models STATIC EXCLUDE_FROM_ALL
    ${slow} "${out}/${RTL_NAME}_cc_fast.cpp" "${out}/${RTL_NAME}_sc_fast.cpp")
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  target_include_directories(${RTL_NAME}_models SYSTEM PUBLIC "${out}/model_cc" "${out}/model_sc")
  target_link_libraries(${RTL_NAME}_models PUBLIC flitwave_verilator)
  add_library(${RTL_NAME}_design OBJECT EXCLUDE_FROM_ALL "${out}/${RTL_NAME}_design.cpp")
  target_include_directories(${RTL_NAME}_design PRIVATE "${FLITWAVE_RTL_TOOLS}")
  target_link_libraries(${RTL_NAME}_design PUBLIC ${RTL_NAME}_models flitwave::routers)
  foreach(target ${RTL_NAME}_models ${RTL_NAME}_design)
    target_compile_options(${target} PRIVATE -w)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD OFF
      POSITION_INDEPENDENT_CODE ON)
  endforeach()
  # In this tree the headers of SystemC and Verilator are compiled once for all designs, which have
  # the same options.
  get_property(designs GLOBAL PROPERTY FLITWAVE_RTL_DESIGNS)
  if(FLITWAVE_RTL_SHARES_HEADERS AND designs)
    list(GET designs 0 first)
    target_precompile_headers(${RTL_NAME}_design REUSE_FROM ${first}_design)
  elseif(FLITWAVE_RTL_SHARES_HEADERS)
    target_precompile_headers(${RTL_NAME}_design PRIVATE <systemc> <verilated.h>
      <verilated_vcd_c.h> <string> <vector> "\"${includes}routers/verilated/router_design.hpp\"")
  endif()
  set_property(GLOBAL APPEND PROPERTY FLITWAVE_RTL_DESIGNS "${RTL_NAME}")
  # The object that registers the design is part of every program, although nothing refers to it.
  add_library(${RTL_NAME} INTERFACE)
  target_sources(${RTL_NAME} INTERFACE "$<TARGET_OBJECTS:${RTL_NAME}_design>")
  target_link_libraries(${RTL_NAME} INTERFACE ${RTL_NAME}_models flitwave::routers)
endfunction()
