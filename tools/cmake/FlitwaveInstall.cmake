# tools/cmake/FlitwaveInstall.cmake: the program, and the package that find_package(Flitwave) finds.
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

set(pure_rooms configs topologies algorithms)
set(sim_rooms modules routers testbenches)

# The layer without SystemC under one name.
add_library(flitwave_pure INTERFACE)
add_library(flitwave::pure ALIAS flitwave_pure)
list(TRANSFORM pure_rooms PREPEND flitwave:: OUTPUT_VARIABLE pure_targets)
target_link_libraries(flitwave_pure INTERFACE ${pure_targets})
set_target_properties(flitwave_pure PROPERTIES EXPORT_NAME pure)

# And the whole program: a job in, results out.
add_library(flitwave_sim INTERFACE)
add_library(flitwave::sim ALIAS flitwave_sim)
target_link_libraries(flitwave_sim INTERFACE flitwave::testbenches)
set_target_properties(flitwave_sim PROPERTIES EXPORT_NAME sim)

# One export set per component, so that `pure` does not require SystemC.
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Flitwave")
set(sim_libraries ${sim_rooms} command_line program)
set(pure_libraries ${pure_rooms})
foreach(component pure sim)
  list(TRANSFORM ${component}_libraries PREPEND flitwave_ OUTPUT_VARIABLE targets)
  install(TARGETS ${targets} flitwave_${component} EXPORT Flitwave_${component}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component}_libraries
    NAMELINK_COMPONENT development)
  install(EXPORT Flitwave_${component} NAMESPACE flitwave:: DESTINATION "${package_folder}"
    FILE Flitwave_${component}.cmake COMPONENT development)
endforeach()
install(TARGETS flitwave EXPORT Flitwave_command
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(EXPORT Flitwave_command NAMESPACE flitwave:: DESTINATION "${package_folder}"
  FILE Flitwave_command.cmake COMPONENT development)
# Installed headers include each other below flitwave/, so that they do not collide with a user's
# own modules/.
configure_file("${PROJECT_SOURCE_DIR}/tools/cmake/InstallHeaders.cmake.in"
  "${PROJECT_BINARY_DIR}/InstallHeaders.cmake" @ONLY)
install(SCRIPT "${PROJECT_BINARY_DIR}/InstallHeaders.cmake" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/configs/measurements"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/flitwave" COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/flitwave" COMPONENT documentation)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/configs"
  DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/flitwave" COMPONENT documentation
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.yaml" PATTERN "*.txt"
  PATTERN "CMakeLists.txt" EXCLUDE)

# What programs link besides static libraries that write FST.
set(FLITWAVE_NEEDS_ZLIB OFF)
set(pc_zlib "")
set(pc_threads "")
if(FLITWAVE_FSTAPI_SETTINGS AND NOT BUILD_SHARED_LIBS)
  set(FLITWAVE_NEEDS_ZLIB ON)
  set(pc_zlib " zlib")
  set(pc_threads " -pthread")
endif()

# For builds without CMake.
set(pc_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_prefix "/${pc_folder}" /)
foreach(module flitwave-pure flitwave)
  configure_file("${PROJECT_SOURCE_DIR}/tools/cmake/${module}.pc.in"
    "${PROJECT_BINARY_DIR}/${module}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${module}.pc" DESTINATION "${pc_folder}" COMPONENT development)
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/tools/cmake/FlitwaveConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/FlitwaveConfig.cmake" INSTALL_DESTINATION "${package_folder}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/FlitwaveConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/FlitwaveConfig.cmake" "${PROJECT_BINARY_DIR}/FlitwaveConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/tools/cmake/FindSystemC.cmake"
  "${PROJECT_SOURCE_DIR}/tools/cmake/FlitwaveAddKinds.cmake"
  "${PROJECT_SOURCE_DIR}/tools/cmake/own_kinds.cpp.in"
  "${PROJECT_SOURCE_DIR}/tools/cmake/program_main.cpp.in"
  "${PROJECT_SOURCE_DIR}/tools/cmake/plugin_kinds.cpp.in"
  "${PROJECT_SOURCE_DIR}/tools/cmake/FlitwaveAddRtl.cmake" DESTINATION "${package_folder}"
  COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/rtl" DESTINATION "${package_folder}"
  COMPONENT development
  FILES_MATCHING PATTERN "*.py" PATTERN "*.in" PATTERN "*.hpp")
