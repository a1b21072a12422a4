// musa::dnn's classes that move, choose and count elements.
#include "libs/mudnn/operations/layout.h"

#include <algorithm>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/cxx/formats.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::Array;
using musashim::mudnn::channelsSecond;
using musashim::mudnn::Found;
using musashim::mudnn::given;
using musashim::mudnn::require;
using musashim::mudnn::run;
using musashim::mudnn::Work;

// Runs what `make(found)` returns, waits for it, and calls use(how many).
template <class Make, class Use>
Status runAndWait(const char* name, Handle& handle, Make&& make, Use&& use) {
  return musashim::mudnn::cxxCall(name, [&] {
    musaStreamCaptureStatus capturing = musaStreamCaptureStatusNone;
    if (musaStreamIsCapturing(handle.GetStream(), &capturing) != musaSuccess) return Status::EXECUTION_FAILED;
    if (capturing != musaStreamCaptureStatusNone) return Status::NOT_SUPPORTED;
    const auto found = std::make_shared<std::atomic<int64_t>>(-1);
    const Status status = musashim::mudnn::queue(handle, make(found));
    if (status != Status::SUCCESS) return status;
    if (musaStreamSynchronize(handle.GetStream()) != musaSuccess || *found < 0)
      return Status::EXECUTION_FAILED;
    use(found->load());
    return Status::SUCCESS;
  });
}

template <class Index>
Status permute(Tensor& out, Tensor& in, int count, const Index* order) {
  return musashim::mudnn::cxxCall("Permute::ConfigDimStride", [&] {
    const Array from = Internals::arrayOf(in), to = Internals::arrayOf(out);
    require(count == from.rank && count == to.rank && order,
            "the order does not go with the tensors' dimensions");
    std::array<int, musashim::mudnn::kMaxRank> places{};
    std::array<bool, musashim::mudnn::kMaxRank> seen{};
    for (int i = 0; i < count; ++i) {
      places[static_cast<size_t>(i)] = from.axis(static_cast<int64_t>(order[i]));
      bool& known = seen[static_cast<size_t>(places[static_cast<size_t>(i)])];
      require(!known, "the order has a dimension twice");
      known = true;
    }
    const Array turned = permuted(from, places.data());
    require(turned.sameSizes(to), "the output's sizes are not the input's in that order");
    return in.SetNdInfo(turned.rank, turned.sizes.data(), turned.strides.data());
  });
}

}  // namespace

Status Permute::ConfigDimStride(Tensor& out, Tensor& in, int count, const int64_t* order) const {
  return permute(out, in, count, order);
}
Status Permute::ConfigDimStride(Tensor& out, Tensor& in, int count, const int* order) const {
  return permute(out, in, count, order);
}
Status Permute::ConfigDimStrideForSlice(Tensor& out, Tensor& in, const int64_t* starts,
                                        const int64_t* strides) const {
  return musashim::mudnn::cxxCall("Permute::ConfigDimStrideForSlice", [&] {
    Array from = Internals::arrayOf(in);
    const Array to = Internals::arrayOf(out);
    require(from.rank == to.rank && starts, "the tensors have different numbers of dimensions");
    int64_t offset = 0;
    for (size_t d = 0; d < static_cast<size_t>(from.rank); ++d) {
      const int64_t step = strides ? strides[d] : 1, last = starts[d] + (to.sizes[d] - 1) * step;
      require(to.sizes[d] == 0 ||
                  (starts[d] >= 0 && starts[d] < from.sizes[d] && last >= 0 && last < from.sizes[d]),
              "the part reaches beyond the input");
      offset += starts[d] * from.strides[d];
      from.strides[d] *= step;
    }
    if (to.count() != 0)
      (void)in.SetAddr(static_cast<const char*>(from.data) +
                       offset * static_cast<int64_t>(sizeOf(from.element)));
    return in.SetNdInfo(to.rank, to.sizes.data(), from.strides.data());
  });
}
Status Permute::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Permute::Run", handle, [&] { return musashim::mudnn::copy(given(out), given(in)); });
}

