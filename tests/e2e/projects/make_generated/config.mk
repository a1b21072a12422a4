CUDA_HOME ?= /usr/local/cuda
NVCC = $(CUDA_HOME)/bin/nvcc
NVCCFLAGS = -O2 --extended-lambda -Xptxas -v -maxrregcount=64
LIBRARIES = cudart cuda
