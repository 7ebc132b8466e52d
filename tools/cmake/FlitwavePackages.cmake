# tools/cmake/FlitwavePackages.cmake: Debian packages: cpack -G DEB in a build of shared libraries.
# SPDX-License-Identifier: Apache-2.0
# One package for each component of the installation:
#   pure_libraries  libflitwave-pure0  graphs, routes and schedules, without SystemC
#   sim_libraries   libflitwave0       simulations
#   program         flitwave           the command
#   development     libflitwave-dev    headers, and what find_package and pkg-config read
#   documentation   flitwave-doc       the pages
# The dependencies on other libraries are those of the files (dpkg-shlibdeps).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME flitwave)
set(CPACK_PACKAGE_VENDOR "Flitwave")
set(CPACK_PACKAGE_CONTACT "The Flitwave developers <flitwave@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL pure_libraries sim_libraries program development documentation)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
get_property(libraries GLOBAL PROPERTY FLITWAVE_LIBRARY_FOLDERS)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${libraries})

# flitwave_package(COMPONENT NAME SECTION DEPENDS SUMMARY)
function(flitwave_package component name section depends summary)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}" PARENT_SCOPE)
endfunction()
set(same "(= ${PROJECT_VERSION})")
flitwave_package(pure_libraries libflitwave-pure0 libs ""
  "topologies, routes and schedules of collectives, without SystemC")
flitwave_package(sim_libraries libflitwave0 libs "libflitwave-pure0 ${same}"
  "signal-level simulation of interconnection networks")
flitwave_package(program flitwave science "libflitwave0 ${same}, gnuplot-nox"
  "simulation of interconnection networks and collective communication")
flitwave_package(development libflitwave-dev libdevel
  "libflitwave0 ${same}, libflitwave-pure0 ${same}, libsystemc-dev, libyaml-cpp-dev, libboost-dev, libboost-graph-dev, libfmt-dev, nlohmann-json3-dev"
  "headers of Flitwave, and what CMake and pkg-config need")
flitwave_package(documentation flitwave-doc doc "" "the documentation of Flitwave")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
foreach(component DEVELOPMENT DOCUMENTATION)  # no code of their own
  set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_${component}_PACKAGE_GENERATE_SHLIBS OFF)
endforeach()
include(CPack)
