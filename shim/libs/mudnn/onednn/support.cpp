#include "libs/mudnn/onednn/support.h"

#include <algorithm>
#include <numeric>

#include "libs/core/share.h"
#include "libs/mudnn/onednn/engine.h"

extern "C" void omp_set_num_threads(int count);  // libgomp's, which oneDNN runs on

namespace musashim::mudnn::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine& engine = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

void useThreads() {
  // A team of threads belongs to the thread that asks for it, and so does its size.
  thread_local bool isSet = false;
  if (!isSet) omp_set_num_threads(static_cast<int>(libs::sharingThreads()));
  isSet = true;
}

dnnl::stream stream() { return dnnl::stream(engine()); }

dnnl::memory::dims dimsOf(const Array& array) {
  return {array.sizes.begin(), array.sizes.begin() + array.rank};
}

dnnl::memory::desc floatsOf(const Array& array) {
  return {dimsOf(array), dnnl::memory::data_type::f32,
          dnnl::memory::dims(array.strides.begin(), array.strides.begin() + array.rank)};
}

bool isDense(const Array& array) {
  std::array<int, kMaxRank> order{};
  std::iota(order.begin(), order.begin() + array.rank, 0);
  std::sort(order.begin(), order.begin() + array.rank, [&](int a, int b) {
    return array.strides[static_cast<size_t>(a)] > array.strides[static_cast<size_t>(b)];
  });
  return permuted(array, order.data()).isContiguous();
}

}  // namespace musashim::mudnn::onednn
