// Descriptors of convolutions, and what a convolution's output is like.
#include <algorithm>

#include "libs/mudnn/api/convolution.h"
#include "libs/mudnn/api/entry.h"

using musashim::mudnn::Array;
using musashim::mudnn::entry;
using musashim::mudnn::require;
using musashim::mudnn::shapeOf;

namespace {

mudnnStatus_t setDescriptor(mudnnConvolutionDescriptor_t descriptor, int count, const int* pads,
                            const int* strides, const int* dilations, mudnnConvolutionMode_t mode,
                            mudnnDataType_t computeType) {
  if (!descriptor || count < 0 || !pads || !strides || !dilations) return MUDNN_STATUS_BAD_PARAM;
  if (mode != MUDNN_CONVOLUTION && mode != MUDNN_CROSS_CORRELATION) return MUDNN_STATUS_BAD_PARAM;
  switch (computeType) {
    case MUDNN_DATA_FLOAT:
    case MUDNN_DATA_DOUBLE:
    case MUDNN_DATA_HALF:
    case MUDNN_DATA_INT32:
      break;
    default:
      return MUDNN_STATUS_BAD_PARAM;
  }
  if (count > MUDNN_DIM_MAX - 2) return MUDNN_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < count; ++i)
    if (pads[i] < 0 || strides[i] < 1 || dilations[i] < 1) return MUDNN_STATUS_BAD_PARAM;
  descriptor->pads.assign(pads, pads + count);
  descriptor->strides.assign(strides, strides + count);
  descriptor->dilations.assign(dilations, dilations + count);
  descriptor->mode = mode;
  descriptor->computeType = computeType;
  return MUDNN_STATUS_SUCCESS;
}

