# FindMCCL
# --------
# Finds MCCL, in the SDK that this file is part of, or at MCCL_ROOT, MCCL_HOME, MUSA_PATH or MUSA_HOME.
#
#   find_package(MCCL REQUIRED)
#   target_link_libraries(app PRIVATE MCCL::mccl)
#
# Targets: MCCL::mccl, MCCL::MCCL. Variables: MCCL_FOUND, MCCL_VERSION, MCCL_INCLUDE_DIR, MCCL_INCLUDE_DIRS, MCCL_LIBRARY,
#   MCCL_LIBRARIES
get_filename_component(_mccl_own_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(_mccl_places "${MCCL_ROOT}" "${MCCL_ROOT_DIR}" "${MCCL_HOME}" "$ENV{MCCL_ROOT}" "$ENV{MCCL_HOME}" "$ENV{MUSA_PATH}"
  "$ENV{MUSA_HOME}" "${_mccl_own_root}" /usr/local/musa)
find_path(MCCL_INCLUDE_DIR mccl.h HINTS ${_mccl_places} PATH_SUFFIXES include)
find_library(MCCL_LIBRARY mccl HINTS ${_mccl_places} PATH_SUFFIXES lib)
if(MCCL_INCLUDE_DIR AND EXISTS "${MCCL_INCLUDE_DIR}/mccl.h")
  # The header holds one level behind an #if and the usual one behind its #else, which is the last.
  foreach(_mccl_part MAJOR MINOR PATCH)
    file(STRINGS "${MCCL_INCLUDE_DIR}/mccl.h" _mccl_lines REGEX "^#define[ \t]+MCCL_${_mccl_part}[ \t]+[0-9]+")
    list(POP_BACK _mccl_lines _mccl_line)
    string(REGEX REPLACE "[^0-9]" "" _mccl_number "${_mccl_line}")
    list(APPEND _mccl_numbers "${_mccl_number}")
  endforeach()
  list(JOIN _mccl_numbers "." MCCL_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MCCL REQUIRED_VARS MCCL_LIBRARY MCCL_INCLUDE_DIR VERSION_VAR MCCL_VERSION)
if(MCCL_FOUND)
  set(MCCL_INCLUDE_DIRS "${MCCL_INCLUDE_DIR}")
  set(MCCL_LIBRARIES "${MCCL_LIBRARY}")
  foreach(_mccl_target mccl MCCL)
    if(NOT TARGET MCCL::${_mccl_target})
      add_library(MCCL::${_mccl_target} SHARED IMPORTED)
      set_target_properties(MCCL::${_mccl_target} PROPERTIES
        IMPORTED_LOCATION "${MCCL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MCCL_INCLUDE_DIR}")
    endif()
  endforeach()
endif()
mark_as_advanced(MCCL_INCLUDE_DIR MCCL_LIBRARY)
