# A toolchain file: CMake projects that speak of CUDA (project(... LANGUAGES CUDA)) are built with mcc, their sources
# as they are, before a port or without one.
#
#   cmake -S cuda_project -B build -DCMAKE_TOOLCHAIN_FILE=$MUSA_PATH/cmake/cuda_sources.cmake
#
# CMake finds the SDK's CUDA face: an nvcc, its headers and libraries (find_package(CUDAToolkit)). What a port is to
# keep uses FindMUSA.cmake, as with the vendor's SDK. Tested with CMake 3.25.
get_filename_component(_musa_sdk "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

set(CMAKE_CUDA_COMPILER "${_musa_sdk}/cuda/bin/nvcc")
set(CUDAToolkit_ROOT "${_musa_sdk}/cuda")
set(CUDA_TOOLKIT_ROOT_DIR "${_musa_sdk}/cuda" CACHE PATH "for find_package(CUDA)")
set(CMAKE_CUDA_ARCHITECTURES 80 CACHE STRING "NVIDIA's architectures; mcc leaves them out")

# -Xcompiler -fopenmp is clang's OpenMP in CUDA sources, and what another compiler links has that one's.
find_library(MUSA_OPENMP_LIBRARY NAMES omp PATHS /usr/lib/llvm-19/lib)
mark_as_advanced(MUSA_OPENMP_LIBRARY)
if(MUSA_OPENMP_LIBRARY)
  foreach(_musa_language CXX CUDA)
    set(CMAKE_${_musa_language}_STANDARD_LIBRARIES_INIT
      "-Wl,--push-state,--as-needed ${MUSA_OPENMP_LIBRARY} -Wl,--pop-state")
  endforeach()
endif()

foreach(_musa_kind EXE SHARED MODULE)
  set(CMAKE_${_musa_kind}_LINKER_FLAGS_INIT "-Wl,-rpath,${_musa_sdk}/lib")
endforeach()
