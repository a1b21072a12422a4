// Multi-head attention in a case of group dnn: weights, values and gradients are observed.
// To be included behind CONFORMANCE_CASE, as it observes.
#pragma once

#include "dnn_values.h"

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
