# tools/cmake/FlitwaveVerilator.cmake: whether designs in Verilog are built: FLITWAVE_HAS_VERILATOR.
# SPDX-License-Identifier: Apache-2.0
# Needs the option FLITWAVE_RTL: with ON, a missing part is an error; with AUTO it is reported.
set(FLITWAVE_HAS_VERILATOR OFF)

# flitwave_leave_out(REASON REMEDY)
function(flitwave_leave_out reason remedy)
  if(FLITWAVE_RTL STREQUAL "ON")
    message(FATAL_ERROR "${reason}: ${remedy}")
  endif()
  message(STATUS "Designs in Verilog and their tests are left out: ${reason}")
endfunction()

# Otherwise the package of Verilator tries some twenty flags, of which it needs this one.
set(VERILATOR_CFLAGS "")
set(VERILATOR_MT_CFLAGS -pthread)

if(NOT FLITWAVE_RTL)
  message(STATUS "Designs in Verilog and their tests are left out: FLITWAVE_RTL is ${FLITWAVE_RTL}")
  return()
elseif("${PROJECT_SOURCE_DIR}${PROJECT_BINARY_DIR}" MATCHES " ")
  flitwave_leave_out("Verilator cannot read a path with spaces" "move the folder")
  return()
endif()
find_package(verilator QUIET)
if(NOT verilator_FOUND)
  flitwave_leave_out("there is no Verilator" "install the package verilator")
  return()
endif()
include(FlitwaveAddRtl)
flitwave_find_rtl_python(python)
if(NOT python)
  flitwave_leave_out("port maps need Python 3 with its module yaml"
    "install the packages python3 and python3-yaml")
  return()
endif()
set(FLITWAVE_HAS_VERILATOR ON)
set(FLITWAVE_RTL_SHARES_HEADERS ON)
if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(FLITWAVE_RTL_SHARES_HEADERS OFF)
endif()
