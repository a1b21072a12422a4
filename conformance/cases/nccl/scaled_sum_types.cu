// Sums after a multiplication, of every type, the factor in host and in device memory.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.scaled_sum_types");

struct Observe {
  const Ranks& ranks;
  template <class T>
  void operator()(const char* name, ncclDataType_t type, T) const {
    const std::string key = name;
    for (const bool onDevice : {false, true}) {
      Fleet<T> data(2, [](int rank) { return std::vector<double>{1, 2, 3.0 + rank}; });
      Fleet<T> factors(2, [](int rank) { return std::vector<double>{2.0 + rank}; });
      ncclRedOp_t operations[2];
      for (int r = 0; r < 2; ++r) {
        T factor = Element<T>::of(2.0 + r);
        void* scalar = onDevice ? static_cast<void*>(factors.data(r)) : static_cast<void*>(&factor);
        SETUP_NCCL(ncclRedOpCreatePreMulSum(&operations[r], scalar, type,
                                            onDevice ? ncclScalarDevice : ncclScalarHostImmediate,
                                            ranks.comm(r)));
      }
      onEveryRank(ranks, [&](int r) {
        return ncclAllReduce(data.data(r), data.data(r), 3, type, operations[r], ranks.comm(r),
                             ranks.stream(r));
      });
      OBSERVE(key + (onDevice ? ".device" : ".host"), data.content());
      for (int r = 0; r < 2; ++r) SETUP_NCCL(ncclRedOpDestroy(operations[r], ranks.comm(r)));
    }
  }
};

int main() {
  Ranks ranks(2);
  forEveryType(Observe{ranks});
}
