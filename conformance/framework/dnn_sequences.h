// Recurrent networks and multi-head attention in cases of group dnn: weights, values and gradients are
// observed. To be included behind CONFORMANCE_CASE, as it observes.
#pragma once

#include <algorithm>

#include "dnn_values.h"

struct Network {
  cudnnRNNMode_t mode;
  cudnnRNNBiasMode_t bias = CUDNN_RNN_DOUBLE_BIAS;
  cudnnDirectionMode_t direction = CUDNN_UNIDIRECTIONAL;
  cudnnRNNInputMode_t input = CUDNN_LINEAR_INPUT;
  int inputs = 3, hidden = 2, projection = 2, layers = 1;
  cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
  std::vector<int> lengths = {3, 3};
  bool padded = true;
  double clip = 0;
};

template <typename T>
constexpr cudnnDataType_t kType = sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;

template <typename T>
class NetworkRun {
 public:
  NetworkRun(cudnnHandle_t handle, const std::string& key, const Network& n)
      : handle_(handle), key_(key), n_(n) {
    SETUP_DNN(cudnnCreateDropoutDescriptor(&dropout_));
    SETUP_DNN(cudnnSetDropoutDescriptor(dropout_, handle, 0, nullptr, 0, 0));
    SETUP_DNN(cudnnCreateRNNDescriptor(&rnn_));
    STATUS(key + ".set",
           cudnnSetRNNDescriptor_v8(rnn_, CUDNN_RNN_ALGO_STANDARD, n.mode, n.bias, n.direction, n.input,
                                    kType<T>, kType<T>, sizeof(T) == 8 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH,
                                    n.inputs, n.hidden, n.projection, n.layers, dropout_,
                                    n.padded ? CUDNN_RNN_PADDED_IO_ENABLED : CUDNN_RNN_PADDED_IO_DISABLED));
    if (n.clip > 0) STATUS(key + ".clip", cudnnRNNSetClip_v9(rnn_, CUDNN_RNN_CLIP_MINMAX, -n.clip, n.clip));
    ways_ = n.direction == CUDNN_BIDIRECTIONAL ? 2 : 1;
    longest_ = *std::max_element(n.lengths.begin(), n.lengths.end());
    batch_ = static_cast<int>(n.lengths.size());
    for (const int length : n.lengths) steps_ += length;
    describe(&x_, n.inputs);
    describe(&y_, n.projection * ways_);
  }
  ~NetworkRun() {
    cudnnDestroyRNNDataDescriptor(x_);
    cudnnDestroyRNNDataDescriptor(y_);
    cudnnDestroyRNNDescriptor(rnn_);
    cudnnDestroyDropoutDescriptor(dropout_);
  }

  void run() {
    size_t bytes = 0, work = 0, kept = 0;
    STATUS(key_ + ".weights", cudnnGetRNNWeightSpaceSize(handle_, rnn_, &bytes));
    OBSERVE(key_ + ".weights.is", bytes / sizeof(T));
    if (bytes == 0) return;
    STATUS(key_ + ".space",
           cudnnGetRNNTempSpaceSizes(handle_, rnn_, CUDNN_FWD_MODE_TRAINING, x_, &work, &kept));
    const Space weights(bytes), gradients(bytes), workspace(work), reserve(kept);
    fill(weights);
    const Tensor h(kType<T>, {n_.layers * ways_, batch_, n_.projection}),
        c(kType<T>, {n_.layers * ways_, batch_, n_.hidden});
    const size_t places = n_.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
                              ? static_cast<size_t>(steps_)
                              : static_cast<size_t>(longest_ * batch_);
    const size_t countX = places * n_.inputs, countY = places * n_.projection * ways_,
                 countH = static_cast<size_t>(n_.layers * ways_ * batch_ * n_.projection),
                 countC = static_cast<size_t>(n_.layers * ways_ * batch_ * n_.hidden);
    DeviceValues<int> lengths(n_.lengths);
    DeviceValues<T> x(fractions<T>(countX, 1)), y(std::vector<T>(countY, 9)), hx(fractions<T>(countH, 2)),
        hy(std::vector<T>(countH, 0)), cx(fractions<T>(countC, 3)), cy(std::vector<T>(countC, 0));
    const bool cells = n_.mode == CUDNN_LSTM;
    for (const bool training : {false, true}) {
      const std::string key = key_ + (training ? ".training" : ".inference");
      STATUS(key,
             cudnnRNNForward(handle_, rnn_, training ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE,
                             lengths, x_, x, y_, y, h, hx, hy, c, cells ? static_cast<T*>(cx) : nullptr,
                             cells ? static_cast<T*>(cy) : nullptr, weights.bytes(), weights.data(),
                             workspace.bytes(), workspace.data(), training ? reserve.bytes() : 0,
                             training ? reserve.data() : nullptr));
      OBSERVE(key + ".y", rounded(y, 4));
      OBSERVE(key + ".h", rounded(hy, 4));
      if (cells) OBSERVE(key + ".c", rounded(cy, 4));
    }
    DeviceValues<T> dy(fractions<T>(countY, 4)), dx(std::vector<T>(countX, 0)), dhy(fractions<T>(countH, 5)),
        dhx(std::vector<T>(countH, 0)), dcy(fractions<T>(countC, 6)), dcx(std::vector<T>(countC, 0));
    STATUS(key_ + ".data", cudnnRNNBackwardData_v8(
                               handle_, rnn_, lengths, y_, y, dy, x_, dx, h, hx, dhy, dhx, c,
                               cells ? static_cast<T*>(cx) : nullptr, cells ? static_cast<T*>(dcy) : nullptr,
                               cells ? static_cast<T*>(dcx) : nullptr, weights.bytes(), weights.data(),
                               workspace.bytes(), workspace.data(), reserve.bytes(), reserve.data()));
    OBSERVE(key_ + ".data.dx", rounded(dx));
    OBSERVE(key_ + ".data.dhx", rounded(dhx));
    if (cells) OBSERVE(key_ + ".data.dcx", rounded(dcx));
    STATUS(key_ + ".gradients",
           cudnnRNNBackwardWeights_v8(handle_, rnn_, CUDNN_WGRAD_MODE_ADD, lengths, x_, x, h, hx, y_, y,
                                      gradients.bytes(), gradients.data(), workspace.bytes(),
                                      workspace.data(), reserve.bytes(), reserve.data()));
    show(gradients);
  }

