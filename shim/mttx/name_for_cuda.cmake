# name_for_cuda.cmake: a header's text with NVTX's names. cmake -DIN=... -DOUT=... -P name_for_cuda.cmake
# Types and headers of the runtime stay: they have CUDA's names where CUDA's headers are included.
file(READ ${IN} text)
foreach(pair "mtToolsExt|nvToolsExt" "MTTOOLSEXT|NVTOOLSEXT" "MTTX|NVTX" "mttx|nvtx" "NameMusa|NameCuda" "NameMu|NameCu" "ExtMusa|ExtCuda"
        "EXT_MUSA|EXT_CUDA")
  string(REPLACE "|" ";" pair ${pair})
  list(GET pair 0 ours)
  list(GET pair 1 theirs)
  string(REPLACE "${ours}" "${theirs}" text "${text}")
endforeach()
file(WRITE ${OUT} "${text}")
