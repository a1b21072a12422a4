// Threads with handles, streams and memory of their own run layers at once; what they get is what one thread
// got before. Arguments: how many threads, and for how many seconds. Ends with 1 when a result was wrong.
#include <mudnn.h>
#include <musa_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(mudnnStatus_t status, const char* what) {
  if (status == MUDNN_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: %s\n", what, mudnnGetErrorString(status));
  std::_Exit(2);
}
void check(musaError_t error, const char* what) {
  if (error == musaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, musaGetErrorString(error));
  std::_Exit(2);
}

constexpr size_t kRoom = size_t{1} << 18;  // floats of an array
constexpr int kArrays = 6;

// What a thread has. Arrays 0 to 2 are inputs, the others are written.
struct Own {
  Own() {
    check(mudnnCreate(&handle), "mudnnCreate");
    check(musaStreamCreate(&stream), "musaStreamCreate");
    check(mudnnSetStream(handle, stream), "mudnnSetStream");
    for (int i = 0; i < kArrays; ++i) {
      check(musaMalloc(reinterpret_cast<void**>(&arrays[i]), kRoom * sizeof(float)), "musaMalloc");
      std::vector<float> values(kRoom);
      std::mt19937 random(static_cast<unsigned>(i));
      for (float& value : values) value = static_cast<float>(random() % 2001) / 1000 - 1;
      check(musaMemcpy(arrays[i], values.data(), kRoom * sizeof(float), musaMemcpyHostToDevice),
            "musaMemcpy");
    }
  }
  ~Own() {
    for (float* array : arrays) (void)musaFree(array);
    (void)mudnnDestroy(handle);
    (void)musaStreamDestroy(stream);
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;

  std::vector<float> fetch(int array, size_t count) const {
    std::vector<float> values(count);
    check(musaStreamSynchronize(stream), "musaStreamSynchronize");
    check(musaMemcpy(values.data(), arrays[array], count * sizeof(float), musaMemcpyDeviceToHost),
          "musaMemcpy");
    return values;
  }

  mudnnHandle_t handle = nullptr;
  musaStream_t stream = nullptr;
  float* arrays[kArrays] = {};
};

const float kOne = 1, kZero = 0;

struct Tensor {
  Tensor(int n, int c, int h, int w, mudnnTensorFormat_t format = MUDNN_TENSOR_NCHW)
      : count(static_cast<size_t>(n) * static_cast<size_t>(c) * static_cast<size_t>(h) *
              static_cast<size_t>(w)) {
    check(mudnnCreateTensorDescriptor(&descriptor), "mudnnCreateTensorDescriptor");
    check(mudnnSetTensor4dDescriptor(descriptor, format, MUDNN_DATA_FLOAT, n, c, h, w),
          "mudnnSetTensor4dDescriptor");
  }
  ~Tensor() { (void)mudnnDestroyTensorDescriptor(descriptor); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  mudnnTensorDescriptor_t descriptor = nullptr;
  size_t count;
};

struct Layer {
  std::string name;
  std::function<std::vector<float>(Own&)> run;
};

enum class Pass { kForward, kData, kFilter };

std::vector<float> convolve(Own& own, Pass pass, mudnnTensorFormat_t format, int channels, int places,
                            int outputs, int window, int stride, int groups) {
  const int pad = window / 2, out = (places + 2 * pad - window) / stride + 1;
  const Tensor x(2, channels, places, places, format), y(2, outputs, out, out, format);
  mudnnFilterDescriptor_t w = nullptr;
  mudnnConvolutionDescriptor_t how = nullptr;
  check(mudnnCreateFilterDescriptor(&w), "mudnnCreateFilterDescriptor");
  check(mudnnSetFilter4dDescriptor(w, MUDNN_DATA_FLOAT, format, outputs, channels / groups, window, window),
        "mudnnSetFilter4dDescriptor");
  check(mudnnCreateConvolutionDescriptor(&how), "mudnnCreateConvolutionDescriptor");
  check(mudnnSetConvolution2dDescriptor(how, pad, pad, stride, stride, 1, 1, MUDNN_CROSS_CORRELATION,
                                        MUDNN_DATA_FLOAT),
        "mudnnSetConvolution2dDescriptor");
  check(mudnnSetConvolutionGroupCount(how, groups), "mudnnSetConvolutionGroupCount");
  std::vector<float> result;
  switch (pass) {
    case Pass::kForward:
      check(mudnnConvolutionForward(own.handle, &kOne, x.descriptor, own.arrays[0], w, own.arrays[1], how,
                                    MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &kZero,
                                    y.descriptor, own.arrays[3]),
            "mudnnConvolutionForward");
      result = own.fetch(3, y.count);
      break;
    case Pass::kData:
      check(mudnnConvolutionBackwardData(own.handle, &kOne, w, own.arrays[1], y.descriptor, own.arrays[2],
                                         how, MUDNN_CONVOLUTION_BWD_DATA_ALGO_1, nullptr, 0, &kZero,
                                         x.descriptor, own.arrays[3]),
            "mudnnConvolutionBackwardData");
      result = own.fetch(3, x.count);
      break;
    case Pass::kFilter:
      check(mudnnConvolutionBackwardFilter(own.handle, &kOne, x.descriptor, own.arrays[0], y.descriptor,
                                           own.arrays[2], how, MUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, nullptr,
                                           0, &kZero, w, own.arrays[3]),
            "mudnnConvolutionBackwardFilter");
      result = own.fetch(3, static_cast<size_t>(outputs * (channels / groups) * window * window));
  }
  (void)mudnnDestroyFilterDescriptor(w);
  (void)mudnnDestroyConvolutionDescriptor(how);
  return result;
}

std::vector<float> pool(Own& own, mudnnPoolingMode_t mode, bool isGradient) {
  const Tensor x(2, 8, 21, 21), y(2, 8, 11, 11);
  mudnnPoolingDescriptor_t how = nullptr;
  check(mudnnCreatePoolingDescriptor(&how), "mudnnCreatePoolingDescriptor");
  check(mudnnSetPooling2dDescriptor(how, mode, MUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 2, 2),
        "mudnnSetPooling2dDescriptor");
  check(mudnnPoolingForward(own.handle, how, &kOne, x.descriptor, own.arrays[0], &kZero, y.descriptor,
                            own.arrays[3]),
        "mudnnPoolingForward");
  if (isGradient)
    check(
        mudnnPoolingBackward(own.handle, how, &kOne, y.descriptor, own.arrays[3], y.descriptor, own.arrays[1],
                             x.descriptor, own.arrays[0], &kZero, x.descriptor, own.arrays[4]),
        "mudnnPoolingBackward");
  std::vector<float> result = isGradient ? own.fetch(4, x.count) : own.fetch(3, y.count);
  (void)mudnnDestroyPoolingDescriptor(how);
  return result;
}

std::vector<float> soften(Own& own, mudnnSoftmaxAlgorithm_t algorithm, int rows, int length) {
  const Tensor x(rows, length, 1, 1);
  check(mudnnSoftmaxForward(own.handle, algorithm, MUDNN_SOFTMAX_MODE_INSTANCE, &kOne, x.descriptor,
                            own.arrays[0], &kZero, x.descriptor, own.arrays[3]),
        "mudnnSoftmaxForward");
  return own.fetch(3, x.count);
}

std::vector<float> activate(Own& own, mudnnActivationMode_t mode) {
  const Tensor x(3, 5, 40, 40);
  mudnnActivationDescriptor_t how = nullptr;
  check(mudnnCreateActivationDescriptor(&how), "mudnnCreateActivationDescriptor");
  check(mudnnSetActivationDescriptor(how, mode, MUDNN_PROPAGATE_NAN, 1), "mudnnSetActivationDescriptor");
  check(mudnnActivationForward(own.handle, how, &kOne, x.descriptor, own.arrays[0], &kZero, x.descriptor,
                               own.arrays[3]),
        "mudnnActivationForward");
  std::vector<float> result = own.fetch(3, x.count);
  (void)mudnnDestroyActivationDescriptor(how);
  return result;
}

std::vector<float> normalise(Own& own) {
  const Tensor x(4, 16, 13, 13), c(1, 16, 1, 1);
  check(mudnnBatchNormalizationForwardTraining(own.handle, MUDNN_BATCHNORM_SPATIAL, &kOne, &kZero,
                                               x.descriptor, own.arrays[0], x.descriptor, own.arrays[3],
                                               c.descriptor, own.arrays[1], own.arrays[2], 1, own.arrays[4],
                                               own.arrays[5], 1e-5, nullptr, nullptr),
        "mudnnBatchNormalizationForwardTraining");
  return own.fetch(3, x.count);
}

// An LSTM of two layers.
std::vector<float> recur(Own& own) {
  constexpr int kSteps = 7, kBatch = 3, kInputs = 10, kHidden = 12;
  mudnnRNNDescriptor_t how = nullptr;
  mudnnRNNDataDescriptor_t x = nullptr, y = nullptr;
  check(mudnnCreateRNNDescriptor(&how), "mudnnCreateRNNDescriptor");
  check(mudnnSetRNNDescriptor_v8(how, MUDNN_RNN_ALGO_STANDARD, MUDNN_LSTM, MUDNN_RNN_DOUBLE_BIAS,
                                 MUDNN_UNIDIRECTIONAL, MUDNN_LINEAR_INPUT, MUDNN_DATA_FLOAT, MUDNN_DATA_FLOAT,
                                 MUDNN_DEFAULT_MATH, kInputs, kHidden, kHidden, 2, nullptr,
                                 MUDNN_RNN_PADDED_IO_DISABLED),
        "mudnnSetRNNDescriptor_v8");
  const int lengths[kBatch] = {kSteps, kSteps, kSteps};
  float padding = 0;
  for (const auto& [data, vector] : {std::pair{&x, kInputs}, std::pair{&y, kHidden}}) {
    check(mudnnCreateRNNDataDescriptor(data), "mudnnCreateRNNDataDescriptor");
    check(mudnnSetRNNDataDescriptor(*data, MUDNN_DATA_FLOAT, MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, kSteps,
                                    kBatch, vector, lengths, &padding),
          "mudnnSetRNNDataDescriptor");
  }
  const int sizes[3] = {2, kBatch, kHidden}, strides[3] = {kBatch * kHidden, kHidden, 1};
  mudnnTensorDescriptor_t state = nullptr;
  check(mudnnCreateTensorDescriptor(&state), "mudnnCreateTensorDescriptor");
  check(mudnnSetTensorNdDescriptor(state, MUDNN_DATA_FLOAT, 3, sizes, strides), "mudnnSetTensorNdDescriptor");
  size_t weights = 0, work = 0, reserve = 0;
  check(mudnnGetRNNWeightSpaceSize(own.handle, how, &weights), "mudnnGetRNNWeightSpaceSize");
  check(mudnnGetRNNTempSpaceSizes(own.handle, how, MUDNN_FWD_MODE_INFERENCE, x, &work, &reserve),
        "mudnnGetRNNTempSpaceSizes");
  void *space = nullptr, *devLengths = nullptr;
  check(musaMalloc(&space, work + 1), "musaMalloc");
  check(musaMalloc(&devLengths, sizeof lengths), "musaMalloc");
  check(musaMemcpy(devLengths, lengths, sizeof lengths, musaMemcpyHostToDevice), "musaMemcpy");
  check(mudnnRNNForward(own.handle, how, MUDNN_FWD_MODE_INFERENCE, static_cast<const int32_t*>(devLengths), x,
                        own.arrays[0], y, own.arrays[3], state, nullptr, nullptr, state, nullptr, nullptr,
                        weights, own.arrays[1], work, space, 0, nullptr),
        "mudnnRNNForward");
  std::vector<float> result = own.fetch(3, static_cast<size_t>(kSteps * kBatch * kHidden));
  (void)musaFree(space);
  (void)musaFree(devLengths);
  (void)mudnnDestroyTensorDescriptor(state);
  (void)mudnnDestroyRNNDataDescriptor(x);
  (void)mudnnDestroyRNNDataDescriptor(y);
  (void)mudnnDestroyRNNDescriptor(how);
  return result;
}

std::vector<Layer> layers() {
  std::vector<Layer> all;
  for (const Pass pass : {Pass::kForward, Pass::kData, Pass::kFilter})
    for (const auto format : {MUDNN_TENSOR_NCHW, MUDNN_TENSOR_NHWC})
      for (const auto& [channels, places, outputs, window, stride, groups] : {std::tuple{3, 32, 16, 7, 2, 1},
                                                                              {16, 14, 32, 3, 1, 1},
                                                                              {32, 14, 16, 1, 1, 1},
                                                                              {16, 15, 16, 3, 2, 4}}) {
        const auto shape = std::make_tuple(channels, places, outputs, window, stride, groups);
        all.push_back({"convolution " + std::to_string(all.size()), [=](Own& own) {
                         const auto [c, p, o, w, s, g] = shape;
                         return convolve(own, pass, format, c, p, o, w, s, g);
                       }});
      }
  for (const bool isGradient : {false, true}) {
    all.push_back({"maxima", [=](Own& own) { return pool(own, MUDNN_POOLING_MAX, isGradient); }});
    all.push_back({"averages", [=](Own& own) {
                     return pool(own, MUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, isGradient);
                   }});
  }
  for (const int rows : {1, 7, 64}) {
    all.push_back({"softmax", [=](Own& own) { return soften(own, MUDNN_SOFTMAX_ACCURATE, rows, 333); }});
    all.push_back(
        {"logarithms of softmax", [=](Own& own) { return soften(own, MUDNN_SOFTMAX_LOG, rows, 100); }});
  }
  for (const auto mode :
       {MUDNN_ACTIVATION_SIGMOID, MUDNN_ACTIVATION_RELU, MUDNN_ACTIVATION_TANH, MUDNN_ACTIVATION_ELU})
    all.push_back({"activation", [=](Own& own) { return activate(own, mode); }});
  all.push_back({"batch normalisation", normalise});
  all.push_back({"LSTM", recur});
  return all;
}

bool isSame(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= 1e-5F * (1 + std::fabs(b[i])))) return false;
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 4;
  const double seconds = count > 2 ? std::atof(arguments[2]) : 2;
  const std::vector<Layer> all = layers();
  std::vector<std::vector<float>> right;
  {
    Own own;
    for (const Layer& layer : all) {
      right.push_back(layer.run(own));
      if (!isSame(right.back(), right.back()))
        return std::fprintf(stderr, "%s: no numbers\n", layer.name.c_str()), 2;
    }
  }
  std::atomic<long> runs = 0, wrong = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      Own own;
      std::mt19937 random(static_cast<unsigned>(i));
      while (std::chrono::steady_clock::now() < end) {
        const size_t which = random() % all.size();
        ++runs;
        if (isSame(all[which].run(own), right[which])) continue;
        if (++wrong < 20) std::fprintf(stderr, "wrong: %s\n", all[which].name.c_str());
      }
    });
  for (std::thread& worker : workers) worker.join();
  std::printf("%d threads, %.0f s: %zu layers, %ld runs, %ld wrong\n", threads, seconds, all.size(),
              runs.load(), wrong.load());
  return runs > 0 && wrong == 0 ? 0 : 1;
}