Status Concat::SetAxis(int axis) {
  axis_ = axis;
  return Status::SUCCESS;
}
Status Concat::Run(Handle& handle, Tensor& out, int count, const Tensor* inputs) const {
  return run("Concat::Run", handle, [&] {
    require(count >= 1 && inputs, "there is nothing to put together");
    std::vector<Array> arrays;
    for (int i = 0; i < count; ++i) arrays.push_back(given(inputs[i]));
    return musashim::mudnn::concatenate(axis_, given(out), arrays);
  });
}

Status Pad::SetMode(Mode mode) {
  if (mode < Mode::CONSTANT || mode > Mode::REPLICATE) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Pad::SetValue(Scalar value) {
  value_ = value;
  return Status::SUCCESS;
}
Status Pad::SetPaddingInfo(int count, const int* pads) {
  if (count < 0 || count > 16 || count % 2 || (count > 0 && !pads)) return Status::INVALID_PARAMETER;
  count_ = count;
  std::copy_n(pads, count, pads_);
  return Status::SUCCESS;
}
Status Pad::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Pad::Run", handle, [&] {
    return musashim::mudnn::pad(mode_, value_, {pads_, pads_ + count_}, channelsSecond(out),
                                channelsSecond(in));
  });
}

Status GatherX::SetMode(Mode mode) {
  return mode == Mode::GATHER ? Status::SUCCESS : Status::INVALID_PARAMETER;
}
Status GatherX::SetAxis(int axis) {
  axis_ = axis;
  return Status::SUCCESS;
}
Status GatherX::SetBatchDims(int dimensions) {
  if (dimensions < 0) return Status::INVALID_PARAMETER;
  batchDims_ = dimensions;
  return Status::SUCCESS;
}
Status GatherX::Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& in) const {
  return run("GatherX::Run", handle, [&] {
    return musashim::mudnn::gather(axis_, batchDims_, given(out), given(indices), given(in));
  });
}

Status Scatter::SetMode(Mode mode) {
  if (mode < Mode::UPDATE_ONLY || mode > Mode::MIN) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Scatter::Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& source, int dimension,
                    const MemoryMaintainer&) const {
  return run("Scatter::Run", handle, [&] {
    return musashim::mudnn::scatter(mode_, dimension, given(out), given(indices), given(source));
  });
}

Status ScatterND::SetMode(Mode mode) {
  if (mode < Mode::UPDATE_ONLY || mode > Mode::MIN) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status ScatterND::Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& updates,
                      const MemoryMaintainer&) const {
  return run("ScatterND::Run", handle, [&] {
    return musashim::mudnn::scatterSlices(mode_, given(out), given(indices), given(updates));
  });
}

Status MaskedScatter::Run(Handle& handle, Tensor& inOut, const Tensor& mask, const Tensor& source,
                          const MemoryMaintainer&) const {
  return run("MaskedScatter::Run", handle,
             [&] { return musashim::mudnn::maskedScatter(given(inOut), given(mask), given(source)); });
}

Status Nonzero::Run(Handle& handle, Tensor& out, const Tensor& in, const MemoryMaintainer&) const {
  return runAndWait(
      "Nonzero::Run", handle,
      [&](const Found& found) { return musashim::mudnn::nonzero(given(out), given(in), found); },
      [&](int64_t count) { Internals::resize(out, {count, Internals::arrayOf(in).rank}); });
}

Status MaskedSelect::Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& mask,
                         const MemoryMaintainer&) const {
  return runAndWait(
      "MaskedSelect::Run", handle,
      [&](const Found& found) {
        return musashim::mudnn::maskedSelect(given(out), given(in), given(mask), found);
      },
      [&](int64_t count) { Internals::resize(out, {count}); });
}

Status Unique::SetMode(Mode mode) {
  if (mode != Mode::UNSORTED && mode != Mode::SORTED) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Unique::Run(Handle& handle, Tensor& values, Tensor& indices, Tensor& counts, const Tensor& in,
                   const MemoryMaintainer&) const {
  return runAndWait(
      "Unique::Run", handle,
      [&](const Found& found) {
        return musashim::mudnn::unique(mode_, given(values), given(indices), given(counts), given(in), found);
      },
      [&](int64_t count) {
        Internals::resize(values, {count});
        Internals::resize(counts, {count});
      });
}

}  // namespace musa::dnn
