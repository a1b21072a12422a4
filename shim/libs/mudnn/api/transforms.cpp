// Transforms by a descriptor (padding, folding, another format), images to columns, the spatial transformer.
#include <algorithm>

#include "libs/mudnn/api/convolution.h"
#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/sequences/spatial.h"

struct mudnnTensorTransformStruct {
  bool isSet = false;
  int rank = 0;
  mudnnTensorFormat_t format = MUDNN_TENSOR_NCHW;
  int32_t before[MUDNN_DIM_MAX] = {}, after[MUDNN_DIM_MAX] = {};
  uint32_t fold[MUDNN_DIM_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
  mudnnFoldingDirection_t direction = MUDNN_TRANSFORM_FOLD;
};
struct mudnnSpatialTransformerStruct {
  bool isSet = false;
  musashim::mudnn::Element element = musashim::mudnn::Element::kFloat;
  int rank = 4, sizes[5] = {};  // nothing computes with 5
};

using namespace musashim::mudnn;

namespace {

TensorTransform transformOf(mudnnTensorTransformDescriptor_t descriptor, const Array& from) {
  require(descriptor && descriptor->isSet && descriptor->rank == from.rank,
          "the transform's descriptor is missing, was never set or has another number of dimensions");
  TensorTransform transform;
  transform.unfolds = descriptor->direction == MUDNN_TRANSFORM_UNFOLD;
  for (size_t i = 0; i < static_cast<size_t>(from.rank); ++i) {
    transform.before[i] = descriptor->before[i];
    transform.after[i] = descriptor->after[i];
    transform.fold[i] = i < 2 ? 1 : descriptor->fold[i - 2];
  }
  return transform;
}

SpatialGrid gridOf(mudnnSpatialTransformerDescriptor_t d) {
  require(d && d->isSet, "the spatial transformer's descriptor is missing or was never set");
  requireSupport(d->rank == 4, "grids are of 2 dimensions");
  return {d->element, d->sizes[0], d->sizes[2], d->sizes[3]};
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(TensorTransform)
MUDNN_DESCRIPTOR(SpatialTransformer)

MUDNN_ENTRY mudnnSetTensorTransformDescriptor(mudnnTensorTransformDescriptor_t transformDesc,
                                              const uint32_t nbDims, const mudnnTensorFormat_t destFormat,
                                              const int32_t* padBeforeA, const int32_t* padAfterA,
                                              const uint32_t* foldA,
                                              const mudnnFoldingDirection_t direction) {
  return entry(
      "mudnnSetTensorTransformDescriptor",
      [&] {
        if (!transformDesc || nbDims < 3 || nbDims > MUDNN_DIM_MAX || destFormat < MUDNN_TENSOR_NCHW ||
            destFormat > MUDNN_TENSOR_NHWC || direction > MUDNN_TRANSFORM_UNFOLD)
          return MUDNN_STATUS_BAD_PARAM;
        // What is not given stays as it was.
        mudnnTensorTransformStruct value = *transformDesc;
        value.isSet = true;
        value.rank = static_cast<int>(nbDims);
        value.format = destFormat;
        value.direction = direction;
        for (uint32_t i = 0; i < nbDims; ++i) {
          if (padBeforeA) value.before[i] = padBeforeA[i];
          if (padAfterA) value.after[i] = padAfterA[i];
          if (foldA) value.fold[i] = i < nbDims - 2 ? foldA[i] : 1;
          if (value.before[i] < 0 || value.after[i] < 0 || value.fold[i] < 1) return MUDNN_STATUS_BAD_PARAM;
        }
        *transformDesc = value;
        return MUDNN_STATUS_SUCCESS;
      },
      transformDesc, nbDims, destFormat, direction);
}

MUDNN_ENTRY mudnnGetTensorTransformDescriptor(mudnnTensorTransformDescriptor_t transformDesc,
                                              uint32_t nbDimsRequested, mudnnTensorFormat_t* destFormat,
                                              int32_t* padBeforeA, int32_t* padAfterA, uint32_t* foldA,
                                              mudnnFoldingDirection_t* direction) {
  return entry(
      "mudnnGetTensorTransformDescriptor",
      [&] {
        if (!transformDesc || !transformDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        const auto rank = static_cast<uint32_t>(transformDesc->rank);
        if (destFormat) *destFormat = transformDesc->format;
        if (direction) *direction = transformDesc->direction;
        for (uint32_t i = 0; i < std::min(nbDimsRequested, rank); ++i) {
          if (padBeforeA) padBeforeA[i] = transformDesc->before[i];
          if (padAfterA) padAfterA[i] = transformDesc->after[i];
          if (foldA && i < rank - 2) foldA[i] = transformDesc->fold[i];
        }
        return MUDNN_STATUS_SUCCESS;
      },
      transformDesc, nbDimsRequested);
}

MUDNN_ENTRY mudnnInitTransformDest(const mudnnTensorTransformDescriptor_t transformDesc,
                                   const mudnnTensorDescriptor_t srcDesc, mudnnTensorDescriptor_t destDesc,
                                   size_t* destSizeInBytes) {
  return entry(
      "mudnnInitTransformDest",
      [&] {
        if (!destDesc || !destSizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        const Array from = shapeOf(srcDesc);
        const Dims sizes = sizesAfter(transformOf(transformDesc, from), from);
        int all[MUDNN_DIM_MAX];
        for (int i = 0; i < from.rank; ++i) all[i] = static_cast<int>(sizes[static_cast<size_t>(i)]);
        const mudnnStatus_t status =
            mudnnSetTensorNdDescriptorEx(destDesc, transformDesc->format, srcDesc->type, from.rank, all);
        return status ? status : mudnnGetTensorSizeInBytes(destDesc, destSizeInBytes);
      },
      transformDesc, srcDesc, destDesc);
}

MUDNN_ENTRY mudnnTransformTensorEx(mudnnHandle_t handle, const mudnnTensorTransformDescriptor_t transDesc,
                                   const void* alpha, const mudnnTensorDescriptor_t srcDesc,
                                   const void* srcData, const void* beta,
                                   const mudnnTensorDescriptor_t destDesc, void* destData) {
  return work(
      "mudnnTransformTensorEx", handle,
      [&] {
        const Array from = tensor(srcDesc, srcData), to = tensor(destDesc, destData);
        return blended(factor(alpha, to), factor(beta, to), to, [&](const Array& result) {
          return transformed(transformOf(transDesc, from), result, from);
        });
      },
      transDesc, alpha, srcDesc, srcData, beta, destDesc, destData);
}
MUDNN_ENTRY mudnnTransformFilter(mudnnHandle_t handle, const mudnnTensorTransformDescriptor_t transDesc,
                                 const void* alpha, const mudnnFilterDescriptor_t srcDesc,
                                 const void* srcData, const void* beta,
                                 const mudnnFilterDescriptor_t destDesc, void* destData) {
  return work(
      "mudnnTransformFilter", handle,
      [&] {
        const Array from = filter(srcDesc, srcData), to = filter(destDesc, destData);
        return blended(factor(alpha, to), factor(beta, to), to, [&](const Array& result) {
          return transformed(transformOf(transDesc, from), result, from);
        });
      },
      transDesc, alpha, srcDesc, srcData, beta, destDesc, destData);
}

MUDNN_ENTRY mudnnIm2Col(mudnnHandle_t handle, const mudnnTensorDescriptor_t xDesc, const void* x,
                        const mudnnFilterDescriptor_t wDesc, const mudnnConvolutionDescriptor_t convDesc,
                        void* colBuffer) {
  return work(
      "mudnnIm2Col", handle,
      [&] {
        require(convDesc && !convDesc->pads.empty() && colBuffer,
                "the convolution or the columns are missing");
        return imageToColumns({convDesc->pads, convDesc->strides, convDesc->dilations}, colBuffer,
                              tensor(xDesc, x), shapeOf(wDesc));
      },
      xDesc, x, wDesc, convDesc, colBuffer);
}

MUDNN_ENTRY mudnnSetSpatialTransformerNdDescriptor(mudnnSpatialTransformerDescriptor_t stDesc,
                                                   mudnnSamplerType_t samplerType, mudnnDataType_t dataType,
                                                   const int nbDims, const int* dimA) {
  return entry(
      "mudnnSetSpatialTransformerNdDescriptor",
      [&] {
        if (!stDesc || !dimA || samplerType != MUDNN_SAMPLER_BILINEAR) return MUDNN_STATUS_BAD_PARAM;
        if (nbDims != 4 && nbDims != 5) return MUDNN_STATUS_NOT_SUPPORTED;
        mudnnSpatialTransformerStruct value;
        value.rank = nbDims;
        for (int i = 0; i < nbDims; ++i) {
          if (dimA[i] < 1) return MUDNN_STATUS_BAD_PARAM;
          value.sizes[i] = dimA[i];
        }
        value.element = elementOf(dataType);
        if (!isFloating(value.element)) return MUDNN_STATUS_BAD_PARAM;
        value.isSet = true;
        *stDesc = value;
        return MUDNN_STATUS_SUCCESS;
      },
      stDesc, samplerType, dataType, nbDims, dimA);
}

MUDNN_ENTRY mudnnSpatialTfGridGeneratorForward(mudnnHandle_t handle,
                                               const mudnnSpatialTransformerDescriptor_t stDesc,
                                               const void* theta, void* grid) {
  return work(
      "mudnnSpatialTfGridGeneratorForward", handle,
      [&] {
        require(theta && grid, "theta or the grid has no memory");
        return spatialGrid(gridOf(stDesc), theta, grid);
      },
      stDesc, theta, grid);
}
MUDNN_ENTRY mudnnSpatialTfGridGeneratorBackward(mudnnHandle_t handle,
                                                const mudnnSpatialTransformerDescriptor_t stDesc,
                                                const void* dgrid, void* dtheta) {
  return work(
      "mudnnSpatialTfGridGeneratorBackward", handle,
      [&] {
        require(dgrid && dtheta, "a gradient has no memory");
        return spatialGridBackward(gridOf(stDesc), dgrid, dtheta);
      },
      stDesc, dgrid, dtheta);
}

MUDNN_ENTRY mudnnSpatialTfSamplerForward(mudnnHandle_t handle, mudnnSpatialTransformerDescriptor_t stDesc,
                                         const void* alpha, const mudnnTensorDescriptor_t xDesc,
                                         const void* x, const void* grid, const void* beta,
                                         mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnSpatialTfSamplerForward", handle,
      [&] {
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        require(grid, "the grid has no memory");
        return spatialSample(gridOf(stDesc), {in, out, grid, factor(alpha, out), factor(beta, out)});
      },
      stDesc, alpha, xDesc, x, grid, beta, yDesc, y);
}
MUDNN_ENTRY mudnnSpatialTfSamplerBackward(mudnnHandle_t handle, mudnnSpatialTransformerDescriptor_t stDesc,
                                          const void* alpha, const mudnnTensorDescriptor_t xDesc,
                                          const void* x, const void* beta,
                                          const mudnnTensorDescriptor_t dxDesc, void* dx,
                                          const void* alphaDgrid, const mudnnTensorDescriptor_t dyDesc,
                                          const void* dy, const void* grid, const void* betaDgrid,
                                          void* dgrid) {
  return work(
      "mudnnSpatialTfSamplerBackward", handle,
      [&] {
        const Array in = tensor(xDesc, x), gradIn = tensor(dxDesc, dx), gradOut = tensor(dyDesc, dy);
        require(grid && dgrid, "the grid or its gradient has no memory");
        require(in.sameSizes(gradIn), "the gradient has other sizes than the input");
        return spatialSampleBackward(gridOf(stDesc),
                                     {in, gradOut, grid, factor(alpha, gradIn), factor(beta, gradIn)}, gradIn,
                                     dgrid, factor(alphaDgrid, gradIn), factor(betaDgrid, gradIn));
      },
      stDesc, alpha, xDesc, x, beta, dxDesc, dx, alphaDgrid, dyDesc, dy, grid, betaDgrid, dgrid);
}

}  // extern "C"
