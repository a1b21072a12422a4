// A variable with the name of one of state.mu, for a program whose shared library has that one.
__device__ int counter = 100;
