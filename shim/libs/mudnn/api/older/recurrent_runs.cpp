// Recurrent networks by the calls before cuDNN 8: sequences as a tensor for each step, of which each has as
// many batches as the one before or fewer, or by a descriptor of their own (...Ex). They are the later calls
// with descriptors made of what they are given.
#include <algorithm>
#include <initializer_list>

#include "libs/mudnn/api/recurrent.h"
#include "libs/mudnn/core/elements.h"

using namespace musashim::mudnn;

namespace {

struct StepTensors {
  const mudnnTensorDescriptor_t* steps;
  int count;
};

// Steps behind each other, packed.
mudnnRNNDataStruct packed(const StepTensors& tensors) {
  require(tensors.steps && tensors.count > 0, "the steps have no descriptors");
  const Array first = shapeOf(tensors.steps[0]);
  require(first.rank == 3 && first.sizes[2] == 1, "a step is of a batch and the size of a vector");
  mudnnRNNDataStruct data;
  data.isSet = true;
  data.type = tensors.steps[0]->type;
  Sequences& sequences = data.sequences;
  sequences.element = first.element;
  sequences.layout = Sequences::Layout::kPacked;
  sequences.time = tensors.count;
  sequences.batch = first.sizes[0];
  sequences.size = first.sizes[1];
  sequences.lengths.assign(static_cast<size_t>(first.sizes[0]), 0);
  int64_t before = sequences.batch;
  for (int t = 0; t < tensors.count; ++t) {
    const Array step = shapeOf(tensors.steps[t]);
    require(step.rank == 3 && step.isContiguous() && step.element == first.element &&
                step.sizes[1] == first.sizes[1] && step.sizes[2] == 1 && step.sizes[0] <= before,
            "a step has more batches than the one before, or others than the first's vectors");
    before = step.sizes[0];
    for (int64_t b = 0; b < before; ++b) ++sequences.lengths[static_cast<size_t>(b)];
  }
  return data;
}

// The network with what the data says of it.
mudnnRNNStruct described(mudnnRNNDescriptor_t descriptor, mudnnDataType_t type, int64_t inputs) {
  require(descriptor && descriptor->isSet, "the network's descriptor is missing or was never set");
  mudnnRNNStruct network = *descriptor;
  network.type = type;
  network.inputs = static_cast<int>(inputs);
  return network;
}
mudnnRNNStruct described(mudnnRNNDescriptor_t descriptor, const mudnnRNNDataStruct& x) {
  return described(descriptor, x.type, x.sequences.size);
}

// Data of sequences, as both kinds of calls give it.
struct Data {
  Data(const StepTensors& steps) : own(packed(steps)), descriptor(&own) {}
  Data(mudnnRNNDataDescriptor_t given) : descriptor(given) {
    require(given && given->isSet, "the data's descriptor is missing or was never set");
  }
  Data(const Data&) = delete;
  mudnnRNNDataStruct own;
  mudnnRNNDataDescriptor_t descriptor;
};

size_t bytesOf(mudnnFilterDescriptor_t descriptor) {
  const Array weights = shapeOf(descriptor);
  return static_cast<size_t>(weights.count()) * sizeOf(weights.element);
}

// Both describe the same state; it is enough to give one.
mudnnTensorDescriptor_t either(mudnnTensorDescriptor_t first, mudnnTensorDescriptor_t second) {
  return first ? first : second;
}

struct States {
  mudnnTensorDescriptor_t hxDesc;
  const void* hx;
  mudnnTensorDescriptor_t cxDesc;
  const void* cx;
};
struct Results {
  mudnnTensorDescriptor_t hyDesc;
  void* hy;
  mudnnTensorDescriptor_t cyDesc;
  void* cy;
};
struct Weights {
  mudnnFilterDescriptor_t descriptor;
  const void* data;
};
struct Space {
  size_t size;
  void* data;
};

template <class From>
mudnnStatus_t forward(const char* name, mudnnHandle_t handle, mudnnRNNDescriptor_t descriptor, From xDesc,
                      const void* x, From yDesc, void* y, const States& from, const Results& to,
                      const Weights& weights, const Space& workspace, const Space* reserve) {
  return entry(
      name,
      [&] {
        const Data in(xDesc), out(yDesc);
        mudnnRNNStruct network = described(descriptor, *in.descriptor);
        return mudnnRNNForward(handle, &network, reserve ? MUDNN_FWD_MODE_TRAINING : MUDNN_FWD_MODE_INFERENCE,
                               nullptr, in.descriptor, x, out.descriptor, y, either(from.hxDesc, to.hyDesc),
                               from.hx, to.hy, either(from.cxDesc, to.cyDesc), from.cx, to.cy,
                               bytesOf(weights.descriptor), weights.data, workspace.size, workspace.data,
                               reserve ? reserve->size : 0, reserve ? reserve->data : nullptr);
      },
      handle, descriptor, x, y, weights.descriptor, weights.data);
}

template <class From>
mudnnStatus_t backwardData(const char* name, mudnnHandle_t handle, mudnnRNNDescriptor_t descriptor,
                           From yDesc, const void* y, From dyDesc, const void* dy, From dxDesc, void* dx,
                           const States& from, const States& gradients, const Results& to,
                           const Weights& weights, const Space& workspace, const Space& reserve) {
  return entry(
      name,
      [&] {
        const Data out(yDesc), gradOut(dyDesc), gradIn(dxDesc);
        require(gradOut.descriptor->sequences.lengths == out.descriptor->sequences.lengths &&
                    gradOut.descriptor->sequences.size == out.descriptor->sequences.size,
                "y and dy have different sequences");
        mudnnRNNStruct network = described(descriptor, *gradIn.descriptor);
        return mudnnRNNBackwardData_v8(handle, &network, nullptr, out.descriptor, y, dy, gradIn.descriptor,
                                       dx, either(from.hxDesc, either(gradients.hxDesc, to.hyDesc)), from.hx,
                                       gradients.hx, to.hy,
                                       either(from.cxDesc, either(gradients.cxDesc, to.cyDesc)), from.cx,
                                       gradients.cx, to.cy, bytesOf(weights.descriptor), weights.data,
                                       workspace.size, workspace.data, reserve.size, reserve.data);
      },
      handle, descriptor, y, dy, dx, weights.descriptor, weights.data);
}

template <class From>
mudnnStatus_t backwardWeights(const char* name, mudnnHandle_t handle, mudnnRNNDescriptor_t descriptor,
                              From xDesc, const void* x, mudnnTensorDescriptor_t hxDesc, const void* hx,
                              From yDesc, const void* y, mudnnFilterDescriptor_t dwDesc, void* dw,
                              const Space& workspace, const Space& reserve) {
  return entry(
      name,
      [&] {
        const Data in(xDesc), out(yDesc);
        mudnnRNNStruct network = described(descriptor, *in.descriptor);
        return mudnnRNNBackwardWeights_v8(handle, &network, MUDNN_WGRAD_MODE_ADD, nullptr, in.descriptor, x,
                                          hxDesc, hx, out.descriptor, y, bytesOf(dwDesc), dw, workspace.size,
                                          workspace.data, reserve.size, reserve.data);
      },
      handle, descriptor, x, hx, y, dwDesc, dw);
}

mudnnStatus_t sizes(const char* name, mudnnHandle_t handle, mudnnRNNDescriptor_t descriptor,
                    const StepTensors& steps, size_t* workspace, size_t* reserve) {
  return entry(
      name,
      [&] {
        if (!workspace && !reserve) return MUDNN_STATUS_BAD_PARAM;
        const Data in(steps);
        mudnnRNNStruct network = described(descriptor, *in.descriptor);
        return mudnnGetRNNTempSpaceSizes(handle, &network, MUDNN_FWD_MODE_TRAINING, in.descriptor, workspace,
                                         reserve);
      },
      handle, descriptor, steps.count);
}

// A matrix or the biases of one of a layer's parts, as a filter of three dimensions.
mudnnStatus_t part(const char* name, mudnnHandle_t handle, mudnnRNNDescriptor_t descriptor, int layer,
                   mudnnTensorDescriptor_t xDesc, const Weights& weights, int id, bool isBias,
                   mudnnFilterDescriptor_t partDesc, void** address) {
  return entry(
      name,
      [&] {
        if (!partDesc || !address) return MUDNN_STATUS_BAD_PARAM;
        const Array x = shapeOf(xDesc);
        require(x.rank == 3, "a step is of a batch and the size of a vector");
        mudnnRNNStruct network =
            described(descriptor, weights.descriptor ? weights.descriptor->type : xDesc->type, x.sizes[1]);
        mudnnTensorStruct matrix, biases;
        void *matrixAt = nullptr, *biasesAt = nullptr;
        const mudnnStatus_t status =
            mudnnGetRNNWeightParams(handle, &network, layer, bytesOf(weights.descriptor), weights.data, id,
                                    &matrix, &matrixAt, &biases, &biasesAt);
        if (status != MUDNN_STATUS_SUCCESS) return status;
        const mudnnTensorStruct& from = isBias ? biases : matrix;
        *partDesc = {from.isSet, from.type, MUDNN_TENSOR_NCHW, from.shape};
        *address = isBias ? biasesAt : matrixAt;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, descriptor, layer, xDesc, weights.descriptor, weights.data, id);
}

// What only attention reads or writes.
bool asksForAttention(std::initializer_list<const void*> its) {
  return std::any_of(its.begin(), its.end(), [](const void* one) { return one != nullptr; });
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnGetRNNWorkspaceSize(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength,
                                     const mudnnTensorDescriptor_t* xDesc, size_t* sizeInBytes) {
  return sizes("mudnnGetRNNWorkspaceSize", handle, rnnDesc, {xDesc, seqLength}, sizeInBytes, nullptr);
}

MUDNN_ENTRY mudnnGetRNNTrainingReserveSize(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength,
                                           const mudnnTensorDescriptor_t* xDesc, size_t* sizeInBytes) {
  return sizes("mudnnGetRNNTrainingReserveSize", handle, rnnDesc, {xDesc, seqLength}, nullptr, sizeInBytes);
}

MUDNN_ENTRY mudnnGetRNNParamsSize(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                  mudnnTensorDescriptor_t xDesc, size_t* sizeInBytes,
                                  mudnnDataType_t dataType) {
  return entry(
      "mudnnGetRNNParamsSize",
      [&] {
        const Array x = shapeOf(xDesc);
        require(x.rank == 3 && xDesc->type == dataType,
                "a step is of a batch and the size of a vector, of the type of weights");
        mudnnRNNStruct network = described(rnnDesc, dataType, x.sizes[1]);
        return mudnnGetRNNWeightSpaceSize(handle, &network, sizeInBytes);
      },
      handle, rnnDesc, xDesc, dataType);
}

MUDNN_ENTRY mudnnGetRNNLinLayerMatrixParams(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                            int pseudoLayer, mudnnTensorDescriptor_t xDesc,
                                            mudnnFilterDescriptor_t wDesc, const void* w, int linLayerID,
                                            mudnnFilterDescriptor_t linLayerMatDesc, void** linLayerMat) {
  return part("mudnnGetRNNLinLayerMatrixParams", handle, rnnDesc, pseudoLayer, xDesc, {wDesc, w}, linLayerID,
              false, linLayerMatDesc, linLayerMat);
}

MUDNN_ENTRY mudnnGetRNNLinLayerBiasParams(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int pseudoLayer,
                                          mudnnTensorDescriptor_t xDesc, mudnnFilterDescriptor_t wDesc,
                                          const void* w, int linLayerID,
                                          mudnnFilterDescriptor_t linLayerBiasDesc, void** linLayerBias) {
  return part("mudnnGetRNNLinLayerBiasParams", handle, rnnDesc, pseudoLayer, xDesc, {wDesc, w}, linLayerID,
              true, linLayerBiasDesc, linLayerBias);
}

MUDNN_ENTRY mudnnRNNForwardInference(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength,
                                     const mudnnTensorDescriptor_t* xDesc, const void* x,
                                     mudnnTensorDescriptor_t hxDesc, const void* hx,
                                     mudnnTensorDescriptor_t cxDesc, const void* cx,
                                     mudnnFilterDescriptor_t wDesc, const void* w,
                                     const mudnnTensorDescriptor_t* yDesc, void* y,
                                     mudnnTensorDescriptor_t hyDesc, void* hy, mudnnTensorDescriptor_t cyDesc,
                                     void* cy, void* workSpace, size_t workSpaceSizeInBytes) {
  return forward("mudnnRNNForwardInference", handle, rnnDesc, StepTensors{xDesc, seqLength}, x,
                 StepTensors{yDesc, seqLength}, y, {hxDesc, hx, cxDesc, cx}, {hyDesc, hy, cyDesc, cy},
                 {wDesc, w}, {workSpaceSizeInBytes, workSpace}, nullptr);
}

MUDNN_ENTRY mudnnRNNForwardTraining(
    mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength, const mudnnTensorDescriptor_t* xDesc,
    const void* x, mudnnTensorDescriptor_t hxDesc, const void* hx, mudnnTensorDescriptor_t cxDesc,
    const void* cx, mudnnFilterDescriptor_t wDesc, const void* w, const mudnnTensorDescriptor_t* yDesc,
    void* y, mudnnTensorDescriptor_t hyDesc, void* hy, mudnnTensorDescriptor_t cyDesc, void* cy,
    void* workSpace, size_t workSpaceSizeInBytes, void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  const Space reserve{reserveSpaceSizeInBytes, reserveSpace};
  return forward("mudnnRNNForwardTraining", handle, rnnDesc, StepTensors{xDesc, seqLength}, x,
                 StepTensors{yDesc, seqLength}, y, {hxDesc, hx, cxDesc, cx}, {hyDesc, hy, cyDesc, cy},
                 {wDesc, w}, {workSpaceSizeInBytes, workSpace}, &reserve);
}

MUDNN_ENTRY mudnnRNNBackwardData(
    mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength, const mudnnTensorDescriptor_t* yDesc,
    const void* y, const mudnnTensorDescriptor_t* dyDesc, const void* dy, mudnnTensorDescriptor_t dhyDesc,
    const void* dhy, mudnnTensorDescriptor_t dcyDesc, const void* dcy, mudnnFilterDescriptor_t wDesc,
    const void* w, mudnnTensorDescriptor_t hxDesc, const void* hx, mudnnTensorDescriptor_t cxDesc,
    const void* cx, const mudnnTensorDescriptor_t* dxDesc, void* dx, mudnnTensorDescriptor_t dhxDesc,
    void* dhx, mudnnTensorDescriptor_t dcxDesc, void* dcx, void* workSpace, size_t workSpaceSizeInBytes,
    void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  return backwardData("mudnnRNNBackwardData", handle, rnnDesc, StepTensors{yDesc, seqLength}, y,
                      StepTensors{dyDesc, seqLength}, dy, StepTensors{dxDesc, seqLength}, dx,
                      {hxDesc, hx, cxDesc, cx}, {dhyDesc, dhy, dcyDesc, dcy}, {dhxDesc, dhx, dcxDesc, dcx},
                      {wDesc, w}, {workSpaceSizeInBytes, workSpace}, {reserveSpaceSizeInBytes, reserveSpace});
}

MUDNN_ENTRY mudnnRNNBackwardWeights(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int seqLength,
                                    const mudnnTensorDescriptor_t* xDesc, const void* x,
                                    mudnnTensorDescriptor_t hxDesc, const void* hx,
                                    const mudnnTensorDescriptor_t* yDesc, const void* y,
                                    const void* workSpace, size_t workSpaceSizeInBytes,
                                    mudnnFilterDescriptor_t dwDesc, void* dw, const void* reserveSpace,
                                    size_t reserveSpaceSizeInBytes) {
  return backwardWeights("mudnnRNNBackwardWeights", handle, rnnDesc, StepTensors{xDesc, seqLength}, x, hxDesc,
                         hx, StepTensors{yDesc, seqLength}, y, dwDesc, dw,
                         {workSpaceSizeInBytes, const_cast<void*>(workSpace)},
                         {reserveSpaceSizeInBytes, const_cast<void*>(reserveSpace)});
}

MUDNN_ENTRY mudnnRNNForwardInferenceEx(
    mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnRNNDataDescriptor_t xDesc, const void* x,
    mudnnTensorDescriptor_t hxDesc, const void* hx, mudnnTensorDescriptor_t cxDesc, const void* cx,
    mudnnFilterDescriptor_t wDesc, const void* w, mudnnRNNDataDescriptor_t yDesc, void* y,
    mudnnTensorDescriptor_t hyDesc, void* hy, mudnnTensorDescriptor_t cyDesc, void* cy,
    mudnnRNNDataDescriptor_t kDesc, const void* keys, mudnnRNNDataDescriptor_t cDesc, void* cAttn,
    mudnnRNNDataDescriptor_t iDesc, void* iAttn, mudnnRNNDataDescriptor_t qDesc, void* queries,
    void* workSpace, size_t workSpaceSizeInBytes) {
  if (asksForAttention({kDesc, keys, cDesc, cAttn, iDesc, iAttn, qDesc, queries}))
    return MUDNN_STATUS_NOT_SUPPORTED;
  return forward("mudnnRNNForwardInferenceEx", handle, rnnDesc, xDesc, x, yDesc, y, {hxDesc, hx, cxDesc, cx},
                 {hyDesc, hy, cyDesc, cy}, {wDesc, w}, {workSpaceSizeInBytes, workSpace}, nullptr);
}

MUDNN_ENTRY mudnnRNNForwardTrainingEx(
    mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnRNNDataDescriptor_t xDesc, const void* x,
    mudnnTensorDescriptor_t hxDesc, const void* hx, mudnnTensorDescriptor_t cxDesc, const void* cx,
    mudnnFilterDescriptor_t wDesc, const void* w, mudnnRNNDataDescriptor_t yDesc, void* y,
    mudnnTensorDescriptor_t hyDesc, void* hy, mudnnTensorDescriptor_t cyDesc, void* cy,
    mudnnRNNDataDescriptor_t kDesc, const void* keys, mudnnRNNDataDescriptor_t cDesc, void* cAttn,
    mudnnRNNDataDescriptor_t iDesc, void* iAttn, mudnnRNNDataDescriptor_t qDesc, void* queries,
    void* workSpace, size_t workSpaceSizeInBytes, void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  if (asksForAttention({kDesc, keys, cDesc, cAttn, iDesc, iAttn, qDesc, queries}))
    return MUDNN_STATUS_NOT_SUPPORTED;
  const Space reserve{reserveSpaceSizeInBytes, reserveSpace};
  return forward("mudnnRNNForwardTrainingEx", handle, rnnDesc, xDesc, x, yDesc, y, {hxDesc, hx, cxDesc, cx},
                 {hyDesc, hy, cyDesc, cy}, {wDesc, w}, {workSpaceSizeInBytes, workSpace}, &reserve);
}

MUDNN_ENTRY mudnnRNNBackwardDataEx(
    mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnRNNDataDescriptor_t yDesc, const void* y,
    mudnnRNNDataDescriptor_t dyDesc, const void* dy, mudnnRNNDataDescriptor_t dcDesc, const void* dcAttn,
    mudnnTensorDescriptor_t dhyDesc, const void* dhy, mudnnTensorDescriptor_t dcyDesc, const void* dcy,
    mudnnFilterDescriptor_t wDesc, const void* w, mudnnTensorDescriptor_t hxDesc, const void* hx,
    mudnnTensorDescriptor_t cxDesc, const void* cx, mudnnRNNDataDescriptor_t dxDesc, void* dx,
    mudnnTensorDescriptor_t dhxDesc, void* dhx, mudnnTensorDescriptor_t dcxDesc, void* dcx,
    mudnnRNNDataDescriptor_t dkDesc, void* dkeys, void* workSpace, size_t workSpaceSizeInBytes,
    void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  for (const void* one : std::initializer_list<const void*>{dcDesc, dcAttn, dkDesc, dkeys})
    if (one) return MUDNN_STATUS_NOT_SUPPORTED;  // attention
  return backwardData("mudnnRNNBackwardDataEx", handle, rnnDesc, yDesc, y, dyDesc, dy, dxDesc, dx,
                      {hxDesc, hx, cxDesc, cx}, {dhyDesc, dhy, dcyDesc, dcy}, {dhxDesc, dhx, dcxDesc, dcx},
                      {wDesc, w}, {workSpaceSizeInBytes, workSpace}, {reserveSpaceSizeInBytes, reserveSpace});
}

MUDNN_ENTRY mudnnRNNBackwardWeightsEx(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                      mudnnRNNDataDescriptor_t xDesc, const void* x,
                                      mudnnTensorDescriptor_t hxDesc, const void* hx,
                                      mudnnRNNDataDescriptor_t yDesc, const void* y, void* workSpace,
                                      size_t workSpaceSizeInBytes, mudnnFilterDescriptor_t dwDesc, void* dw,
                                      void* reserveSpace, size_t reserveSpaceSizeInBytes) {
  return backwardWeights("mudnnRNNBackwardWeightsEx", handle, rnnDesc, xDesc, x, hxDesc, hx, yDesc, y, dwDesc,
                         dw, {workSpaceSizeInBytes, workSpace}, {reserveSpaceSizeInBytes, reserveSpace});
}

}  // extern "C"
