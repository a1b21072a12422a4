#!/usr/bin/env bash
# Builds samples of NVIDIA's cuda-samples, with smaller sizes and fewer rounds, and records them for musashim-diff:
#
#   samples.sh CHECKOUT OUT NVCC RECORD [NAME...]
#
# On an NVIDIA machine NVCC is its toolkit's, and RECORD the command that build_for_cuda made; here they are
# $MUSA_PATH/cuda/bin/nvcc and "musashim-diff record". OUT gets a folder RUN/NAME each. JOBS (4) builds go on at once,
# FLAGS are nvcc's. COMPARE is a folder of runs that these are compared with: samples_h100 has what an H100 did.
set -u
checkout=$1 out=$2 nvcc=$3 record=$4
shift 4
mkdir -p "$out/build" "$out/bin" "$out/run" "$out/log"
checkout=$(cd "$checkout" && pwd) out=$(cd "$out" && pwd)

# name | folder | arguments | edits, which say how sizes and rounds become smaller
table='
vectorAdd|0_Introduction||
matrixMul|0_Introduction||s/nIter = 300/nIter = 2/
mergeSort|0_Introduction||s/= 4 \* 1048576/= 65536/
simpleTemplates|0_Introduction||
convolutionSeparable|2_Concepts_and_Techniques||s/= 3072/= 512/;s/iterations = 16/iterations = 1/
reduction|2_Concepts_and_Techniques|--n=65536|s/testIterations = 100/testIterations = 2/
scan|2_Concepts_and_Techniques||s/13 \* 1048576 \/ 2/524288/;s/iCycles = 100/iCycles = 1/
scalarProd|2_Concepts_and_Techniques||s/VECTOR_N = 256/VECTOR_N = 64/;s/ELEMENT_N = 4096/ELEMENT_N = 1024/
shfl_scan|2_Concepts_and_Techniques||
sortingNetworks|2_Concepts_and_Techniques||s/= 1048576/= 16384/
threadFenceReduction|2_Concepts_and_Techniques|--n=65536|s/testIterations = 100/testIterations = 2/
histogram|2_Concepts_and_Techniques||s/64 \* 1048576/1048576/;s/numRuns = 16/numRuns = 1/
BlackScholes|5_Domain_Specific||s/OPT_N          = 4000000/OPT_N = 65536/;s/NUM_ITERATIONS = 512/NUM_ITERATIONS = 2/
fastWalshTransform|5_Domain_Specific||s/log2Data   = 23/log2Data = 14/
binomialOptions|5_Domain_Specific||s/MAX_OPTIONS 1024/MAX_OPTIONS 64/
SobolQRNG|5_Domain_Specific|--vectors=8192 --dimensions=50|
quasirandomGenerator|5_Domain_Specific||s/N = 1048576/N = 65536/;s/numIterations = 20/numIterations = 1/
transpose|6_Performance|-dimX=256 -dimY=256|s/NUM_REPS 100/NUM_REPS 1/
'

build() { # NAME FOLDER EDITS
  local copy="$out/build/$1"
  rm -rf "$copy" && cp -r "$checkout/Samples/$2/$1" "$copy"
  find "$copy" -name '*.cu' -o -name '*.cpp' -o -name '*.h' -o -name '*.cuh' | while read -r file; do sed -i "$3" "$file"; done
  (cd "$copy" && $nvcc -std=c++17 -O2 ${FLAGS:-} -I. -Iinc -I "$checkout/Common" $(ls *.cu *.cpp 2>/dev/null) -o "$out/bin/$1") >"$out/log/$1.build" 2>&1
}

wanted() { [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]; }

while IFS='|' read -r name folder arguments edits; do
  [ -n "$name" ] && wanted "$name" "$@" || continue
  while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-4}" ]; do wait -n; done
  [ -x "$out/bin/$name" ] || build "$name" "$folder" "$edits" &
done <<<"$table"
wait
while IFS='|' read -r name folder arguments edits; do
  [ -n "$name" ] && wanted "$name" "$@" || continue
  rm -rf "$out/run/$name"
  (cd "$out/build/$name" && $record "$out/run/$name" "$out/bin/$name" $arguments) >"$out/log/$name.run" 2>&1 </dev/null
  echo "$name: status $?, $(grep -c '"event":"kernel"' "$out/run/$name/index.jsonl") kernels"
  [ -z "${COMPARE:-}" ] || [ ! -d "$COMPARE/$name" ] || musashim-diff "$COMPARE/$name" "$out/run/$name" | tail -n +3 | sed 's/^/    /'
done <<<"$table"
