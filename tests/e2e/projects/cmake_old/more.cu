__global__ void nothing() {}
void more() { nothing<<<1, 1>>>(); }
