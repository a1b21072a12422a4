# Makes <prefix>/cuda look like a CUDA toolkit, of links into the SDK. Run at installation, when the rest is there.
cmake_policy(VERSION 3.25)
# MUSASHIM_LIBRARIES: "<name to link with>|<soname>|<file as it was built>" each; the runtime, which holds them, may be another package.
set(sdk "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(final "${CMAKE_INSTALL_PREFIX}")
if(DEFINED ENV{MUSASHIM_FINAL_PREFIX})
  set(final "$ENV{MUSASHIM_FINAL_PREFIX}")
endif()
set(face "${sdk}/cuda")

# link(<target as seen from the link's folder> <link>)
function(link target name)
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  file(REMOVE "${name}")
  file(CREATE_LINK "${target}" "${name}" SYMBOLIC)
endfunction()

# Our headers, and CUDA's names for them, which win. Links of an earlier installation may lead nowhere now.
file(REMOVE_RECURSE "${face}/include" "${face}/lib64")
file(GLOB headers RELATIVE "${sdk}/include" "${sdk}/include/*")
list(REMOVE_ITEM headers cuda_alias cccl)
foreach(header IN LISTS headers)
  link("../../include/${header}" "${face}/include/${header}")
endforeach()
file(GLOB headers RELATIVE "${sdk}/include/cuda_alias" "${sdk}/include/cuda_alias/*")
foreach(header IN LISTS headers)
  link("../../include/cuda_alias/${header}" "${face}/include/${header}")
endforeach()

# The host's compiler looks there before it looks where another toolkit may lie: what each of those has and this SDK
# has not is refused there, rather than taken from the other.
foreach(row IN ITEMS "cublasLt.h|cuBLASLt" "cusparse.h|cuSPARSE"
        "cudnn.h|cuDNN" "cusparse_v2.h|cuSPARSE" "cusolverMg.h|cuSOLVER for several devices" "cusolverRf.h|cuSOLVER's refactorisation"
        "cusolverSp.h|cuSOLVER's sparse part" "cupti.h|CUPTI" "npp.h|NPP" "nppcore.h|NPP" "nppi.h|NPP" "npps.h|NPP"
        "nvblas.h|NVBLAS" "nvml.h|NVML" "nvjpeg.h|nvJPEG" "nvJitLink.h|nvJitLink" "nvvm.h|libNVVM")
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 header)
  list(GET row 1 library)
  if(NOT EXISTS "${face}/include/${header}" AND MUSASHIM_CORE_ONLY AND library MATCHES "^(CUPTI|NVML)$")
    file(WRITE "${face}/include/${header}"
         "#error \"${header}: ${library} is not built in this SDK: ./scripts/quickstart --all builds all of it\"\n")
  elseif(NOT EXISTS "${face}/include/${header}")
    file(WRITE "${face}/include/${header}"
         "#error \"${header}: this SDK has no ${library}; build without what needs it\"\n")
  endif()
endforeach()

link("../nv" "${face}/include/nv")
# Where CUDA 13 has them.
foreach(folder cuda nv)
  link("../${folder}" "${face}/include/cccl/${folder}")
endforeach()

# The libraries as they are, since they look for each other beside themselves.
set(libraries "")
foreach(row IN LISTS MUSASHIM_LIBRARIES)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 library)
  list(GET row 1 soname)
  list(GET row 2 built)
  list(APPEND libraries ${library})
  set(soname_of_${library} ${soname})
  set(built_of_${library} ${built})
  cmake_path(GET built FILENAME file)
  foreach(name ${library} ${soname} ${file})
    link("../../lib/${name}" "${face}/lib64/${name}")
  endforeach()
endforeach()
foreach(name IN LISTS MUSASHIM_NAMES_BEFORE)  # that programs of the release before ask for
  link("../../lib/${name}" "${face}/lib64/${name}")