// N, the output's channels, and places; with places of 0 where the filter is larger than the padded input.
std::vector<int64_t> outputOf(mudnnConvolutionDescriptor_t descriptor, const Array& x, const Array& w) {
  require(descriptor && !descriptor->pads.empty(),
          "the convolution's descriptor is missing or was never set");
  require(x.rank == w.rank && descriptor->pads.size() == static_cast<size_t>(x.rank - 2),
          "the descriptors have different numbers of dimensions");
  require(x.sizes[1] == w.sizes[1] * descriptor->groups, "channels do not go with the groups");
  std::vector<int64_t> sizes{x.sizes[0], w.sizes[0]};
  for (size_t i = 0; i < descriptor->pads.size(); ++i) {
    sizes.push_back(musashim::mudnn::placesAfter(x.sizes[i + 2], w.sizes[i + 2], descriptor->pads[i],
                                                 descriptor->strides[i], descriptor->dilations[i]));
    sizes.back() = std::max<int64_t>(sizes.back(), 0);
  }
  return sizes;
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(Convolution)

MUDNN_ENTRY mudnnSetConvolution2dDescriptor(mudnnConvolutionDescriptor_t convDesc, int pad_h, int pad_w,
                                            int u, int v, int dilation_h, int dilation_w,
                                            mudnnConvolutionMode_t mode, mudnnDataType_t computeType) {
  const int pads[] = {pad_h, pad_w}, strides[] = {u, v}, dilations[] = {dilation_h, dilation_w};
  return entry(
      "mudnnSetConvolution2dDescriptor",
      [&] { return setDescriptor(convDesc, 2, pads, strides, dilations, mode, computeType); }, convDesc,
      pad_h, pad_w, u, v, dilation_h, dilation_w, mode, computeType);
}

MUDNN_ENTRY mudnnGetConvolution2dDescriptor(const mudnnConvolutionDescriptor_t convDesc, int* pad_h,
                                            int* pad_w, int* u, int* v, int* dilation_h, int* dilation_w,
                                            mudnnConvolutionMode_t* mode, mudnnDataType_t* computeType) {
  return entry(
      "mudnnGetConvolution2dDescriptor",
      [&] {
        if (!convDesc || convDesc->pads.size() != 2) return MUDNN_STATUS_BAD_PARAM;
        const auto put = [](int* to, int64_t value) {
          if (to) *to = static_cast<int>(value);
        };
        put(pad_h, convDesc->pads[0]);
        put(pad_w, convDesc->pads[1]);
        put(u, convDesc->strides[0]);
        put(v, convDesc->strides[1]);
        put(dilation_h, convDesc->dilations[0]);
        put(dilation_w, convDesc->dilations[1]);
        if (mode) *mode = convDesc->mode;
        if (computeType) *computeType = convDesc->computeType;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc);
}

MUDNN_ENTRY mudnnSetConvolutionNdDescriptor(mudnnConvolutionDescriptor_t convDesc, int arrayLength,
                                            const int* padA, const int* filterStrideA, const int* dilationA,
                                            mudnnConvolutionMode_t mode, mudnnDataType_t computeType) {
  return entry(
      "mudnnSetConvolutionNdDescriptor",
      [&] { return setDescriptor(convDesc, arrayLength, padA, filterStrideA, dilationA, mode, computeType); },
      convDesc, arrayLength, padA, filterStrideA, dilationA, mode, computeType);
}

MUDNN_ENTRY mudnnGetConvolutionNdDescriptor(const mudnnConvolutionDescriptor_t convDesc,
                                            int arrayLengthRequested, int* arrayLength, int* padA,
                                            int* strideA, int* dilationA, mudnnConvolutionMode_t* mode,
                                            mudnnDataType_t* computeType) {
  return entry(
      "mudnnGetConvolutionNdDescriptor",
      [&] {
        if (!convDesc || arrayLengthRequested < 0) return MUDNN_STATUS_BAD_PARAM;
        if (arrayLengthRequested > MUDNN_DIM_MAX - 2) return MUDNN_STATUS_NOT_SUPPORTED;
        const auto count = static_cast<int>(convDesc->pads.size());
        if (arrayLength) *arrayLength = count;
        for (int i = 0; i < std::min(count, arrayLengthRequested); ++i) {
          const auto d = static_cast<size_t>(i);
          if (padA) padA[i] = static_cast<int>(convDesc->pads[d]);
          if (strideA) strideA[i] = static_cast<int>(convDesc->strides[d]);
          if (dilationA) dilationA[i] = static_cast<int>(convDesc->dilations[d]);
        }
        if (mode) *mode = convDesc->mode;
        if (computeType) *computeType = convDesc->computeType;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, arrayLengthRequested);
}

MUDNN_ENTRY mudnnSetConvolutionGroupCount(mudnnConvolutionDescriptor_t convDesc, int groupCount) {
  return entry(
      "mudnnSetConvolutionGroupCount",
      [&] {
        if (!convDesc || groupCount < 1) return MUDNN_STATUS_BAD_PARAM;
        convDesc->groups = groupCount;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, groupCount);
}

MUDNN_ENTRY mudnnGetConvolutionGroupCount(const mudnnConvolutionDescriptor_t convDesc, int* groupCount) {
  return entry(
      "mudnnGetConvolutionGroupCount",
      [&] {
        if (!convDesc || !groupCount) return MUDNN_STATUS_BAD_PARAM;
        *groupCount = convDesc->groups;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, groupCount);
}

MUDNN_ENTRY mudnnSetConvolutionMathType(mudnnConvolutionDescriptor_t convDesc, mudnnMathType_t mathType) {
  return entry(
      "mudnnSetConvolutionMathType",
      [&] {
        if (!convDesc || mathType < MUDNN_DEFAULT_MATH || mathType > MUDNN_FMA_MATH)
          return MUDNN_STATUS_BAD_PARAM;
        convDesc->mathType = mathType;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, mathType);
}

MUDNN_ENTRY mudnnGetConvolutionMathType(const mudnnConvolutionDescriptor_t convDesc,
                                        mudnnMathType_t* mathType) {
  return entry(
      "mudnnGetConvolutionMathType",
      [&] {
        if (!convDesc || !mathType) return MUDNN_STATUS_BAD_PARAM;
        *mathType = convDesc->mathType;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, mathType);
}

MUDNN_ENTRY mudnnSetConvolutionReorderType(mudnnConvolutionDescriptor_t convDesc,
                                           mudnnReorderType_t reorderType) {
  return entry(
      "mudnnSetConvolutionReorderType",
      [&] {
        if (!convDesc || reorderType < MUDNN_DEFAULT_REORDER || reorderType > MUDNN_NO_REORDER)
          return MUDNN_STATUS_BAD_PARAM;
        convDesc->reorder = reorderType;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, reorderType);
}

MUDNN_ENTRY mudnnGetConvolutionReorderType(mudnnConvolutionDescriptor_t convDesc,
                                           mudnnReorderType_t* reorderType) {
  return entry(
      "mudnnGetConvolutionReorderType",
      [&] {
        if (!convDesc || !reorderType) return MUDNN_STATUS_BAD_PARAM;
        *reorderType = convDesc->reorder;
        return MUDNN_STATUS_SUCCESS;
      },
      convDesc, reorderType);
}

MUDNN_ENTRY mudnnGetConvolution2dForwardOutputDim(const mudnnConvolutionDescriptor_t convDesc,
                                                  const mudnnTensorDescriptor_t inputTensorDesc,
                                                  const mudnnFilterDescriptor_t filterDesc, int* n, int* c,
                                                  int* h, int* w) {
  return entry(
      "mudnnGetConvolution2dForwardOutputDim",
      [&] {
        int* const to[] = {n, c, h, w};
        if (std::any_of(to, to + 4, [](int* at) { return !at; })) return MUDNN_STATUS_BAD_PARAM;
        for (int* at : to) *at = 0;
        const auto sizes = outputOf(convDesc, shapeOf(inputTensorDesc), shapeOf(filterDesc));
        if (sizes.size() != 4) return MUDNN_STATUS_BAD_PARAM;
        for (size_t i = 0; i < 4; ++i) *to[i] = static_cast<int>(sizes[i]);
        return sizes[2] > 0 && sizes[3] > 0 ? MUDNN_STATUS_SUCCESS : MUDNN_STATUS_BAD_PARAM;
      },
      convDesc, inputTensorDesc, filterDesc);
}

MUDNN_ENTRY mudnnGetConvolutionNdForwardOutputDim(const mudnnConvolutionDescriptor_t convDesc,
                                                  const mudnnTensorDescriptor_t inputTensorDesc,
                                                  const mudnnFilterDescriptor_t filterDesc, int nbDims,
                                                  int* tensorOuputDimA) {
  return entry(
      "mudnnGetConvolutionNdForwardOutputDim",
      [&] {
        const auto sizes = outputOf(convDesc, shapeOf(inputTensorDesc), shapeOf(filterDesc));
        if (!tensorOuputDimA || nbDims < 0 || nbDims > static_cast<int>(sizes.size()))
          return MUDNN_STATUS_BAD_PARAM;
        for (size_t i = 0; i < static_cast<size_t>(nbDims); ++i)
          tensorOuputDimA[i] = static_cast<int>(sizes[i]);
        return *std::min_element(sizes.begin(), sizes.end()) > 0 ? MUDNN_STATUS_SUCCESS
                                                                 : MUDNN_STATUS_BAD_PARAM;
      },
      convDesc, inputTensorDesc, filterDesc, nbDims);
}

}  // extern "C"
