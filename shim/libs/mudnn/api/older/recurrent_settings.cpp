// Settings of recurrent networks one by one, as before mudnnSetRNNDescriptor_v8(): the type of data and the
// size of inputs come with each call.
#include "libs/mudnn/api/recurrent.h"

using musashim::mudnn::entry;
using musashim::mudnn::isHandle;

namespace {

template <class T>
void put(T* to, T value) {
  if (to) *to = value;
}

template <class Enum>
bool isIn(Enum value, Enum first, Enum last) {
  return value >= first && value <= last;
}

// What descriptors have that say nothing of it.
constexpr mudnnDataType_t kType = MUDNN_DATA_FLOAT;
constexpr int kInputs = 1;

// get or set a setting of a network that is described.
template <class Body>
mudnnStatus_t setting(const char* name, mudnnRNNDescriptor_t descriptor, Body&& body) {
  return entry(
      name,
      [&] {
        if (!descriptor || !descriptor->isSet) return MUDNN_STATUS_BAD_PARAM;
        return body(*descriptor);
      },
      descriptor);
}

template <class Field, class Value>
mudnnStatus_t set(const char* name, mudnnRNNDescriptor_t descriptor, Field mudnnRNNStruct::* field,
                  Value value, bool isValid) {
  return setting(name, descriptor, [&](mudnnRNNStruct& network) {
    if (!isValid) return MUDNN_STATUS_BAD_PARAM;
    network.*field = value;
    return MUDNN_STATUS_SUCCESS;
  });
}

template <class Field, class Value>
mudnnStatus_t get(const char* name, mudnnRNNDescriptor_t descriptor, Field mudnnRNNStruct::* field,
                  Value* to) {
  return setting(name, descriptor, [&](const mudnnRNNStruct& network) {
    if (!to) return MUDNN_STATUS_BAD_PARAM;
    *to = network.*field;
    return MUDNN_STATUS_SUCCESS;
  });
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnSetRNNDescriptor_v6(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int hiddenSize,
                                     int numLayers, mudnnDropoutDescriptor_t dropoutDesc,
                                     mudnnRNNInputMode_t inputMode, mudnnDirectionMode_t direction,
                                     mudnnRNNMode_t cellMode, mudnnRNNAlgo_t algo, mudnnDataType_t mathPrec) {
  return entry(
      "mudnnSetRNNDescriptor_v6",
      [&] {
        if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
        const mudnnStatus_t status = mudnnSetRNNDescriptor_v8(
            rnnDesc, algo, cellMode, MUDNN_RNN_DOUBLE_BIAS, direction, inputMode,
            mathPrec == MUDNN_DATA_DOUBLE ? MUDNN_DATA_DOUBLE : kType,
            mathPrec == MUDNN_DATA_HALF ? kType : mathPrec, MUDNN_DEFAULT_MATH, kInputs, hiddenSize,
            hiddenSize, numLayers, dropoutDesc, MUDNN_RNN_PADDED_IO_DISABLED);
        if (status == MUDNN_STATUS_SUCCESS) rnnDesc->precision = mathPrec;
        return status;
      },
      handle, rnnDesc, hiddenSize, numLayers, dropoutDesc, inputMode, direction, cellMode, algo, mathPrec);
}
MUDNN_ENTRY mudnnSetRNNDescriptor(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int hiddenSize,
                                  int numLayers, mudnnDropoutDescriptor_t dropoutDesc,
                                  mudnnRNNInputMode_t inputMode, mudnnDirectionMode_t direction,
                                  mudnnRNNMode_t cellMode, mudnnRNNAlgo_t algo, mudnnDataType_t mathPrec) {
  return mudnnSetRNNDescriptor_v6(handle, rnnDesc, hiddenSize, numLayers, dropoutDesc, inputMode, direction,
                                  cellMode, algo, mathPrec);
}

MUDNN_ENTRY mudnnGetRNNDescriptor_v6(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int* hiddenSize,
                                     int* numLayers, mudnnDropoutDescriptor_t* dropoutDesc,
                                     mudnnRNNInputMode_t* inputMode, mudnnDirectionMode_t* direction,
                                     mudnnRNNMode_t* cellMode, mudnnRNNAlgo_t* algo,
                                     mudnnDataType_t* mathPrec) {
  return setting("mudnnGetRNNDescriptor_v6", rnnDesc, [&](const mudnnRNNStruct& network) {
    if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
    put(hiddenSize, network.hidden);
    put(numLayers, network.layers);
    put(dropoutDesc, network.dropout);
    put(inputMode, network.input);
    put(direction, network.direction);
    put(cellMode, network.mode);
    put(algo, network.algorithm);
    put(mathPrec, network.precision);
    return MUDNN_STATUS_SUCCESS;
  });
}
MUDNN_ENTRY mudnnGetRNNDescriptor(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int* hiddenSize,
                                  int* numLayers, mudnnDropoutDescriptor_t* dropoutDesc,
                                  mudnnRNNInputMode_t* inputMode, mudnnDirectionMode_t* direction,
                                  mudnnRNNMode_t* cellMode, mudnnRNNAlgo_t* algo, mudnnDataType_t* mathPrec) {
  return mudnnGetRNNDescriptor_v6(handle, rnnDesc, hiddenSize, numLayers, dropoutDesc, inputMode, direction,
                                  cellMode, algo, mathPrec);
}

MUDNN_ENTRY mudnnSetRNNMatrixMathType(mudnnRNNDescriptor_t rnnDesc, mudnnMathType_t mType) {
  return set("mudnnSetRNNMatrixMathType", rnnDesc, &mudnnRNNStruct::math, mType,
             isIn(mType, MUDNN_DEFAULT_MATH, MUDNN_FMA_MATH));
}
MUDNN_ENTRY mudnnGetRNNMatrixMathType(mudnnRNNDescriptor_t rnnDesc, mudnnMathType_t* mType) {
  return get("mudnnGetRNNMatrixMathType", rnnDesc, &mudnnRNNStruct::math, mType);
}

MUDNN_ENTRY mudnnSetRNNBiasMode(mudnnRNNDescriptor_t rnnDesc, mudnnRNNBiasMode_t biasMode) {
  return set("mudnnSetRNNBiasMode", rnnDesc, &mudnnRNNStruct::bias, biasMode,
             isIn(biasMode, MUDNN_RNN_NO_BIAS, MUDNN_RNN_SINGLE_REC_BIAS));
}
MUDNN_ENTRY mudnnGetRNNBiasMode(mudnnRNNDescriptor_t rnnDesc, mudnnRNNBiasMode_t* biasMode) {
  return get("mudnnGetRNNBiasMode", rnnDesc, &mudnnRNNStruct::bias, biasMode);
}

MUDNN_ENTRY mudnnSetRNNPaddingMode(mudnnRNNDescriptor_t rnnDesc, unsigned paddingMode) {
  return set("mudnnSetRNNPaddingMode", rnnDesc, &mudnnRNNStruct::flags, paddingMode,
             paddingMode <= MUDNN_RNN_PADDED_IO_ENABLED);
}
MUDNN_ENTRY mudnnGetRNNPaddingMode(mudnnRNNDescriptor_t rnnDesc, unsigned* paddingMode) {
  return get("mudnnGetRNNPaddingMode", rnnDesc, &mudnnRNNStruct::flags, paddingMode);
}

MUDNN_ENTRY mudnnSetRNNProjectionLayers(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int recProjSize,
                                        int outProjSize) {
  return setting("mudnnSetRNNProjectionLayers", rnnDesc, [&](mudnnRNNStruct& network) {
    if (!isHandle(handle) || recProjSize < 1 || recProjSize > network.hidden || outProjSize < 0)
      return MUDNN_STATUS_BAD_PARAM;
    const bool isProjected = recProjSize != network.hidden;
    if (outProjSize != 0 ||
        (isProjected && (network.mode != MUDNN_LSTM || network.algorithm != MUDNN_RNN_ALGO_STANDARD)))
      return MUDNN_STATUS_NOT_SUPPORTED;
    network.projection = recProjSize;
    return MUDNN_STATUS_SUCCESS;
  });
}
MUDNN_ENTRY mudnnGetRNNProjectionLayers(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, int* recProjSize,
                                        int* outProjSize) {
  return setting("mudnnGetRNNProjectionLayers", rnnDesc, [&](const mudnnRNNStruct& network) {
    if (!isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
    put(recProjSize, network.projection);
    put(outProjSize, 0);
    return MUDNN_STATUS_SUCCESS;
  });
}

MUDNN_ENTRY mudnnRNNSetClip(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t clipMode,
                            mudnnNanPropagation_t clipNanOpt, double lclip, double rclip) {
  return isHandle(handle) ? mudnnRNNSetClip_v8(rnnDesc, clipMode, clipNanOpt, lclip, rclip)
                          : MUDNN_STATUS_BAD_PARAM;
}
MUDNN_ENTRY mudnnRNNGetClip(mudnnHandle_t handle, mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t* clipMode,
                            mudnnNanPropagation_t* clipNanOpt, double* lclip, double* rclip) {
  return isHandle(handle) ? mudnnRNNGetClip_v8(rnnDesc, clipMode, clipNanOpt, lclip, rclip)
                          : MUDNN_STATUS_BAD_PARAM;
}

}  // extern "C"
