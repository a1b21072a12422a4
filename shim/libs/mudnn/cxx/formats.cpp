#include "libs/mudnn/cxx/formats.h"

namespace musashim::mudnn {

Array channelsSecond(const Tensor& tensor) {
  using Format = Tensor::Format;
  const Array array = given(tensor);
  const auto ordered = [&](std::initializer_list<int> order) {
    return array.rank == static_cast<int>(order.size()) ? permuted(array, order.begin()) : array;
  };
  switch (tensor.GetFormat()) {
    case Format::NWC:
      return ordered({0, 2, 1});
    case Format::NHWC:
      return ordered({0, 3, 1, 2});
    case Format::HWCN:
      return ordered({3, 2, 0, 1});
    case Format::NDHWC:
      return ordered({0, 4, 1, 2, 3});
    case Format::DHWCN:
      return ordered({4, 3, 0, 1, 2});
    default:
      return array;
  }
}

}  // namespace musashim::mudnn
