# tools/cmake/FindSystemC.cmake: SystemC::systemc from the distribution's pkg-config file.
# SPDX-License-Identifier: Apache-2.0
find_package(PkgConfig QUIET)
pkg_check_modules(PC_SYSTEMC QUIET systemc)
find_path(SystemC_INCLUDE_DIR systemc HINTS ${PC_SYSTEMC_INCLUDE_DIRS})
find_library(SystemC_LIBRARY systemc HINTS ${PC_SYSTEMC_LIBRARY_DIRS})
set(SystemC_VERSION ${PC_SYSTEMC_VERSION})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SystemC_LIBRARY SystemC_INCLUDE_DIR
                                  VERSION_VAR SystemC_VERSION)

if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc UNKNOWN IMPORTED)
  # Debian's library exports the C++17 ABI symbol only, so users must compile as C++17.
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION "${SystemC_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SystemC_INCLUDE_DIR}"
    INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
mark_as_advanced(SystemC_INCLUDE_DIR SystemC_LIBRARY)
