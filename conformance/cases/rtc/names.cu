// links: nvrtc driver
// Name expressions and the names that they become.
#include "../../framework/runtime_compilation.h"

CONFORMANCE_CASE("rtc.names");

static const char* const kSource = R"(
namespace outer {
namespace inner {
template <class T> __global__ void scale(T* data, T by) { data[threadIdx.x] *= by; }
}
struct Pair { int a, b; };
__constant__ int table[4];
}
template <int N, class T = float> __global__ void fill(T* data) { data[threadIdx.x] = N; }
template <class... Types> __global__ void many(Types... values) {}
__global__ void plain(const int* in, unsigned long long* out) { out[0] = in[0]; }
extern "C" __global__ void c_name(int* out) { out[0] = 1; }
__device__ float variable;
__device__ __managed__ int shared_value;
using Alias = outer::Pair;
__global__ void takes(Alias pair, Alias* more) { more[0] = pair; }
static __global__ void hidden(int* out) { out[0] = 2; }
)";

int main() {
  const std::vector<const char*> names = {"outer::inner::scale<float>",
                                          "outer::inner::scale<double>",
                                          "&outer::inner::scale<int>",
                                          "fill<3>",
                                          "fill<3, double>",
                                          "fill<-1, unsigned char>",
                                          "many<int, float, outer::Pair>",
                                          "many<>",
                                          "plain",
                                          "&plain",
                                          "c_name",
                                          "variable",
                                          "&variable",
                                          "outer::table",
                                          "&outer::table",
                                          "takes",
                                          "::plain",
                                          "fill<sizeof(long long)>"};
  int index = 0;
  for (const char* name : names) {
    const Compiled one(kSource, {}, {name});
    const std::string key = std::to_string(index++) + "." + keyOf(name);
    OBSERVE(key + ".result", code(one.result));
    OBSERVE(key, one.lowered(name));
  }
  const Compiled good(kSource, {}, {"fill<3>", "plain"});
  OBSERVE("compile", code(good.result));
  OBSERVE("other_spelling", good.lowered("fill< 3 >"));
  OBSERVE("not_asked_for", good.lowered("outer::inner::scale<short>"));
  const Compiled unknown(kSource, {}, {"nothing"});
  OBSERVE("unknown", code(unknown.result));
  OBSERVE("unknown.log", unknown.hasLog());
  const Compiled broken(kSource, {}, {"fill<"});
  OBSERVE("broken", code(broken.result));
  const Compiled twice(kSource, {}, {"plain", "plain"});
  OBSERVE("twice", code(twice.result));
  OBSERVE("twice.name", twice.lowered("plain"));
}
