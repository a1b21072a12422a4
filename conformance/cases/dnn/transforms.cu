// links: cudnn
// Transforms by a descriptor: padding, folding, to the other layout; images to columns; the spatial
// transformer.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.transforms");

static const float kOne = 1, kZero = 0;

static void described(cudnnHandle_t handle) {
  cudnnTensorTransformDescriptor_t transform = nullptr;
  STATUS("create", cudnnCreateTensorTransformDescriptor(&transform));
  const int32_t none[4] = {0, 0, 0, 0}, before[4] = {0, 1, 0, 0}, after[4] = {0, 0, 1, 0};
  const uint32_t ones[4] = {1, 1, 1, 1}, folds[2] = {2, 2};
  const auto run = [&](const std::string& key, cudnnTensorFormat_t format, const int32_t* padBefore,
                       const int32_t* padAfter, const uint32_t* fold, cudnnFoldingDirection_t direction) {
    STATUS(key + ".set",
           cudnnSetTensorTransformDescriptor(transform, 4, format, padBefore, padAfter, fold, direction));
    const Tensor x(CUDNN_DATA_FLOAT, 1, 4, 4, 4);
    const Tensor y;
    size_t bytes = 0;
    const cudnnStatus_t status = cudnnInitTransformDest(transform, x, y, &bytes);
    OBSERVE(key + ".destination", code(status));
    if (status != CUDNN_STATUS_SUCCESS) return;
    int sizes[4] = {}, strides[4] = {}, rank = 0;
    cudnnDataType_t type = CUDNN_DATA_HALF;
    SETUP_DNN(cudnnGetTensorNdDescriptor(y, 4, &type, &rank, sizes, strides));
    OBSERVE(key + ".destination.is",
            numbers(sizes, 4) + " / " + numbers(strides, 4) + " bytes " + std::to_string(bytes));
    DeviceValues<float> a(wholes<float>(64, 1, -9, 9)), b(std::vector<float>(bytes / 4, 0));
    STATUS(key, cudnnTransformTensorEx(handle, transform, &kOne, x, a, &kZero, y, b));
    OBSERVE(key + ".is", rounded(b, 5));
  };
  run("layout", CUDNN_TENSOR_NHWC, nullptr, nullptr, nullptr, CUDNN_TRANSFORM_FOLD);
  run("nothing", CUDNN_TENSOR_NCHW, none, none, ones, CUDNN_TRANSFORM_FOLD);
  run("padded", CUDNN_TENSOR_NCHW, before, after, nullptr, CUDNN_TRANSFORM_FOLD);
  run("pads_kept", CUDNN_TENSOR_NCHW, nullptr, nullptr, ones, CUDNN_TRANSFORM_FOLD);
  run("folded", CUDNN_TENSOR_NCHW, none, none, folds, CUDNN_TRANSFORM_FOLD);
  run("unfolded", CUDNN_TENSOR_NCHW, none, none, folds, CUDNN_TRANSFORM_UNFOLD);
  run("folds_kept", CUDNN_TENSOR_NCHW, none, none, nullptr, CUDNN_TRANSFORM_FOLD);
  const int32_t aside[4] = {0, 0, 1, 0};
  run("folded_with_pads", CUDNN_TENSOR_NCHW, aside, after, folds, CUDNN_TRANSFORM_FOLD);
  STATUS("destroy", cudnnDestroyTensorTransformDescriptor(transform));
}

static void columns(cudnnHandle_t handle) {
  const Tensor x(CUDNN_DATA_FLOAT, 1, 2, 3, 3);
  DeviceValues<float> a(wholes<float>(18, 1, -9, 9)), b(std::vector<float>(2 * 4 * 4, 0));
  STATUS("columns",
         cudnnIm2Col(handle, x, a, Filter(CUDNN_DATA_FLOAT, 1, 2, 2, 2), ConvolutionOf(0, 1, 1), b));
  OBSERVE("columns.is", rounded(b, 5));
}

static void spatial(cudnnHandle_t handle) {
  cudnnSpatialTransformerDescriptor_t descriptor = nullptr;
  STATUS("spatial.create", cudnnCreateSpatialTransformerDescriptor(&descriptor));
  const int sizes[4] = {1, 2, 3, 4}, cube[5] = {1, 2, 3, 4, 5};
  STATUS("spatial.rank5", cudnnSetSpatialTransformerNdDescriptor(descriptor, CUDNN_SAMPLER_BILINEAR,
                                                                 CUDNN_DATA_FLOAT, 5, cube));
  STATUS("spatial.type", cudnnSetSpatialTransformerNdDescriptor(
                             descriptor, static_cast<cudnnSamplerType_t>(5), CUDNN_DATA_FLOAT, 4, sizes));
  STATUS("spatial.set", cudnnSetSpatialTransformerNdDescriptor(descriptor, CUDNN_SAMPLER_BILINEAR,
                                                               CUDNN_DATA_FLOAT, 4, sizes));
  DeviceValues<float> theta(std::vector<float>{0.5f, 0.25f, 0.125f, -0.25f, 0.75f, -0.125f}),
      grid(std::vector<float>(24, 0));
  STATUS("spatial.grid", cudnnSpatialTfGridGeneratorForward(handle, descriptor, theta, grid));
  OBSERVE("spatial.grid.is", rounded(grid));
  const Tensor x(CUDNN_DATA_FLOAT, 1, 2, 5, 5), y(CUDNN_DATA_FLOAT, 1, 2, 3, 4);
  DeviceValues<float> dataX(wholes<float>(50, 1)), dataY(std::vector<float>(24, 0)), dy(wholes<float>(24, 2)),
      dx(std::vector<float>(50, 0)), dGrid(std::vector<float>(24, 0)), dTheta(std::vector<float>(6, 0));
  STATUS("spatial.sample",
         cudnnSpatialTfSamplerForward(handle, descriptor, &kOne, x, dataX, grid, &kZero, y, dataY));
  OBSERVE("spatial.sample.is", rounded(dataY));
  STATUS("spatial.sample_backward", cudnnSpatialTfSamplerBackward(handle, descriptor, &kOne, x, dataX, &kZero,
                                                                  x, dx, &kOne, y, dy, grid, &kZero, dGrid));
  OBSERVE("spatial.sample_backward.dx", rounded(dx, 4));
  OBSERVE("spatial.sample_backward.grid", rounded(dGrid, 4));
  STATUS("spatial.grid_backward", cudnnSpatialTfGridGeneratorBackward(handle, descriptor, dGrid, dTheta));
  OBSERVE("spatial.grid_backward.is", rounded(dTheta, 4));
  STATUS("spatial.destroy", cudnnDestroySpatialTransformerDescriptor(descriptor));
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  described(handle);
  columns(handle);
  spatial(handle);
}
