# find_package(NVSHMEM) in the CUDA face: NVSHMEM's targets, which are MTSHMEM. At face/lib64/cmake/nvshmem.
get_filename_component(_nvshmem_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(NVSHMEM_VERSION 3.4.5)
set(NVSHMEM_INCLUDE_DIR "${_nvshmem_root}/include")
set(NVSHMEM_INCLUDE_DIRS "${NVSHMEM_INCLUDE_DIR}")
set(NVSHMEM_LIBRARY "${_nvshmem_root}/lib64/libnvshmem_host.so")
set(NVSHMEM_LIBRARIES "${NVSHMEM_LIBRARY}")
if(NOT TARGET nvshmem::nvshmem_host)
  add_library(nvshmem::nvshmem_host SHARED IMPORTED)
  set_target_properties(nvshmem::nvshmem_host PROPERTIES
    IMPORTED_LOCATION "${NVSHMEM_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${NVSHMEM_INCLUDE_DIR}")
  # What kernels call is in the headers.
  foreach(_nvshmem_target nvshmem_device nvshmem)
    add_library(nvshmem::${_nvshmem_target} INTERFACE IMPORTED)
    set_target_properties(nvshmem::${_nvshmem_target} PROPERTIES INTERFACE_LINK_LIBRARIES nvshmem::nvshmem_host)
  endforeach()
endif()
