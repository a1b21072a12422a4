// links: cudnn
// A small network of the size of MNIST's: convolution, pooling, two layers, softmax, trained by the C
// interface on pictures that are made here. What is learned is observed, and losses to three digits.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.training");

static const float kOne = 1, kZero = 0;
static const int kBatch = 32, kClasses = 10, kSide = 28;

// A layer that is a convolution; a full one is a convolution by a filter of the input's size.
class Layer {
 public:
  Layer(cudnnHandle_t handle, int c, int h, int w, int k, int window, int pad, int seed)
      : handle_(handle),
        x_(CUDNN_DATA_FLOAT, kBatch, c, h, w),
        filter_(CUDNN_DATA_FLOAT, k, c, window, window),
        bias_(CUDNN_DATA_FLOAT, 1, k, 1, 1),
        convolution_(pad, 1, 1),
        y_(CUDNN_DATA_FLOAT, kBatch, k, h + 2 * pad - window + 1, w + 2 * pad - window + 1),
        weights_(fractions<float>(static_cast<size_t>(k) * c * window * window, seed,
                                  0.4 / 9 / sqrt(c * window * window / 9.0))),
        biases_(std::vector<float>(static_cast<size_t>(k), 0)),
        space_(64 << 20),
        countY_(static_cast<size_t>(kBatch) * k * (h + 2 * pad - window + 1) * (w + 2 * pad - window + 1)) {
    SETUP_DNN(cudnnSetConvolutionMathType(convolution_, CUDNN_FMA_MATH));
  }
  void forward(const float* x, float* y) {
    SETUP_DNN(cudnnConvolutionForward(handle_, &kOne, x_, x, filter_, weights_, convolution_,
                                      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, space_.data(), space_.bytes(),
                                      &kZero, y_, y));
    SETUP_DNN(cudnnAddTensor(handle_, &kOne, bias_, biases_, &kOne, y_, y));
  }
  // Gradients go straight into the parameters: w -= rate * dw.
  void backward(const float* x, const float* dy, float* dx, float rate) {
    const float step = -rate;
    if (dx)
      SETUP_DNN(cudnnConvolutionBackwardData(handle_, &kOne, filter_, weights_, y_, dy, convolution_,
                                             CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, space_.data(), space_.bytes(),
                                             &kZero, x_, dx));
    SETUP_DNN(cudnnConvolutionBackwardFilter(handle_, &step, x_, x, y_, dy, convolution_,
                                             CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, space_.data(),
                                             space_.bytes(), &kOne, filter_, weights_));
    SETUP_DNN(cudnnConvolutionBackwardBias(handle_, &step, y_, dy, &kOne, bias_, biases_));
  }
  const Tensor& y() const { return y_; }
  size_t countY() const { return countY_; }

 private:
  cudnnHandle_t handle_;
  Tensor x_;
  Filter filter_;
  Tensor bias_;
  ConvolutionOf convolution_;
  Tensor y_;
  DeviceValues<float> weights_, biases_;
  Space space_;
  size_t countY_;
};

// Pictures of class `c`: a bar whose place and direction tell the class, and noise.
static void picture(int number, std::vector<float>& to, size_t at, int label) {
  const std::vector<float> noise = fractions<float>(kSide * kSide, number + 1, 0.02);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      const int along = label < 5 ? row : column;
      const bool inside = along >= (label % 5) * 5 + 1 && along < (label % 5) * 5 + 5;
      to[at + static_cast<size_t>(row * kSide + column)] =
          noise[static_cast<size_t>(row * kSide + column)] + (inside ? 1.0f : 0.0f);
    }
}

