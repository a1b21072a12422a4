// links: cudnn cublas
// A network of the size of MNIST's, trained on digits that are made here: two convolutions with pooling by
// cuDNN, a full layer by cuBLAS, softmax, descent. Losses are observed to fewer digits as steps go by, as
// what differs by rounding grows.
#include <cublas_v2.h>

#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.training");

static const float kOne = 1, kZero = 0, kStep = -0.05f;
static const int kBatch = 64, kClasses = 10, kSide = 28, kSteps = 120;

static void setupBlas(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "setup failed: cuBLAS -> %d\n", static_cast<int>(status));
  _Exit(3);
}
static std::vector<float> zeros(size_t count) { return std::vector<float>(count, 0); }

// Convolution with a bias, ReLU, and a maximum of 2x2.
class Block {
 public:
  Block(cudnnHandle_t handle, int channels, int side, int outputs, int window, int seed)
      : handle_(handle),
        after_(side - window + 1),
        x_(CUDNN_DATA_FLOAT, kBatch, channels, side, side),
        y_(CUDNN_DATA_FLOAT, kBatch, outputs, after_, after_),
        p_(CUDNN_DATA_FLOAT, kBatch, outputs, after_ / 2, after_ / 2),
        bias_(CUDNN_DATA_FLOAT, 1, outputs, 1, 1),
        filter_(CUDNN_DATA_FLOAT, outputs, channels, window, window),
        convolution_(0, 1, 1),
        relu_(CUDNN_ACTIVATION_RELU),
        space_(64 << 20),
        weights_(fractions<float>(static_cast<size_t>(outputs) * channels * window * window, seed,
                                  0.2 / sqrt(channels * window * window))),
        biases_(zeros(static_cast<size_t>(outputs))),
        y(zeros(static_cast<size_t>(kBatch) * outputs * after_ * after_)),
        a(zeros(static_cast<size_t>(kBatch) * outputs * after_ * after_)),
        p(zeros(static_cast<size_t>(kBatch) * outputs * (after_ / 2) * (after_ / 2))),
        dy_(zeros(static_cast<size_t>(kBatch) * outputs * after_ * after_)),
        da_(zeros(static_cast<size_t>(kBatch) * outputs * after_ * after_)),
        dp(zeros(static_cast<size_t>(kBatch) * outputs * (after_ / 2) * (after_ / 2))) {
    SETUP_DNN(cudnnSetConvolutionMathType(convolution_, CUDNN_FMA_MATH));
    SETUP_DNN(cudnnCreatePoolingDescriptor(&pooling_));
    SETUP_DNN(
        cudnnSetPooling2dDescriptor(pooling_, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  }
  void forward(const float* x) {
    SETUP_DNN(cudnnConvolutionForward(handle_, &kOne, x_, x, filter_, weights_, convolution_,
                                      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, space_.data(), space_.bytes(),
                                      &kZero, y_, y));
    SETUP_DNN(cudnnAddTensor(handle_, &kOne, bias_, biases_, &kOne, y_, y));
    SETUP_DNN(cudnnActivationForward(handle_, relu_, &kOne, y_, y, &kZero, y_, a));
    SETUP_DNN(cudnnPoolingForward(handle_, pooling_, &kOne, y_, a, &kZero, p_, p));
  }
  // From dp; steps go straight into the parameters. dx may be null.
  void backward(const float* x, float* dx) {
    SETUP_DNN(cudnnPoolingBackward(handle_, pooling_, &kOne, p_, p, p_, dp, y_, a, &kZero, y_, da_));
    SETUP_DNN(cudnnActivationBackward(handle_, relu_, &kOne, y_, a, y_, da_, y_, y, &kZero, y_, dy_));
    if (dx)
      SETUP_DNN(cudnnConvolutionBackwardData(handle_, &kOne, filter_, weights_, y_, dy_, convolution_,
                                             CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, space_.data(), space_.bytes(),
                                             &kZero, x_, dx));
    SETUP_DNN(cudnnConvolutionBackwardFilter(handle_, &kStep, x_, x, y_, dy_, convolution_,
                                             CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, space_.data(),
                                             space_.bytes(), &kOne, filter_, weights_));
    SETUP_DNN(cudnnConvolutionBackwardBias(handle_, &kStep, y_, dy_, &kOne, bias_, biases_));
  }

 private:
  cudnnHandle_t handle_;
  int after_;
  Tensor x_, y_, p_, bias_;
  Filter filter_;
  ConvolutionOf convolution_;
  ActivationOf relu_;
  cudnnPoolingDescriptor_t pooling_ = nullptr;
  Space space_;
  DeviceValues<float> weights_, biases_;

 public:
  DeviceValues<float> y, a, p;

 private:
  DeviceValues<float> dy_, da_;

 public:
  DeviceValues<float> dp;
};

// A digit as a display of seven segments shows it, in noise.
static void digit(int number, int label, float* to) {
  static const int kSegments[10] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f};
  static const int kPlaces[7][4] = {{4, 6, 9, 19},  {6, 13, 19, 21}, {15, 22, 19, 21}, {22, 24, 9, 19},
                                    {15, 22, 7, 9}, {6, 13, 7, 9},   {13, 15, 9, 19}};
  const std::vector<float> noise = fractions<float>(kSide * kSide, number + 1, 0.03);
  const int down = number % 3 - 1, right = number / 3 % 3 - 1;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      float ink = noise[static_cast<size_t>(row * kSide + column)];
      for (int segment = 0; segment < 7; ++segment) {
        const int* const place = kPlaces[segment];
        if ((kSegments[label] >> segment & 1) && row - down >= place[0] && row - down < place[1] &&
            column - right >= place[2] && column - right < place[3])
          ink += 1;
      }
      to[row * kSide + column] = ink;
    }
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  cublasHandle_t blas = nullptr;
  setupBlas(cublasCreate(&blas));
  Block first(handle, 1, kSide, 6, 5, 1), second(handle, 6, 12, 16, 5, 2);
  const int width = 16 * 4 * 4;
  const Tensor logits(CUDNN_DATA_FLOAT, kBatch, kClasses, 1, 1);
  DeviceValues<float> x(zeros(kBatch * kSide * kSide)),
      w(fractions<float>(static_cast<size_t>(width) * kClasses, 3, 0.2 / sqrt(width))),
      z(zeros(kBatch * kClasses)), shares(zeros(kBatch * kClasses)), dz(zeros(kBatch * kClasses));
  std::vector<float> losses;
  int lastRight = 0;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<float> pictures(static_cast<size_t>(kBatch * kSide * kSide));
    std::vector<int> labels(kBatch);
    for (int i = 0; i < kBatch; ++i) {
      labels[static_cast<size_t>(i)] = (step * 7 + i * 3) % kClasses;
      digit(step * kBatch + i, labels[static_cast<size_t>(i)],
            pictures.data() + static_cast<size_t>(i * kSide * kSide));
    }
    x.set(pictures);
    first.forward(x);
    second.forward(first.p);
    // Columns are pictures: z = w' p, where w has a column for each class.
    setupBlas(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, kClasses, kBatch, width, &kOne, w, width, second.p,
                          width, &kZero, z, kClasses));
    SETUP_DNN(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &kOne, logits,
                                  z, &kZero, logits, shares));
    std::vector<float> gradient = shares.get();
    float loss = 0;
    lastRight = 0;
    for (size_t i = 0; i < kBatch; ++i) {
      float* const row = gradient.data() + i * kClasses;
      int best = 0;
      for (int c = 1; c < kClasses; ++c)
        if (row[c] > row[best]) best = c;
      lastRight += best == labels[i];
      loss -= logf(row[labels[i]]) / kBatch;
      row[labels[i]] -= 1;
      for (int c = 0; c < kClasses; ++c) row[c] /= kBatch;
    }
    losses.push_back(loss);
    dz.set(gradient);
    setupBlas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, width, kBatch, kClasses, &kOne, w, width, dz,
                          kClasses, &kZero, second.dp, width));
    setupBlas(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, width, kClasses, kBatch, &kStep, second.p, width,
                          dz, kClasses, &kOne, w, width));
    second.backward(first.p, first.dp);
    first.backward(x, nullptr);
  }
  fprintf(stderr, "losses %s\n", rounded(losses, 5).c_str());
  OBSERVE("losses.first_5", rounded(std::vector<float>(losses.begin(), losses.begin() + 5), 4));
  OBSERVE("losses.of_steps_10_20", rounded(std::vector<float>{losses[10], losses[20]}));
  OBSERVE("losses.of_step_40", rounded(std::vector<float>{losses[40]}, 2));
  OBSERVE("losses.last_is_a_tenth", losses.back() < 0.1f * losses[0]);
  OBSERVE("all_right", lastRight == kBatch);
}
