#pragma once
inline cudaError_t own_allocate(int** out) { return cudaMalloc(reinterpret_cast<void**>(out), sizeof(int)); }