int main() {
  const cudnnHandle_t handle = makeHandle();
  Layer first(handle, 1, 28, 28, 6, 5, 0, 1), second(handle, 6, 12, 12, 16, 12, 0, 2),
      third(handle, 16, 1, 1, kClasses, 1, 0, 3);
  cudnnPoolingDescriptor_t pooling = nullptr;
  SETUP_DNN(cudnnCreatePoolingDescriptor(&pooling));
  SETUP_DNN(
      cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
  const ActivationOf relu(CUDNN_ACTIVATION_RELU);
  const Tensor pooled(CUDNN_DATA_FLOAT, kBatch, 6, 12, 12);
  const size_t countPooled = static_cast<size_t>(kBatch) * 6 * 12 * 12, countOut = kBatch * kClasses;
  const auto zeros = [](size_t count) { return std::vector<float>(count, 0); };
  DeviceValues<float> x(zeros(kBatch * kSide * kSide)), y1(zeros(first.countY())), a1(zeros(first.countY())),
      p(zeros(countPooled)), y2(zeros(second.countY())), a2(zeros(second.countY())), y3(zeros(countOut)),
      shares(zeros(countOut)), d3(zeros(countOut)), d2(zeros(second.countY())), da2(zeros(second.countY())),
      dp(zeros(countPooled)), da1(zeros(first.countY())), d1(zeros(first.countY()));
  std::vector<float> losses, rights;
  for (int step = 0; step < 60; ++step) {
    std::vector<float> pictures(kBatch * kSide * kSide);
    std::vector<int> labels(kBatch);
    for (int i = 0; i < kBatch; ++i) {
      labels[static_cast<size_t>(i)] = (step * 7 + i * 3) % kClasses;
      picture(step * kBatch + i, pictures, static_cast<size_t>(i * kSide * kSide),
              labels[static_cast<size_t>(i)]);
    }
    x.set(pictures);
    first.forward(x, y1);
    SETUP_DNN(cudnnActivationForward(handle, relu, &kOne, first.y(), y1, &kZero, first.y(), a1));
    SETUP_DNN(cudnnPoolingForward(handle, pooling, &kOne, first.y(), a1, &kZero, pooled, p));
    second.forward(p, y2);
    SETUP_DNN(cudnnActivationForward(handle, relu, &kOne, second.y(), y2, &kZero, second.y(), a2));
    third.forward(a2, y3);
    SETUP_DNN(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &kOne,
                                  third.y(), y3, &kZero, third.y(), shares));
    std::vector<float> gradient = shares.get();
    float loss = 0;
    int right = 0;
    for (size_t i = 0; i < kBatch; ++i) {
      float* const row = gradient.data() + i * kClasses;
      int best = 0;
      for (int c = 1; c < kClasses; ++c)
        if (row[c] > row[best]) best = c;
      right += best == labels[i];
      loss -= logf(row[labels[i]]) / kBatch;
      row[labels[i]] -= 1;
      for (int c = 0; c < kClasses; ++c) row[c] /= kBatch;
    }
    losses.push_back(loss);
    rights.push_back(static_cast<float>(right));
    d3.set(gradient);
    third.backward(a2, d3, da2, 0.1f);
    SETUP_DNN(cudnnActivationBackward(handle, relu, &kOne, second.y(), a2, second.y(), da2, second.y(), y2,
                                      &kZero, second.y(), d2));
    second.backward(p, d2, dp, 0.1f);
    SETUP_DNN(cudnnPoolingBackward(handle, pooling, &kOne, pooled, p, pooled, dp, first.y(), a1, &kZero,
                                   first.y(), da1));
    SETUP_DNN(cudnnActivationBackward(handle, relu, &kOne, first.y(), a1, first.y(), da1, first.y(), y1,
                                      &kZero, first.y(), d1));
    first.backward(x, d1, nullptr, 0.1f);
  }
  fprintf(stderr, "losses %s\nright %s\n", rounded(losses, 4).c_str(), rounded(rights).c_str());
  OBSERVE("first_losses", rounded(std::vector<float>(losses.begin(), losses.begin() + 3)));
  OBSERVE("loss_of_step_10", rounded(std::vector<float>{losses[10]}, 2));
  OBSERVE("learned", losses.back() < 0.1f * losses[0]);
  OBSERVE("all_right", rights.back() == kBatch);
}
