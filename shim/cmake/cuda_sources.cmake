# A toolchain file: CMake projects that speak of CUDA (project(... LANGUAGES CUDA)) are built with mcc, their sources
# as they are, before a port or without one.
#
#   cmake -S cuda_project -B build -DCMAKE_TOOLCHAIN_FILE=$MUSA_PATH/cmake/cuda_sources.cmake
#
# To CMake, mcc is an nvcc whose identity and whose link are known already: it takes nvcc's options. What a port is to
# keep uses FindMUSA.cmake, as with the vendor's SDK. Tested with CMake 3.25.
get_filename_component(_musa_sdk "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

set(CMAKE_CUDA_COMPILER "${_musa_sdk}/bin/mcc")
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.4.99)  # the nvcc that mcc -x cuda says it is
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "${_musa_sdk}")
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.4.0)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_ARCHITECTURES 80 CACHE STRING "NVIDIA's architectures; mcc leaves them out")

# What nvcc prints of its link, where CMake looks for its libraries and for the compiler that links.
find_program(MUSA_HOST_LINKER NAMES c++ g++ clang++ REQUIRED)
mark_as_advanced(MUSA_HOST_LINKER)
string(CONCAT CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
  "#$ PATH=${_musa_sdk}/bin:\n"
  "#$ LIBRARIES=  \"-L${_musa_sdk}/lib\"\n"
  "#$ INCLUDES=\"-I${_musa_sdk}/include\"\n"
  "\"${MUSA_HOST_LINKER}\" -o \"a.out\" \"-L${_musa_sdk}/lib\" -lmusart\n")
# For links by the C++ compiler.
set(CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES musart)
set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "${_musa_sdk}/lib")
foreach(_musa_kind EXE SHARED MODULE)
  set(CMAKE_${_musa_kind}_LINKER_FLAGS_INIT "-Wl,-rpath,${_musa_sdk}/lib")
endforeach()
