# tools/cmake/FlitwaveRtlModels.cmake: the routers in Verilog of this tree as models of `verilated`.
# SPDX-License-Identifier: Apache-2.0
# Each file of routers/rtl/designs calls flitwave_add_rtl and links the design to the target
# flitwave_rtl_models, which FLITWAVE_RTL_PROGRAM links to the program; the program of tools/bench has
# them where the tests do.
if(NOT FLITWAVE_TESTS AND NOT FLITWAVE_RTL_PROGRAM)
  return()
endif()
include(FlitwaveVerilator)
if(NOT FLITWAVE_HAS_VERILATOR)
  if(FLITWAVE_RTL_PROGRAM)
    message(FATAL_ERROR "FLITWAVE_RTL_PROGRAM needs Verilator; -DFLITWAVE_RTL=ON shows what is missing")
  endif()
  return()
endif()
add_library(flitwave_rtl_models INTERFACE)
file(GLOB design_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/routers/rtl/designs/*.cmake")
foreach(design_file IN LISTS design_files)
  include("${design_file}")
endforeach()

if(FLITWAVE_RTL_PROGRAM)
  target_link_libraries(flitwave PRIVATE flitwave_rtl_models)
endif()
if(TARGET bench)
  target_link_libraries(bench PRIVATE flitwave_rtl_models)
endif()
