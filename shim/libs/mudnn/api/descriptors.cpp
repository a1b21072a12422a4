// Descriptors of tensors and filters.
#include <algorithm>

#include "libs/mudnn/api/entry.h"

using musashim::mudnn::Array;
using musashim::mudnn::contiguousArray;
using musashim::mudnn::Element;
using musashim::mudnn::entry;
using musashim::mudnn::isType;
using musashim::mudnn::kMaxRank;

namespace {

constexpr int64_t kMostElements = int64_t{1} << 31;

// Sizes as the format lays them out; dimensions stay in the order N, C, places.
Array laidOut(mudnnTensorFormat_t format, int count, const int* sizes) {
  std::array<int64_t, kMaxRank> wide{};
  std::copy_n(sizes, count, wide.begin());
  Array array = contiguousArray(Element::kFloat, nullptr, count, wide.data());
  if (format == MUDNN_TENSOR_NHWC) {
    int64_t stride = wide[1];
    array.strides[1] = 1;
    for (int i = count; i-- > 2;) {
      array.strides[static_cast<size_t>(i)] = stride;
      stride *= wide[static_cast<size_t>(i)];
    }
    array.strides[0] = stride;
  }
  return array;
}

size_t bytesOf(mudnnDataType_t type) {
  switch (type) {
    case MUDNN_DATA_INT8x4:
    case MUDNN_DATA_UINT8x4:
    case MUDNN_DATA_INT8x32:
      return 1;
    default:
      return sizeOf(musashim::mudnn::elementOf(type));
  }
}

bool isFormat(mudnnTensorFormat_t format) {
  return format >= MUDNN_TENSOR_NCHW && format <= MUDNN_TENSOR_NCHW_VECT_C;
}
bool isVector(mudnnDataType_t type) {
  return type == MUDNN_DATA_INT8x4 || type == MUDNN_DATA_UINT8x4 || type == MUDNN_DATA_INT8x32;
}

// Tensors of cuDNN's calls: indices and masks are memory without a descriptor.
bool isTypeOfTensor(mudnnDataType_t type) {
  return isType(type) && type != MUDNN_DATA_INT64 && type != MUDNN_DATA_BOOLEAN;
}
int vectorOf(mudnnDataType_t type) { return type == MUDNN_DATA_INT8x32 ? 32 : isVector(type) ? 4 : 1; }

// Channels that come in vectors count by vectors in strides.
bool fits(mudnnTensorFormat_t format, mudnnDataType_t type, const int* sizes) {
  if (format != MUDNN_TENSOR_NCHW_VECT_C) return true;
  return isVector(type) && sizes[1] % vectorOf(type) == 0;
}
Array inVectors(mudnnTensorFormat_t format, mudnnDataType_t type, Array shape) {
  if (format != MUDNN_TENSOR_NCHW_VECT_C) return shape;
  shape.strides[0] /= vectorOf(type);
  return shape;
}

bool arePositive(int count, const int* sizes) {
  return std::all_of(sizes, sizes + count, [](int size) { return size > 0; });
}

mudnnStatus_t setTensor(mudnnTensorDescriptor_t descriptor, mudnnDataType_t type, const Array& shape) {
  int64_t last = 1;
  for (size_t i = 0; i < static_cast<size_t>(shape.rank); ++i)
    last += (shape.sizes[i] - 1) * shape.strides[i];
  *descriptor = {true, type, shape};
  return shape.count() > kMostElements || last > kMostElements ? MUDNN_STATUS_NOT_SUPPORTED
                                                               : MUDNN_STATUS_SUCCESS;
}

mudnnStatus_t setFilter(mudnnFilterDescriptor_t descriptor, mudnnDataType_t type, mudnnTensorFormat_t format,
                        int count, const int* sizes) {
  if (!descriptor || !sizes || !isType(type) || !isFormat(format)) return MUDNN_STATUS_BAD_PARAM;
  if (count < 3) return MUDNN_STATUS_BAD_PARAM;
  if (count > MUDNN_DIM_MAX) return MUDNN_STATUS_NOT_SUPPORTED;
  if (!arePositive(count, sizes) || !fits(format, type, sizes)) return MUDNN_STATUS_BAD_PARAM;
  *descriptor = {true, type, format, laidOut(format, count, sizes)};
  return MUDNN_STATUS_SUCCESS;
}

void put(int* to, int64_t value) {
  if (to) *to = static_cast<int>(value);
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(Tensor)
MUDNN_DESCRIPTOR(Filter)

MUDNN_ENTRY mudnnSetTensor4dDescriptor(mudnnTensorDescriptor_t tensorDesc, mudnnTensorFormat_t format,
                                       mudnnDataType_t dataType, int n, int c, int h, int w) {
  return entry(
      "mudnnSetTensor4dDescriptor",
      [&] {
        const int sizes[] = {n, c, h, w};
        if (!tensorDesc || !isFormat(format) || !isTypeOfTensor(dataType) || !arePositive(4, sizes) ||
            !fits(format, dataType, sizes))
          return MUDNN_STATUS_BAD_PARAM;
        return setTensor(tensorDesc, dataType, inVectors(format, dataType, laidOut(format, 4, sizes)));
      },
      tensorDesc, format, dataType, n, c, h, w);
}

MUDNN_ENTRY mudnnSetTensor4dDescriptorEx(mudnnTensorDescriptor_t tensorDesc, mudnnDataType_t dataType, int n,
                                         int c, int h, int w, int nStride, int cStride, int hStride,
                                         int wStride) {
  return entry(
      "mudnnSetTensor4dDescriptorEx",
      [&] {
        const int sizes[] = {n, c, h, w}, strides[] = {nStride, cStride, hStride, wStride};
        if (!tensorDesc || !isTypeOfTensor(dataType) || !arePositive(4, sizes) ||
            std::count(strides, strides + 4, 0) > 0)
          return MUDNN_STATUS_BAD_PARAM;
        Array shape = laidOut(MUDNN_TENSOR_NCHW, 4, sizes);
        std::copy_n(strides, 4, shape.strides.begin());
        return setTensor(tensorDesc, dataType, shape);
      },
      tensorDesc, dataType, n, c, h, w, nStride, cStride, hStride, wStride);
}

MUDNN_ENTRY mudnnGetTensor4dDescriptor(const mudnnTensorDescriptor_t tensorDesc, mudnnDataType_t* dataType,
                                       int* n, int* c, int* h, int* w, int* nStride, int* cStride,
                                       int* hStride, int* wStride) {
  return entry(
      "mudnnGetTensor4dDescriptor",
      [&] {
        if (!tensorDesc || !tensorDesc->isSet || tensorDesc->shape.rank < 4) return MUDNN_STATUS_BAD_PARAM;
        if (dataType) *dataType = tensorDesc->type;
        const Array& shape = tensorDesc->shape;
        int* const sizes[] = {n, c, h, w};
        int* const strides[] = {nStride, cStride, hStride, wStride};
        for (size_t i = 0; i < 4; ++i) {
          put(sizes[i], shape.sizes[i]);
          put(strides[i], shape.strides[i]);
        }
        return MUDNN_STATUS_SUCCESS;
      },
      tensorDesc);
}

MUDNN_ENTRY mudnnSetTensorNdDescriptor(mudnnTensorDescriptor_t tensorDesc, mudnnDataType_t dataType,
                                       int nbDims, const int* dimA, const int* strideA) {
  return entry(
      "mudnnSetTensorNdDescriptor",
      [&] {
        if (!tensorDesc || !dimA || !strideA || !isTypeOfTensor(dataType) || nbDims < 2)
          return MUDNN_STATUS_BAD_PARAM;
        if (nbDims > MUDNN_DIM_MAX) return MUDNN_STATUS_NOT_SUPPORTED;
        if (!arePositive(nbDims, dimA) || std::count(strideA, strideA + nbDims, 0) > 0)
          return MUDNN_STATUS_BAD_PARAM;
        Array shape = laidOut(MUDNN_TENSOR_NCHW, nbDims, dimA);
        std::copy_n(strideA, nbDims, shape.strides.begin());
        return setTensor(tensorDesc, dataType, shape);
      },
      tensorDesc, dataType, nbDims, dimA, strideA);
}

MUDNN_ENTRY mudnnSetTensorNdDescriptorEx(mudnnTensorDescriptor_t tensorDesc, mudnnTensorFormat_t format,
                                         mudnnDataType_t dataType, int nbDims, const int* dimA) {
  return entry(
      "mudnnSetTensorNdDescriptorEx",
      [&] {
        if (!tensorDesc || !dimA || !isFormat(format) || !isTypeOfTensor(dataType) || nbDims < 2)
          return MUDNN_STATUS_BAD_PARAM;
        if (nbDims > MUDNN_DIM_MAX) return MUDNN_STATUS_NOT_SUPPORTED;
        if (!arePositive(nbDims, dimA) || !fits(format, dataType, dimA)) return MUDNN_STATUS_BAD_PARAM;
        return setTensor(tensorDesc, dataType, inVectors(format, dataType, laidOut(format, nbDims, dimA)));
      },
      tensorDesc, format, dataType, nbDims, dimA);
}

MUDNN_ENTRY mudnnGetTensorNdDescriptor(const mudnnTensorDescriptor_t tensorDesc, int nbDimsRequested,
                                       mudnnDataType_t* dataType, int* nbDims, int* dimA, int* strideA) {
  return entry(
      "mudnnGetTensorNdDescriptor",
      [&] {
        if (!tensorDesc || nbDimsRequested < 0) return MUDNN_STATUS_BAD_PARAM;
        const Array& shape = tensorDesc->shape;
        if (dataType) *dataType = tensorDesc->type;
        put(nbDims, shape.rank);
        for (int i = 0; i < std::min(nbDimsRequested, shape.rank); ++i) {
          if (dimA) dimA[i] = static_cast<int>(shape.sizes[static_cast<size_t>(i)]);
          if (strideA) strideA[i] = static_cast<int>(shape.strides[static_cast<size_t>(i)]);
        }
        return MUDNN_STATUS_SUCCESS;
      },
      tensorDesc, nbDimsRequested);
}

MUDNN_ENTRY mudnnGetTensorSizeInBytes(const mudnnTensorDescriptor_t tensorDesc, size_t* size) {
  return entry(
      "mudnnGetTensorSizeInBytes",
      [&] {
        if (!tensorDesc || !size) return MUDNN_STATUS_BAD_PARAM;
        const Array& shape = tensorDesc->shape;
        if (!tensorDesc->isSet || isVector(tensorDesc->type)) {
          *size = tensorDesc->isSet ? static_cast<size_t>(shape.count()) : 0;
          return MUDNN_STATUS_SUCCESS;
        }
        int64_t last = 0;
        for (size_t i = 0; i < static_cast<size_t>(shape.rank); ++i)
          last += (shape.sizes[i] - 1) * shape.strides[i];
        *size = static_cast<size_t>(last + 1) * bytesOf(tensorDesc->type);
        return MUDNN_STATUS_SUCCESS;
      },
      tensorDesc, size);
}

MUDNN_ENTRY mudnnSetFilter4dDescriptor(mudnnFilterDescriptor_t filterDesc, mudnnDataType_t dataType,
                                       mudnnTensorFormat_t format, int k, int c, int h, int w) {
  const int sizes[] = {k, c, h, w};
  return entry(
      "mudnnSetFilter4dDescriptor", [&] { return setFilter(filterDesc, dataType, format, 4, sizes); },
      filterDesc, dataType, format, k, c, h, w);
}

MUDNN_ENTRY mudnnGetFilter4dDescriptor(const mudnnFilterDescriptor_t filterDesc, mudnnDataType_t* dataType,
                                       mudnnTensorFormat_t* format, int* k, int* c, int* h, int* w) {
  return entry(
      "mudnnGetFilter4dDescriptor",
      [&] {
        if (!filterDesc || !filterDesc->isSet || filterDesc->shape.rank < 4) return MUDNN_STATUS_BAD_PARAM;
        if (dataType) *dataType = filterDesc->type;
        if (format) *format = filterDesc->format;
        int* const sizes[] = {k, c, h, w};
        for (size_t i = 0; i < 4; ++i) put(sizes[i], filterDesc->shape.sizes[i]);
        return MUDNN_STATUS_SUCCESS;
      },
      filterDesc);
}

MUDNN_ENTRY mudnnSetFilterNdDescriptor(mudnnFilterDescriptor_t filterDesc, mudnnDataType_t dataType,
                                       mudnnTensorFormat_t format, int nbDims, const int* filterDimA) {
  return entry(
      "mudnnSetFilterNdDescriptor",
      [&] { return setFilter(filterDesc, dataType, format, nbDims, filterDimA); }, filterDesc, dataType,
      format, nbDims, filterDimA);
}

MUDNN_ENTRY mudnnGetFilterNdDescriptor(const mudnnFilterDescriptor_t filterDesc, int nbDimsRequested,
                                       mudnnDataType_t* dataType, mudnnTensorFormat_t* format, int* nbDims,
                                       int* filterDimA) {
  return entry(
      "mudnnGetFilterNdDescriptor",
      [&] {
        if (!filterDesc || !filterDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        if (nbDimsRequested < 0 || nbDimsRequested > MUDNN_DIM_MAX) return MUDNN_STATUS_NOT_SUPPORTED;
        if (dataType) *dataType = filterDesc->type;
        if (format) *format = filterDesc->format;
        put(nbDims, filterDesc->shape.rank);
        for (int i = 0; filterDimA && i < std::min(nbDimsRequested, filterDesc->shape.rank); ++i)
          filterDimA[i] = static_cast<int>(filterDesc->shape.sizes[static_cast<size_t>(i)]);
        return MUDNN_STATUS_SUCCESS;
      },
      filterDesc, nbDimsRequested);
}

MUDNN_ENTRY mudnnGetFilterSizeInBytes(const mudnnFilterDescriptor_t filterDesc, size_t* size) {
  return entry(
      "mudnnGetFilterSizeInBytes",
      [&] {
        if (!filterDesc || !filterDesc->isSet || !size) return MUDNN_STATUS_BAD_PARAM;
        *size = static_cast<size_t>(filterDesc->shape.count()) * bytesOf(filterDesc->type);
        return MUDNN_STATUS_SUCCESS;
      },
      filterDesc, size);
}

}  // extern "C"
