// A kernel with a parameter of a type that is not known: of another library, say.
struct Map;
__global__ void kernel(const Map map, int* out) { *out = 1; }
Map& get();
int main() { kernel<<<1, 1>>>(get(), nullptr); }
