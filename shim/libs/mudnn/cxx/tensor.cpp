// Tensors and handles of the C++ interface.
#include <algorithm>

#include "libs/core/stream_work.h"
#include "libs/mudnn/cxx/entry.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::kMaxRank;

template <class T>
void copyTo(std::vector<T>& to, int count, const int64_t* from) {
  to.resize(static_cast<size_t>(count));
  std::transform(from, from + count, to.begin(), [](int64_t value) { return static_cast<T>(value); });
}

}  // namespace

Handle::Handle() : device_(-1) { (void)musaGetDevice(&device_); }
Handle::Handle(int deviceId) : device_(deviceId) {}
Handle::~Handle() = default;

Status Handle::SetStream(musaStream_t stream) {
  stream_ = stream;
  return Status::SUCCESS;
}

Status Handle::SetAllowTF32(bool /*allow*/) { return Status::SUCCESS; }

Tensor::Tensor()
    : type_(Type::FLOAT),
      format_(Format::UNKNOWN),
      address_(nullptr),
      rank_(0),
      sizes_(),
      strides_(),
      scale_(1) {}

Status Tensor::SetType(Type type) {
  if (type < Type::INT8 || type > Type::FP8_E5M2) return Status::INVALID_PARAMETER;
  type_ = type;
  return Status::SUCCESS;
}

Status Tensor::SetFormat(Format format) {
  if (format < Format::UNKNOWN || format > Format::DHWCN) return Status::INVALID_PARAMETER;
  format_ = format;
  return Status::SUCCESS;
}

Status Tensor::SetAddr(const void* address) {
  address_ = const_cast<void*>(address);
  return Status::SUCCESS;
}

Status Tensor::SetNdInfo(int count, const int64_t* sizes) {
  if (count < 0 || count > kMaxRank || (count > 0 && !sizes)) return Status::INVALID_PARAMETER;
  if (std::any_of(sizes, sizes + count, [](int64_t size) { return size < 0; }))
    return Status::INVALID_PARAMETER;
  rank_ = count;
  int64_t stride = 1;
  for (int i = count; i-- > 0;) {
    sizes_[i] = sizes[i];
    strides_[i] = stride;
    stride *= sizes[i];
  }
  return Status::SUCCESS;
}

Status Tensor::SetNdInfo(int count, const int64_t* sizes, const int64_t* strides) {
  if (count > 0 && !strides) return Status::INVALID_PARAMETER;
  const Status status = SetNdInfo(count, sizes);
  if (status == Status::SUCCESS) std::copy_n(strides, count, strides_);
  return status;
}

Status Tensor::SetNdInfo(std::initializer_list<int64_t> sizes) {
  return SetNdInfo(static_cast<int>(sizes.size()), sizes.begin());
}

Status Tensor::SetNdInfo(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides) {
  if (sizes.size() != strides.size()) return Status::INVALID_PARAMETER;
  return SetNdInfo(static_cast<int>(sizes.size()), sizes.begin(), strides.begin());
}

Status Tensor::SetQuantizationInfo(float scale) {
  scale_ = scale;
  return Status::SUCCESS;
}

Status Tensor::GetNdInfo(std::vector<int64_t>& sizes) const {
  return musashim::mudnn::cxxCall("Tensor::GetNdInfo", [&] {
    copyTo(sizes, rank_, sizes_);
    return Status::SUCCESS;
  });
}

Status Tensor::GetNdInfo(std::vector<int64_t>& sizes, std::vector<int64_t>& strides) const {
  return musashim::mudnn::cxxCall("Tensor::GetNdInfo", [&] {
    copyTo(sizes, rank_, sizes_);
    copyTo(strides, rank_, strides_);
    return Status::SUCCESS;
  });
}

Status Tensor::GetNdInfo(std::vector<int>& sizes) const {
  return musashim::mudnn::cxxCall("Tensor::GetNdInfo", [&] {
    copyTo(sizes, rank_, sizes_);
    return Status::SUCCESS;
  });
}

Status Tensor::GetNdInfo(std::vector<int>& sizes, std::vector<int>& strides) const {
  return musashim::mudnn::cxxCall("Tensor::GetNdInfo", [&] {
    copyTo(sizes, rank_, sizes_);
    copyTo(strides, rank_, strides_);
    return Status::SUCCESS;
  });
}

musashim::mudnn::Array Internals::arrayOf(const Tensor& tensor) {
  musashim::mudnn::Array array;
  array.element = static_cast<musashim::mudnn::Element>(tensor.type_);
  array.data = tensor.address_;
  array.rank = tensor.rank_;
  std::copy_n(tensor.sizes_, kMaxRank, array.sizes.begin());
  std::copy_n(tensor.strides_, kMaxRank, array.strides.begin());
  array.scale = tensor.scale_;
  return array;
}

void Internals::resize(Tensor& tensor, std::initializer_list<int64_t> sizes) {
  (void)tensor.SetNdInfo(sizes);
}

}  // namespace musa::dnn

namespace musashim::mudnn {

Array given(const Tensor& tensor) {
  const Array array = Internals::arrayOf(tensor);
  require(array.data || array.count() == 0, "a tensor has no memory");
  return array;
}

Array optional(const Tensor& tensor) {
  return Internals::isEmpty(tensor) ? Array() : Internals::arrayOf(tensor);
}

Status queue(const Handle& handle, Work work) {
  int device = -1;
  if (musaGetDevice(&device) != musaSuccess) return Status::NOT_INITIALIZED;
  if (handle.GetDeviceId() != device && musaSetDevice(handle.GetDeviceId()) != musaSuccess)
    return Status::NOT_INITIALIZED;
  return libs::runOnStream(handle.GetStream(), std::move(work)) == musaSuccess ? Status::SUCCESS
                                                                               : Status::EXECUTION_FAILED;
}

}  // namespace musashim::mudnn
