// The archive's other member defines the same variable: only one of the two may be linked.
__device__ int libraryTwin(int x) { return x; }
__managed__ int libraryManaged = 9;
