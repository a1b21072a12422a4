// Recurrent networks: sizes of what they need, where their weights lie, forward and backward.
#include "libs/mudnn/api/recurrent.h"

#include "libs/mudnn/api/dropout.h"

using namespace musashim::mudnn;

namespace {

Network networkOf(mudnnRNNDescriptor_t descriptor) {
  require(descriptor && descriptor->isSet, "the network's descriptor is missing or was never set");
  Network network;
  network.cell = static_cast<Cell>(descriptor->mode);
  network.directions = descriptor->direction == MUDNN_BIDIRECTIONAL ? 2 : 1;
  network.layers = descriptor->layers;
  network.inputs = descriptor->inputs;
  network.hidden = descriptor->hidden;
  network.projection = descriptor->projection;
  network.skipsInput = descriptor->input == MUDNN_SKIP_INPUT;
  require(!network.skipsInput || network.inputs == network.hidden,
          "a skipped input has another size than the state");
  network.biasOfInput =
      descriptor->bias == MUDNN_RNN_SINGLE_INP_BIAS || descriptor->bias == MUDNN_RNN_DOUBLE_BIAS;
  network.biasOfState =
      descriptor->bias == MUDNN_RNN_SINGLE_REC_BIAS || descriptor->bias == MUDNN_RNN_DOUBLE_BIAS;
  network.clips = descriptor->clip == MUDNN_RNN_CLIP_MINMAX && descriptor->mode == MUDNN_LSTM;
  network.least = descriptor->least;
  network.most = descriptor->most;
  if (descriptor->dropout && descriptor->dropout->probability > 0) {
    require(descriptor->dropout->states, "the dropout has no states");
    network.dropout = static_cast<double>(descriptor->dropout->probability);
    network.states = descriptor->dropout->states;
  }
  return network;
}

const Sequences& sequencesOf(mudnnRNNDataDescriptor_t descriptor, const mudnnRNNStruct& network,
                             int64_t size) {
  require(descriptor && descriptor->isSet, "the data's descriptor is missing or was never set");
  require(descriptor->type == network.type, "the data has another type than the network");
  require(descriptor->sequences.size == size, "the data's vectors have another size than the network's");
  return descriptor->sequences;
}

struct State {
  mudnnTensorDescriptor_t descriptor;
  const void* data;
};

// A state of all layers, which may be missing: then it is zero, or not wanted.
Array stateOf(const State& state, const Network& network, int64_t batch, int64_t size) {
  if (!state.data) return {};
  const Array array = tensor(state.descriptor, state.data);
  const int64_t layers = static_cast<int64_t>(network.layers) * network.directions;
  require(array.rank == 3 && array.sizes[0] == layers && array.sizes[1] == batch && array.sizes[2] == size,
          "a state is of layers times directions, the batch and the size of a vector");
  return array;
}

size_t bytesOf(const mudnnRNNStruct& descriptor, const Network& network) {
  return static_cast<size_t>(weightCount(network)) * sizeOf(elementOf(descriptor.type));
}
Array weightsOf(const mudnnRNNStruct& descriptor, const Network& network, const void* data, size_t bytes) {
  require(data && bytes >= bytesOf(descriptor, network), "the memory of weights is missing or too small");
  const int64_t count = weightCount(network);
  return contiguousArray(elementOf(descriptor.type), const_cast<void*>(data), 1, &count);
}

// x and y, the weights, and what training keeps.
struct Given {
  mudnnRNNDataDescriptor_t xDesc;
  const void* x;
  mudnnRNNDataDescriptor_t yDesc;
  const void* y;
  size_t reserveSize;
  void* reserve;
};
NetworkArrays arraysOf(mudnnRNNDescriptor_t descriptor, const Network& network, const Given& given,
                       bool trains) {
  NetworkArrays arrays;
  arrays.x = sequencesOf(given.xDesc, *descriptor, network.inputs);
  arrays.y = sequencesOf(given.yDesc, *descriptor, network.projection * network.directions);
  require(arrays.x.layout == arrays.y.layout && arrays.x.time == arrays.y.time &&
              arrays.x.lengths == arrays.y.lengths,
          "x and y have different sequences");
  arrays.dataX = const_cast<void*>(given.x);
  arrays.dataY = const_cast<void*>(given.y);
  if (trains) {
    require(given.reserve && given.reserveSize >= tapeSize(network, arrays.x),
            "the reserve space is too small");
    arrays.tape = given.reserve;
  }
  return arrays;
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnBuildRNNDynamic(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int miniBatch) {
  return entry(
      "mudnnBuildRNNDynamic",
      [&] {
        if (!isHandle(handle) || !rnnDesc || !rnnDesc->isSet || miniBatch < 1) return MUDNN_STATUS_BAD_PARAM;
        return MUDNN_STATUS_SUCCESS;  // there is nothing to build
      },
      handle, rnnDesc, miniBatch);
}

MUDNN_ENTRY mudnnGetRNNWeightSpaceSize(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                       size_t* weightSpaceSize) {
  return entry(
      "mudnnGetRNNWeightSpaceSize",
      [&] {
        if (!isHandle(handle) || !weightSpaceSize) return MUDNN_STATUS_BAD_PARAM;
        *weightSpaceSize = bytesOf(*rnnDesc, networkOf(rnnDesc));
        return MUDNN_STATUS_SUCCESS;
      },
      handle, rnnDesc, weightSpaceSize);
}

MUDNN_ENTRY mudnnGetRNNTempSpaceSizes(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                      mudnnForwardMode_t fwdMode, mudnnRNNDataDescriptor_t xDesc,
                                      size_t* workSpaceSize, size_t* reserveSpaceSize) {
  return entry(
      "mudnnGetRNNTempSpaceSizes",
      [&] {
        if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
        const Network network = networkOf(rnnDesc);
        const Sequences& x = sequencesOf(xDesc, *rnnDesc, network.inputs);
        if (workSpaceSize) *workSpaceSize = 0;
        if (reserveSpaceSize)
          *reserveSpaceSize = fwdMode == MUDNN_FWD_MODE_TRAINING ? tapeSize(network, x) : 0;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, rnnDesc, fwdMode, xDesc);
}

MUDNN_ENTRY mudnnGetRNNWeightParams(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int32_t pseudoLayer,
                                    size_t weightSpaceSize, const void* weightSpace, int32_t linLayerID,
                                    mudnnTensorDescriptor_t mDesc, void** mAddr,
                                    mudnnTensorDescriptor_t bDesc, void** bAddr) {
  return entry(
      "mudnnGetRNNWeightParams",
      [&] {
        if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
        const Network network = networkOf(rnnDesc);
        const int64_t ids = 2 * network.gates() + (network.cell == Cell::kLstm ? 1 : 0);
        if (pseudoLayer < 0 || pseudoLayer >= network.layers * network.directions || linLayerID < 0 ||
            linLayerID >= ids || !weightSpace || weightSpaceSize < bytesOf(*rnnDesc, network))
          return MUDNN_STATUS_BAD_PARAM;
        const auto tell = [&](const WeightPlace& place, mudnnTensorDescriptor_t descriptor, void** address) {
          if (address)
            *address = place.rows ? const_cast<char*>(static_cast<const char*>(weightSpace)) +
                                        static_cast<size_t>(place.offset) * sizeOf(elementOf(rnnDesc->type))
                                  : nullptr;
          if (!descriptor) return;
          const int64_t sizes[] = {1, place.rows, place.columns};
          *descriptor = {place.rows > 0, rnnDesc->type, contiguousArray(Element::kFloat, nullptr, 3, sizes)};
        };
        tell(matrixPlace(network, pseudoLayer, linLayerID), mDesc, mAddr);
        tell(biasPlace(network, pseudoLayer, linLayerID), bDesc, bAddr);
        return MUDNN_STATUS_SUCCESS;
      },
      handle, rnnDesc, pseudoLayer, weightSpaceSize, weightSpace, linLayerID);
}

MUDNN_ENTRY mudnnRNNForward(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnForwardMode_t fwdMode,
                            const int32_t* devSeqLengths, mudnnRNNDataDescriptor_t xDesc, const void* x,
                            mudnnRNNDataDescriptor_t yDesc, void* y, mudnnTensorDescriptor_t hDesc,
                            const void* hx, void* hy, mudnnTensorDescriptor_t cDesc, const void* cx, void* cy,
                            size_t weightSpaceSize, const void* weightSpace, size_t workSpaceSize,
                            void* workSpace, size_t reserveSpaceSize, void* reserveSpace) {
  return work(
      "mudnnRNNForward", handle,
      [&] {
        const Network network = networkOf(rnnDesc);
        require(x && y, "x or y has no memory");
        const bool trains = fwdMode == MUDNN_FWD_MODE_TRAINING;
        NetworkArrays arrays =
            arraysOf(rnnDesc, network, {xDesc, x, yDesc, y, reserveSpaceSize, reserveSpace}, trains);
        arrays.weights = weightsOf(*rnnDesc, network, weightSpace, weightSpaceSize);
        const int64_t batch = arrays.x.batch;
        arrays.hx = stateOf({hDesc, hx}, network, batch, network.projection);
        arrays.hy = stateOf({hDesc, hy}, network, batch, network.projection);
        if (network.cell == Cell::kLstm) {
          arrays.cx = stateOf({cDesc, cx}, network, batch, network.hidden);
          arrays.cy = stateOf({cDesc, cy}, network, batch, network.hidden);
        }
        return recurrentForward(network, arrays, trains);
      },
      rnnDesc, fwdMode, devSeqLengths, xDesc, x, yDesc, y, hDesc, hx, hy, cDesc, cx, cy, weightSpaceSize,
      weightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
}

MUDNN_ENTRY mudnnRNNBackwardData_v8(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                    const int32_t* devSeqLengths, mudnnRNNDataDescriptor_t yDesc,
                                    const void* y, const void* dy, mudnnRNNDataDescriptor_t xDesc, void* dx,
                                    mudnnTensorDescriptor_t hDesc, const void* hx, const void* dhy, void* dhx,
                                    mudnnTensorDescriptor_t cDesc, const void* cx, const void* dcy, void* dcx,
                                    size_t weightSpaceSize, const void* weightSpace, size_t workSpaceSize,
                                    void* workSpace, size_t reserveSpaceSize, void* reserveSpace) {
  return work(
      "mudnnRNNBackwardData_v8", handle,
      [&] {
        const Network network = networkOf(rnnDesc);
        require(y && dy && dx, "y, dy or dx has no memory");
        NetworkArrays arrays =
            arraysOf(rnnDesc, network, {xDesc, nullptr, yDesc, y, reserveSpaceSize, reserveSpace}, true);
        arrays.weights = weightsOf(*rnnDesc, network, weightSpace, weightSpaceSize);
        const int64_t batch = arrays.x.batch;
        NetworkGradients gradients;
        gradients.y = const_cast<void*>(dy);
        gradients.x = dx;
        arrays.hx = stateOf({hDesc, hx}, network, batch, network.projection);
        gradients.hy = stateOf({hDesc, dhy}, network, batch, network.projection);
        gradients.hx = stateOf({hDesc, dhx}, network, batch, network.projection);
        if (network.cell == Cell::kLstm) {
          arrays.cx = stateOf({cDesc, cx}, network, batch, network.hidden);
          gradients.cy = stateOf({cDesc, dcy}, network, batch, network.hidden);
          gradients.cx = stateOf({cDesc, dcx}, network, batch, network.hidden);
        }
        return recurrentBackwardData(network, arrays, gradients);
      },
      rnnDesc, devSeqLengths, yDesc, y, dy, xDesc, dx, hDesc, hx, dhy, dhx, cDesc, cx, dcy, dcx,
      weightSpaceSize, weightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
}

MUDNN_ENTRY mudnnRNNBackwardWeights_v8(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc,
                                       mudnnWgradMode_t addGrad, const int32_t* devSeqLengths,
                                       mudnnRNNDataDescriptor_t xDesc, const void* x,
                                       mudnnTensorDescriptor_t hDesc, const void* hx,
                                       mudnnRNNDataDescriptor_t yDesc, const void* y, size_t weightSpaceSize,
                                       void* dweightSpace, size_t workSpaceSize, void* workSpace,
                                       size_t reserveSpaceSize, void* reserveSpace) {
  return work(
      "mudnnRNNBackwardWeights_v8", handle,
      [&] {
        const Network network = networkOf(rnnDesc);
        require(x && y, "x or y has no memory");
        requireSupport(addGrad == MUDNN_WGRAD_MODE_ADD, "gradients of weights are added to what is there");
        NetworkArrays arrays =
            arraysOf(rnnDesc, network, {xDesc, x, yDesc, y, reserveSpaceSize, reserveSpace}, true);
        arrays.hx = stateOf({hDesc, hx}, network, arrays.x.batch, network.projection);
        return recurrentBackwardWeights(network, arrays,
                                        weightsOf(*rnnDesc, network, dweightSpace, weightSpaceSize));
      },
      rnnDesc, addGrad, devSeqLengths, xDesc, x, hDesc, hx, yDesc, y, weightSpaceSize, dweightSpace,
      workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
}

}  // extern "C"
