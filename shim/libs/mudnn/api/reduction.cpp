// mudnnReduceTensor and its descriptor.
#include <cmath>
#include <limits>

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/reduce.h"

struct mudnnReduceTensorStruct {
  bool isSet = false;
  mudnnReduceTensorOp_t op = MUDNN_REDUCE_TENSOR_ADD;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  mudnnNanPropagation_t nan = MUDNN_NOT_PROPAGATE_NAN;
  mudnnReduceTensorIndices_t indices = MUDNN_REDUCE_TENSOR_NO_INDICES;
  mudnnIndicesType_t indicesType = MUDNN_32BIT_INDICES;
};

using namespace musashim::mudnn;
using Mode = musa::dnn::Reduce::Mode;

namespace {

Reduction reductionOf(mudnnReduceTensorOp_t op) {
  switch (op) {
    case MUDNN_REDUCE_TENSOR_ADD:
      return {Mode::ADD, {}};
    case MUDNN_REDUCE_TENSOR_MIN:
      return {Mode::MIN, {}};
    case MUDNN_REDUCE_TENSOR_MAX:
    case MUDNN_REDUCE_TENSOR_AMAX:  // of magnitudes
      return {Mode::MAX, {}};
    case MUDNN_REDUCE_TENSOR_AVG:
      return {Mode::MEAN, {}};
    case MUDNN_REDUCE_TENSOR_NORM1:
      return {Mode::NORM, {}, 1};
    case MUDNN_REDUCE_TENSOR_NORM2:
      return {Mode::NORM, {}, 2};
    default:
      return {Mode::PROD, {}};
  }
}

bool hasIndices(const mudnnReduceTensorStruct& descriptor) {
  return descriptor.indices == MUDNN_REDUCE_TENSOR_FLATTENED_INDICES &&
         (descriptor.op == MUDNN_REDUCE_TENSOR_MIN || descriptor.op == MUDNN_REDUCE_TENSOR_MAX ||
          descriptor.op == MUDNN_REDUCE_TENSOR_AMAX);
}

// Elements as the operation takes them: magnitudes, or ones for zeros.
Work prepared(mudnnReduceTensorOp_t op, const Array& to, const Array& from) {
  return [=] {
    std::vector<double> values(static_cast<size_t>(from.count()));
    readPart(from, 0, from.count(), values.data());
    for (double& value : values)
      value = op == MUDNN_REDUCE_TENSOR_AMAX ? std::abs(value) : (value == 0 ? 1 : value);
    writePart(to, 0, to.count(), values.data());
  };
}

void check(const mudnnReduceTensorStruct* descriptor, const Array& a, const Array& c) {
  require(descriptor && descriptor->isSet, "the reduction's descriptor is missing or was never set");
  require(a.rank == c.rank, "A and C have different numbers of dimensions");
  bool reduces = false;
  for (size_t i = 0; i < static_cast<size_t>(a.rank); ++i) {
    require(c.sizes[i] == 1 || c.sizes[i] == a.sizes[i], "C's sizes are A's, or 1 where A is reduced");
    reduces = reduces || c.sizes[i] != a.sizes[i];
  }
  require(reduces, "nothing is reduced");
}

size_t indicesSize(const mudnnReduceTensorStruct& descriptor, const Array& c) {
  return hasIndices(descriptor) ? static_cast<size_t>(c.count()) * sizeof(int32_t) : 0;
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(ReduceTensor)

MUDNN_ENTRY mudnnSetReduceTensorDescriptor(mudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           mudnnReduceTensorOp_t reduceTensorOp,
                                           mudnnDataType_t reduceTensorCompType,
                                           mudnnNanPropagation_t reduceTensorNanOpt,
                                           mudnnReduceTensorIndices_t reduceTensorIndices,
                                           mudnnIndicesType_t reduceTensorIndicesType) {
  return entry(
      "mudnnSetReduceTensorDescriptor",
      [&] {
        if (!reduceTensorDesc || reduceTensorOp < MUDNN_REDUCE_TENSOR_ADD ||
            reduceTensorOp > MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS ||
            reduceTensorNanOpt < MUDNN_NOT_PROPAGATE_NAN || reduceTensorNanOpt > MUDNN_PROPAGATE_NAN ||
            !isType(reduceTensorCompType) || reduceTensorIndices < MUDNN_REDUCE_TENSOR_NO_INDICES ||
            reduceTensorIndices > MUDNN_REDUCE_TENSOR_FLATTENED_INDICES ||
            reduceTensorIndicesType < MUDNN_32BIT_INDICES || reduceTensorIndicesType > MUDNN_8BIT_INDICES)
          return MUDNN_STATUS_BAD_PARAM;
        *reduceTensorDesc = {true,
                             reduceTensorOp,
                             reduceTensorCompType,
                             reduceTensorNanOpt,
                             reduceTensorIndices,
                             reduceTensorIndicesType};
        return MUDNN_STATUS_SUCCESS;
      },
      reduceTensorDesc, reduceTensorOp, reduceTensorCompType, reduceTensorNanOpt, reduceTensorIndices,
      reduceTensorIndicesType);
}

MUDNN_ENTRY mudnnGetReduceTensorDescriptor(const mudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           mudnnReduceTensorOp_t* reduceTensorOp,
                                           mudnnDataType_t* reduceTensorCompType,
                                           mudnnNanPropagation_t* reduceTensorNanOpt,
                                           mudnnReduceTensorIndices_t* reduceTensorIndices,
                                           mudnnIndicesType_t* reduceTensorIndicesType) {
  return entry(
      "mudnnGetReduceTensorDescriptor",
      [&] {
        if (!reduceTensorDesc || !reduceTensorDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        if (reduceTensorOp) *reduceTensorOp = reduceTensorDesc->op;
        if (reduceTensorCompType) *reduceTensorCompType = reduceTensorDesc->type;
        if (reduceTensorNanOpt) *reduceTensorNanOpt = reduceTensorDesc->nan;
        if (reduceTensorIndices) *reduceTensorIndices = reduceTensorDesc->indices;
        if (reduceTensorIndicesType) *reduceTensorIndicesType = reduceTensorDesc->indicesType;
        return MUDNN_STATUS_SUCCESS;
      },
      reduceTensorDesc);
}

MUDNN_ENTRY mudnnGetReductionIndicesSize(mudnnHandle_t handle,
                                         const mudnnReduceTensorDescriptor_t reduceTensorDesc,
                                         const mudnnTensorDescriptor_t aDesc,
                                         const mudnnTensorDescriptor_t cDesc, size_t* sizeInBytes) {
  return entry(
      "mudnnGetReductionIndicesSize",
      [&] {
        if (!isHandle(handle) || !sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        const Array c = shapeOf(cDesc);
        check(reduceTensorDesc, shapeOf(aDesc), c);
        *sizeInBytes = indicesSize(*reduceTensorDesc, c);
        return MUDNN_STATUS_SUCCESS;
      },
      handle, reduceTensorDesc, aDesc, cDesc, sizeInBytes);
}

MUDNN_ENTRY mudnnGetReductionWorkspaceSize(mudnnHandle_t handle,
                                           const mudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           const mudnnTensorDescriptor_t aDesc,
                                           const mudnnTensorDescriptor_t cDesc, size_t* sizeInBytes) {
  return entry(
      "mudnnGetReductionWorkspaceSize",
      [&] {
        if (!isHandle(handle) || !sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        check(reduceTensorDesc, shapeOf(aDesc), shapeOf(cDesc));
        *sizeInBytes = 0;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, reduceTensorDesc, aDesc, cDesc, sizeInBytes);
}

MUDNN_ENTRY mudnnReduceTensor(mudnnHandle_t handle, const mudnnReduceTensorDescriptor_t reduceTensorDesc,
                              void* indices, size_t indicesSizeInBytes, void* workspace,
                              size_t workspaceSizeInBytes, const void* alpha,
                              const mudnnTensorDescriptor_t aDesc, const void* A, const void* beta,
                              const mudnnTensorDescriptor_t cDesc, void* C) {
  return work(
      "mudnnReduceTensor", handle,
      [&]() -> Work {
        const Array a = tensor(aDesc, A), c = tensor(cDesc, C);
        check(reduceTensorDesc, a, c);
        const double first = factor(alpha, c), second = factor(beta, c);
        Array places;
        if (hasIndices(*reduceTensorDesc)) {
          requireSupport(reduceTensorDesc->indicesType == MUDNN_32BIT_INDICES, "indices have 32 bits");
          require(indices && indicesSizeInBytes >= indicesSize(*reduceTensorDesc, c),
                  "there is no room for the indices");
          places = contiguousArray(Element::kUint32, indices, c.rank, c.sizes.data());
        }
        Reduction reduction = reductionOf(reduceTensorDesc->op);
        for (int i = 0; i < a.rank; ++i)
          if (c.sizes[static_cast<size_t>(i)] != a.sizes[static_cast<size_t>(i)]) reduction.axes.push_back(i);
        Array in = a;
        const bool prepares = reduceTensorDesc->op == MUDNN_REDUCE_TENSOR_AMAX ||
                              reduceTensorDesc->op == MUDNN_REDUCE_TENSOR_MUL_NO_ZEROS;
        std::shared_ptr<double[]> memory;
        Work before = [] {};
        if (prepares) {
          memory.reset(new double[static_cast<size_t>(a.count())]);
          in = contiguousArray(Element::kDouble, memory.get(), a.rank, a.sizes.data());
          before = prepared(reduceTensorDesc->op, in, a);
        }
        // Nothing is reduced: rows of one.
        if (reduction.axes.empty()) {
          ++in.rank;
          require(in.rank <= kMaxRank, "there is no dimension to reduce");
          in.sizes[static_cast<size_t>(in.rank - 1)] = in.strides[static_cast<size_t>(in.rank - 1)] = 1;
          reduction.axes.push_back(in.rank - 1);
        }
        const Work reduces =
            blended(first, second, c, [&](const Array& out) { return reduce(reduction, out, places, in); });
        return [before, reduces, memory] {
          before();
          reduces();
        };
      },
      reduceTensorDesc, indices, indicesSizeInBytes, workspace, workspaceSizeInBytes, alpha, aDesc, A, beta,
      cDesc, C);
}

}  // extern "C"
