# FindMTSHMEM
# -----------
# Finds MTSHMEM, in the SDK that this file is part of, or at MTSHMEM_ROOT, MTSHMEM_HOME, MTSHMEM_DIR, MUSA_PATH or MUSA_HOME.
#
#   find_package(MTSHMEM REQUIRED)
#   target_link_libraries(app PRIVATE mtshmem::mtshmem)
#
# Targets: mtshmem::mtshmem. Variables: MTSHMEM_FOUND, MTSHMEM_VERSION, MTSHMEM_INCLUDE_DIR, MTSHMEM_INCLUDE_DIRS,
#   MTSHMEM_LIBRARY, MTSHMEM_LIBRARIES, MTSHMEM_LAUNCHER (mtshmrun)
get_filename_component(_mtshmem_own_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(_mtshmem_places "${MTSHMEM_ROOT}" "${MTSHMEM_HOME}" "${MTSHMEM_DIR}" "$ENV{MTSHMEM_ROOT}" "$ENV{MTSHMEM_HOME}" "$ENV{MTSHMEM_DIR}"
  "$ENV{MUSA_PATH}" "$ENV{MUSA_HOME}" "${_mtshmem_own_root}" /usr/local/musa)
find_path(MTSHMEM_INCLUDE_DIR mtshmem.h HINTS ${_mtshmem_places} PATH_SUFFIXES include)
find_library(MTSHMEM_LIBRARY mtshmem HINTS ${_mtshmem_places} PATH_SUFFIXES lib)
find_program(MTSHMEM_LAUNCHER mtshmrun HINTS ${_mtshmem_places} PATH_SUFFIXES bin)
if(MTSHMEM_INCLUDE_DIR AND EXISTS "${MTSHMEM_INCLUDE_DIR}/mtshmem.h")
  set(_mtshmem_numbers "")
  foreach(_mtshmem_part MAJOR MINOR PATCH)
    file(STRINGS "${MTSHMEM_INCLUDE_DIR}/mtshmem.h" _mtshmem_line REGEX "^#define MTSHMEM_VENDOR_${_mtshmem_part}_VERSION [0-9]+")
    string(REGEX REPLACE "[^0-9]" "" _mtshmem_number "${_mtshmem_line}")
    list(APPEND _mtshmem_numbers "${_mtshmem_number}")
  endforeach()
  list(JOIN _mtshmem_numbers "." MTSHMEM_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MTSHMEM REQUIRED_VARS MTSHMEM_LIBRARY MTSHMEM_INCLUDE_DIR VERSION_VAR MTSHMEM_VERSION)
if(MTSHMEM_FOUND)
  set(MTSHMEM_INCLUDE_DIRS "${MTSHMEM_INCLUDE_DIR}")
  set(MTSHMEM_LIBRARIES "${MTSHMEM_LIBRARY}")
  if(NOT TARGET mtshmem::mtshmem)
    add_library(mtshmem::mtshmem SHARED IMPORTED)
    set_target_properties(mtshmem::mtshmem PROPERTIES
      IMPORTED_LOCATION "${MTSHMEM_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MTSHMEM_INCLUDE_DIR}")
  endif()
endif()
mark_as_advanced(MTSHMEM_INCLUDE_DIR MTSHMEM_LIBRARY MTSHMEM_LAUNCHER)
