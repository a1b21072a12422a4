# Makes <prefix>/cuda look like a CUDA toolkit, of links into the SDK. Run at installation, when the rest is there.
set(sdk "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
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
list(REMOVE_ITEM headers cuda_alias)
foreach(header IN LISTS headers)
  link("../../include/${header}" "${face}/include/${header}")
endforeach()
file(GLOB headers RELATIVE "${sdk}/include/cuda_alias" "${sdk}/include/cuda_alias/*")
foreach(header IN LISTS headers)
  link("../../include/cuda_alias/${header}" "${face}/include/${header}")
endforeach()

# The libraries as they are, since they look for each other beside themselves.
file(GLOB libraries RELATIVE "${sdk}/lib" "${sdk}/lib/*.so*")
foreach(library IN LISTS libraries)
  link("../../lib/${library}" "${face}/lib64/${library}")
endforeach()
# CUDA's name and the versions that programs load it by; ours.
set(names
  "libcudart.so|libmusart.so" "libcudart.so.12|libmusart.so" "libcudart.so.11.0|libmusart.so"
  "libcudart_static.a|libmusart.so"  # a linker looks into a file, not at its name
  "libcuda.so|libmusa.so" "libcuda.so.1|libmusa.so" "stubs/libcuda.so|../libmusa.so"
  "libnccl.so|libmccl.so" "libnccl.so.2|libmccl.so" "libnccl_static.a|libmccl.so")
foreach(pair IN LISTS names)
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 target)
  link("${target}" "${face}/lib64/${name}")
endforeach()
execute_process(COMMAND "${MUSASHIM_AR}" rc "${face}/lib64/libcudadevrt.a" COMMAND_ERROR_IS_FATAL ANY)
link(lib64 "${face}/lib")
link(../../bin/mcc "${face}/bin/nvcc")
