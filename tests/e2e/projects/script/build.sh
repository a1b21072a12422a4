#!/bin/bash
# Builds with nvcc: CUDA_HOME says where.
set -e
cd "$(dirname "$0")"
source ./paths.env
if ! command -v nvcc > /dev/null; then
  echo "no nvcc in PATH; set CUDA_HOME (now $CUDA_HOME)" >&2
  exit 1
fi
mkdir -p out
for source in src/*.cu; do
  name=$(basename "$source" .cu)
  nvcc -O2 -arch=sm_80 -Xcompiler -fPIC -c "$source" -o "out/$name.o"
done
g++ -c src/main.cpp -o out/main.o
nvcc -o script out/*.o -lcudart