endforeach()
link("../../lib/musashim" "${face}/lib64/musashim")
# What NVIDIA's static libraries hold needs no library at run time, and the loader's folders have the shared ones. A linker
# looks into a file, not at its name, and takes what a shared library calls itself for where it is: so the files to link with
# have the names of ours and say where that is, with slashes to spare, by which `relocate` can say it anew. Programs that
# load such a file get what it stands for (DT_FILTER).
# One file serves all of CUDA's names of a library.
string(REPEAT "/" 160 slashes)
string(SUBSTRING "${final}${slashes}" 0 160 place)
function(stand_in library name)
  if(first_of_${library})
    cmake_path(GET name PARENT_PATH folder)
    file(RELATIVE_PATH first "${face}/lib64/${folder}" "${first_of_${library}}")
    link("${first}" "${face}/lib64/${name}")
    return()
  endif()
  set(first_of_${library} "${face}/lib64/${name}" PARENT_SCOPE)
  set(soname ${soname_of_${library}})
  cmake_path(GET built_of_${library} FILENAME file)
  execute_process(COMMAND "${MUSASHIM_NM}" -D --defined-only --format=posix "${built_of_${library}}"
                  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  # Weak ones are other names of functions, and the C++ library's templates, which are everybody's.
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]* [TW] " symbols "${symbols}")
  list(FILTER symbols EXCLUDE REGEX "^_Z.* W ")
  set(source ".text\n")
  foreach(symbol IN LISTS symbols)
    string(REGEX REPLACE " .*" "" symbol "${symbol}")
    string(APPEND source ".globl ${symbol}\n.type ${symbol},@function\n${symbol}:\n")
  endforeach()
  cmake_path(GET name PARENT_PATH folder)
  file(MAKE_DIRECTORY "${face}/lib64/${folder}")
  file(REMOVE "${face}/lib64/${name}")
  file(WRITE "${face}/lib64/${name}.s" "${source}.byte 0\n.section .note.GNU-stack\n")
  execute_process(COMMAND "${MUSASHIM_CC}" -shared -nostdlib "-Wl,-soname,${place}/lib/${soname}"
                          "-Wl,--filter,${place}/lib/${file}" "${face}/lib64/${name}.s" -o "${face}/lib64/${name}"
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${face}/lib64/${name}.s")
endfunction()

# CUDA's name, ours, and the versions that programs load it by: those of CUDA 11 and 12.
foreach(row IN ITEMS
        "cudart|musart|11.0|12" "cuda|musa|1" "nccl|mccl|2" "nvshmem|mtshmem" "nvshmem_host|mtshmem|3" "nvidia-ml|mtml_nvml|1"
        "nvToolsExt|mttx|1" "cupti|mupti|12" "cublas|mublas|11|12" "cublasLt|mublasLt|11|12" "cufft|mufft|10|11"
        "cufftw|mufftw|10|11" "curand|murand|10" "cusolver|musolver|10|11" "cusparse|musparse|11|12" "nvrtc|mtrtc|11.2|12" "cufile|cufile"
        "cudnn|mudnn|8|9" "cudnn_ops|mudnn|9" "cudnn_cnn|mudnn|9" "cudnn_graph|mudnn|9"
        "cudnn_heuristic|mudnn|9" "cudnn_engines_precompiled|mudnn|9" "cudnn_engines_runtime_compiled|mudnn|9")
  string(REPLACE "|" ";" row "${row}")
  list(POP_FRONT row theirs ours)
  if(NOT lib${ours}.so IN_LIST libraries)
    continue()
  endif()
  stand_in(lib${ours}.so lib${theirs}.so)
  foreach(version IN LISTS row)
    link("lib${ours}.so" "${face}/lib64/lib${theirs}.so.${version}")
  endforeach()
endforeach()
foreach(row IN ITEMS
        "stubs/libcuda.so|musa" "stubs/libnvidia-ml.so|mtml_nvml" "libcudart_static.a|musart" "libnccl_static.a|mccl"
        "libnvshmem.a|mtshmem" "libnvshmem_device.a|mtshmem" "libcublas_static.a|mublas" "libcublasLt_static.a|mublasLt"
        "libcufft_static.a|mufft" "libcufftw_static.a|mufftw" "libcurand_static.a|murand" "libcusolver_static.a|musolver" "libcusparse_static.a|musparse"
        "libnvrtc_static.a|mtrtc" "libcufile_static.a|cufile" "libcudnn_static.a|mudnn")
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 name)
  list(GET row 1 ours)
  if(lib${ours}.so IN_LIST libraries)
    stand_in(lib${ours}.so ${name})
  endif()
endforeach()

execute_process(COMMAND "${MUSASHIM_AR}" rc "${face}/lib64/libcudadevrt.a" COMMAND_ERROR_IS_FATAL ANY)
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/NVSHMEMConfig.cmake" DESTINATION "${face}/lib64/cmake/nvshmem")
link(lib64 "${face}/lib")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/relocate" DESTINATION "${face}" USE_SOURCE_PERMISSIONS)
link(../../bin/mcc "${face}/bin/nvcc")
link(../../bin/mtshmrun "${face}/bin/nvshmrun")
