# find_package(MTSHMEM) in config mode, which HINTS ask for: as FindMTSHMEM, of this SDK. At lib/cmake/mtshmem.
get_filename_component(_mtshmem_sdk "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MTSHMEM_ROOT "${_mtshmem_sdk}")
include("${_mtshmem_sdk}/cmake/FindMTSHMEM.cmake")