 private:
  void describe(cudnnRNNDataDescriptor_t* descriptor, int size) {
    SETUP_DNN(cudnnCreateRNNDataDescriptor(descriptor));
    T fill = 0;
    SETUP_DNN(cudnnSetRNNDataDescriptor(*descriptor, kType<T>, n_.layout, longest_, batch_, size,
                                        n_.lengths.data(), &fill));
  }
  // Calls visit(pseudo layer, id, what, place, number of elements) for each matrix and bias that there is.
  template <typename Visit>
  void parameters(const Space& weights, Visit visit) {
    const int ids = n_.mode == CUDNN_LSTM ? 9 : n_.mode == CUDNN_GRU ? 6 : 2;
    for (int layer = 0; layer < n_.layers * ways_; ++layer) {
      for (int id = 0; id < ids; ++id) {
        const Tensor m, b;
        void *matrix = nullptr, *bias = nullptr;
        const cudnnStatus_t found = cudnnGetRNNWeightParams(handle_, rnn_, layer, weights.bytes(),
                                                            weights.data(), id, m, &matrix, b, &bias);
        if (found != CUDNN_STATUS_SUCCESS) continue;
        if (matrix) visit(layer, id, 'm', matrix, m);
        if (bias) visit(layer, id, 'b', bias, b);
      }
    }
  }
  static size_t countOf(cudnnTensorDescriptor_t t, std::string* text) {
    int sizes[8] = {}, strides[8] = {}, rank = 0;
    cudnnDataType_t type = CUDNN_DATA_HALF;
    SETUP_DNN(cudnnGetTensorNdDescriptor(t, 8, &type, &rank, sizes, strides));
    size_t count = 1;
    for (int i = 0; i < rank; ++i) count *= static_cast<size_t>(sizes[i]);
    *text = numbers(sizes, rank) + "/" + numbers(strides, rank);
    return count;
  }
  void fill(const Space& weights) {
    std::string places;
    parameters(weights, [&](int layer, int id, char what, void* place, cudnnTensorDescriptor_t t) {
      std::string text;
      const size_t count = countOf(t, &text);
      const auto offset =
          (static_cast<char*>(place) - static_cast<char*>(weights.data())) / static_cast<long>(sizeof(T));
      places += std::to_string(layer) + "." + std::to_string(id) + what + " at " + std::to_string(offset) +
                " " + text + "; ";
      const std::vector<T> values = fractions<T>(count, 100 + layer * 20 + id * 2 + (what == 'b'));
      SETUP(cudaMemcpy(place, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    });
    OBSERVE(key_ + ".places", places);
  }
  void show(const Space& gradients) {
    SETUP(cudaDeviceSynchronize());
    parameters(gradients, [&](int layer, int id, char what, void* place, cudnnTensorDescriptor_t t) {
      std::string text;
      std::vector<T> values(countOf(t, &text));
      SETUP(cudaMemcpy(values.data(), place, values.size() * sizeof(T), cudaMemcpyDeviceToHost));
      OBSERVE(key_ + ".gradient." + std::to_string(layer) + "." + std::to_string(id) + what, rounded(values));
    });
  }

  cudnnHandle_t handle_;
  std::string key_;
  Network n_;
  cudnnDropoutDescriptor_t dropout_ = nullptr;
  cudnnRNNDescriptor_t rnn_ = nullptr;
  cudnnRNNDataDescriptor_t x_ = nullptr, y_ = nullptr;
  int ways_ = 1, longest_ = 0, batch_ = 0, steps_ = 0;
};

// Attention of several heads.
struct Heads {
  unsigned mode = CUDNN_ATTN_QUERYMAP_ALL_TO_ONE | CUDNN_ATTN_DISABLE_PROJ_BIASES;
  int heads = 2, query = 4, key = 4, value = 4, queryTo = 3, keyTo = 3, valueTo = 2, outTo = 5, times = 3,
      timesKey = 4, batch = 2;
  double scale = 0.7;
  bool causal = false;
};

inline cudnnSeqDataDescriptor_t sequence(int time, int batch, int size, const std::vector<int>& lengths) {
  cudnnSeqDataDescriptor_t descriptor = nullptr;
  SETUP_DNN(cudnnCreateSeqDataDescriptor(&descriptor));
  int sizes[CUDNN_SEQDATA_DIM_COUNT];
  sizes[CUDNN_SEQDATA_TIME_DIM] = time;
  sizes[CUDNN_SEQDATA_BATCH_DIM] = batch;
  sizes[CUDNN_SEQDATA_BEAM_DIM] = 1;
  sizes[CUDNN_SEQDATA_VECT_DIM] = size;
  const cudnnSeqDataAxis_t axes[] = {CUDNN_SEQDATA_TIME_DIM, CUDNN_SEQDATA_BATCH_DIM, CUDNN_SEQDATA_BEAM_DIM,
                                     CUDNN_SEQDATA_VECT_DIM};
  SETUP_DNN(cudnnSetSeqDataDescriptor(descriptor, CUDNN_DATA_DOUBLE, CUDNN_SEQDATA_DIM_COUNT, sizes, axes,
                                      lengths.size(), lengths.data(), nullptr));
  return descriptor;
}

inline void runAttention(cudnnHandle_t handle, const std::string& key, const Heads& h) {
  cudnnAttnDescriptor_t attention = nullptr;
  SETUP_DNN(cudnnCreateAttnDescriptor(&attention));
  const cudnnStatus_t status =
      cudnnSetAttnDescriptor(attention, h.mode, h.heads, h.scale, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE,
                             CUDNN_DEFAULT_MATH, nullptr, nullptr, h.query, h.key, h.value, h.queryTo,
                             h.keyTo, h.valueTo, h.outTo, h.times, h.timesKey, h.batch, 1);
  OBSERVE(key + ".set", code(status));
  size_t weightBytes = 0, workBytes = 0, keptBytes = 0;
  STATUS(key + ".buffers",
         cudnnGetMultiHeadAttnBuffers(handle, attention, &weightBytes, &workBytes, &keptBytes));
  OBSERVE(key + ".weights", weightBytes / sizeof(double));
  OBSERVE(key + ".reserve.some", keptBytes > 0);
  const Space weights(weightBytes), gradients(weightBytes), work(workBytes), reserve(keptBytes);
  const auto parameters = [&](const Space& space, const auto& visit) {
    for (int kind = 0; kind < CUDNN_ATTN_WKIND_COUNT; ++kind) {
      const Tensor t;
      void* place = nullptr;
      const cudnnStatus_t found =
          cudnnGetMultiHeadAttnWeights(handle, attention, static_cast<cudnnMultiHeadAttnWeightKind_t>(kind),
                                       space.bytes(), space.data(), t, &place);
      int sizes[8] = {}, strides[8] = {}, rank = 0;
      cudnnDataType_t type = CUDNN_DATA_HALF;
      size_t count = 1;
      if (found == CUDNN_STATUS_SUCCESS && place) {
        SETUP_DNN(cudnnGetTensorNdDescriptor(t, 8, &type, &rank, sizes, strides));
        for (int i = 0; i < rank; ++i) count *= static_cast<size_t>(sizes[i]);
      }
      visit(kind, found, place, count, numbers(sizes, rank) + "/" + numbers(strides, rank));
    }
  };
  std::string places;
  parameters(weights, [&](int kind, cudnnStatus_t found, void* place, size_t count, const std::string& text) {
    places += std::to_string(kind) + " (" + std::to_string(code(found)) + ")";
    if (found == CUDNN_STATUS_SUCCESS && place) {
      places += " at " +
                std::to_string((static_cast<char*>(place) - static_cast<char*>(weights.data())) / 8) + " " +
                text;
      const std::vector<double> values = fractions<double>(count, 50 + kind);
      SETUP(cudaMemcpy(place, values.data(), count * 8, cudaMemcpyHostToDevice));
    }
    places += "; ";
  });
  OBSERVE(key + ".places", places);

  std::vector<int> lengthsQ(static_cast<size_t>(h.batch), h.times),
      lengthsK(static_cast<size_t>(h.batch), h.timesKey);
  lengthsK.back() = h.timesKey - 1;
  const int outSize = h.outTo ? h.outTo : h.heads * (h.valueTo ? h.valueTo : h.value);
  const cudnnSeqDataDescriptor_t q = sequence(h.times, h.batch, h.query, lengthsQ),
                                 k = sequence(h.timesKey, h.batch, h.key, lengthsK),
                                 v = sequence(h.timesKey, h.batch, h.value, lengthsK),
                                 o = sequence(h.times, h.batch, outSize, lengthsQ);
  const auto count = [&](int time, int size) { return static_cast<size_t>(time * h.batch * size); };
  DeviceValues<double> dataQ(fractions<double>(count(h.times, h.query), 1)),
      dataK(fractions<double>(count(h.timesKey, h.key), 2)),
      dataV(fractions<double>(count(h.timesKey, h.value), 3)),
      out(std::vector<double>(count(h.times, outSize), 0)),
      dOut(fractions<double>(count(h.times, outSize), 4)),
      dQ(std::vector<double>(count(h.times, h.query), 0)),
      dK(std::vector<double>(count(h.timesKey, h.key), 0)),
      dV(std::vector<double>(count(h.timesKey, h.value), 0));
  DeviceValues<int> deviceQ(lengthsQ), deviceK(lengthsK);
  std::vector<int> from(static_cast<size_t>(h.times), 0), to(static_cast<size_t>(h.times), h.timesKey);
  if (h.causal)
    for (int i = 0; i < h.times; ++i) to[static_cast<size_t>(i)] = i + 1;
  STATUS(key + ".inference",
         cudnnMultiHeadAttnForward(handle, attention, -1, from.data(), to.data(), deviceQ, deviceK, q, dataQ,
                                   nullptr, k, dataK, v, dataV, o, out, weights.bytes(), weights.data(),
                                   work.bytes(), work.data(), 0, nullptr));
  OBSERVE(key + ".inference.is", rounded(out));
  const cudnnStatus_t training = cudnnMultiHeadAttnForward(
      handle, attention, -1, from.data(), to.data(), deviceQ, deviceK, q, dataQ, nullptr, k, dataK, v, dataV,
      o, out, weights.bytes(), weights.data(), work.bytes(), work.data(), reserve.bytes(), reserve.data());
  OBSERVE(key + ".training", code(training));
  OBSERVE(key + ".training.is", rounded(out));
  if (training == CUDNN_STATUS_SUCCESS) {
    STATUS(key + ".data", cudnnMultiHeadAttnBackwardData(handle, attention, from.data(), to.data(), deviceQ,
                                                         deviceK, o, dOut, q, dQ, dataQ, k, dK, dataK, v, dV,
                                                         dataV, weights.bytes(), weights.data(), work.bytes(),
                                                         work.data(), reserve.bytes(), reserve.data()));
    OBSERVE(key + ".data.q", rounded(dQ));
    OBSERVE(key + ".data.k", rounded(dK));
    OBSERVE(key + ".data.v", rounded(dV));
    STATUS(key + ".gradients", cudnnMultiHeadAttnBackwardWeights(
                                   handle, attention, CUDNN_WGRAD_MODE_SET, q, dataQ, k, dataK, v, dataV, o,
                                   dOut, weights.bytes(), weights.data(), gradients.data(), work.bytes(),
                                   work.data(), reserve.bytes(), reserve.data()));
    SETUP(cudaDeviceSynchronize());
    parameters(gradients, [&](int kind, cudnnStatus_t found, void* place, size_t size, const std::string&) {
      if (found != CUDNN_STATUS_SUCCESS || !place) return;
      std::vector<double> values(size);
      SETUP(cudaMemcpy(values.data(), place, size * 8, cudaMemcpyDeviceToHost));
      OBSERVE(key + ".gradients." + std::to_string(kind), rounded(values));
    });
  }
  for (const cudnnSeqDataDescriptor_t descriptor : {q, k, v, o}) cudnnDestroySeqDataDescriptor(descriptor);
  cudnnDestroyAttnDescriptor(attention);
}
