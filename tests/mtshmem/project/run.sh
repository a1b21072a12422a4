#!/bin/sh
set -e
: "${CUDA_HOME:=/usr/local/cuda}" "${NVSHMEM_HOME:=/usr/local/nvshmem}"
export NVSHMEM_SYMMETRIC_SIZE=32M NVSHMEM_REMOTE_TRANSPORT=none
$CUDA_HOME/bin/nvcc -rdc=true -I $NVSHMEM_HOME/include shift.cu -o shift -L $NVSHMEM_HOME/lib -lnvshmem_host -lnvshmem_device
$NVSHMEM_HOME/bin/nvshmrun -n 4 -ppn 4 ./shift
