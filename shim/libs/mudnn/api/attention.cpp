// Multi-head attention.
#include "libs/mudnn/sequences/attention.h"

#include "libs/mudnn/api/attention.h"

using namespace musashim::mudnn;

namespace {

Attention attentionOf(mudnnAttnDescriptor_t d) {
  require(d && d->isSet, "the attention's descriptor is missing or was never set");
  Attention attention;
  attention.heads = d->heads;
  attention.scale = d->scale;
  attention.hasBiases = (d->mode & MUDNN_ATTN_ENABLE_PROJ_BIASES) != 0;
  attention.element = elementOf(d->type);
  for (size_t side = 0; side < 3; ++side)
    attention.sides[side] = {d->sizes[side], d->projected[side] ? d->projected[side] : d->sizes[side],
                             d->projected[side] > 0};
  const int64_t inHead = attention.sides[Attention::kValue].inHead;
  attention.sides[Attention::kOut] = {d->projected[3] ? d->projected[3] : inHead * d->heads, inHead,
                                      d->projected[3] > 0};
  return attention;
}

AttentionData dataOf(mudnnSeqDataDescriptor_t descriptor, const void* data, const mudnnAttnStruct& attention,
                     int64_t size, int longest) {
  require(descriptor && descriptor->isSet && descriptor->type == attention.type,
          "data of the sequence is missing or has another type than the attention");
  require(descriptor->sizes[MUDNN_SEQDATA_VECT_DIM] == size,
          "vectors have another size than the attention's");
  require(descriptor->sizes[MUDNN_SEQDATA_TIME_DIM] <= longest &&
              descriptor->sizes[MUDNN_SEQDATA_BATCH_DIM] <= attention.batch &&
              descriptor->sizes[MUDNN_SEQDATA_BEAM_DIM] <= attention.beam,
          "the sequences are more or longer than the attention's");
  requireSupport(descriptor->sizes[MUDNN_SEQDATA_BEAM_DIM] == 1, "there is one beam");
  int64_t strides[MUDNN_SEQDATA_DIM_COUNT] = {}, stride = 1;
  for (int i = MUDNN_SEQDATA_DIM_COUNT; i-- > 0;) {
    strides[descriptor->axes[i]] = stride;
    stride *= descriptor->sizes[descriptor->axes[i]];
  }
  return {const_cast<void*>(data),
          descriptor->sizes[MUDNN_SEQDATA_TIME_DIM],
          descriptor->sizes[MUDNN_SEQDATA_BATCH_DIM],
          strides[MUDNN_SEQDATA_TIME_DIM],
          strides[MUDNN_SEQDATA_BATCH_DIM],
          size};
}

size_t weightBytes(const Attention& attention) {
  return static_cast<size_t>(attentionWeightCount(attention)) * sizeOf(attention.element);
}
size_t tapeBytes(const mudnnAttnStruct& d, const Attention& attention) {
  return attentionTapeSize(attention, d.longestQuery, d.longestKey, d.batch);
}

// Four sequences in the order of Attention::Side.
struct Four {
  mudnnSeqDataDescriptor_t descriptors[4];
  const void* data[4];
};
AttentionArrays arraysOf(mudnnAttnDescriptor_t descriptor, const Attention& attention, const Four& four) {
  AttentionArrays arrays;
  for (size_t side = 0; side < 4; ++side)
    arrays.data[side] =
        dataOf(four.descriptors[side], four.data[side], *descriptor, attention.sides[side].size,
               side == Attention::kQuery || side == Attention::kOut ? descriptor->longestQuery
                                                                    : descriptor->longestKey);
  const auto& data = arrays.data;
  require(data[0].time == data[3].time && data[1].time == data[2].time && data[0].batch == data[1].batch &&
              data[0].batch == data[2].batch && data[0].batch == data[3].batch,
          "the sequences do not fit one another");
  return arrays;
}

void takeWeights(AttentionArrays& arrays, const Attention& attention, size_t bytes, const void* weights) {
  require(bytes >= weightBytes(attention) && (weights || weightBytes(attention) == 0), "weights are missing");
  arrays.weights = weights;
}
void takeWindows(AttentionArrays& arrays, const int* from, const int* to) {
  require(from && to, "the windows are missing");
  arrays.from.assign(from, from + arrays.data[0].time);
  arrays.to.assign(to, to + arrays.data[0].time);
}
void takeTape(AttentionArrays& arrays, const Attention& attention, const mudnnAttnStruct& d, void* reserve,
              size_t bytes) {
  require(reserve && bytes >= tapeBytes(d, attention), "the reserve or work space is too small");
  arrays.tape = reserve;
}

}  // namespace

extern "C" {

MUDNN_ENTRY mudnnGetMultiHeadAttnBuffers(mudnnHandle_t handle, const mudnnAttnDescriptor_t attnDesc,
                                         size_t* weightSizeInBytes, size_t* workSpaceSizeInBytes,
                                         size_t* reserveSpaceSizeInBytes) {
  return entry(
      "mudnnGetMultiHeadAttnBuffers",
      [&] {
        if (!isHandle(handle) || !weightSizeInBytes || !workSpaceSizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        const Attention attention = attentionOf(attnDesc);
        *weightSizeInBytes = weightBytes(attention);
        // What is computed on the way is in the reserve space where gradients are wanted, else in the work
        // space.
        *workSpaceSizeInBytes = reserveSpaceSizeInBytes ? 0 : tapeBytes(*attnDesc, attention);
        if (reserveSpaceSizeInBytes) *reserveSpaceSizeInBytes = tapeBytes(*attnDesc, attention);
        return MUDNN_STATUS_SUCCESS;
      },
      handle, attnDesc);
}

MUDNN_ENTRY mudnnGetMultiHeadAttnWeights(mudnnHandle_t handle, const mudnnAttnDescriptor_t attnDesc,
                                         mudnnMultiHeadAttnWeightKind_t wKind, size_t weightSizeInBytes,
                                         const void* weights, mudnnTensorDescriptor_t wDesc, void** wAddr) {
  return entry(
      "mudnnGetMultiHeadAttnWeights",
      [&] {
        if (!isHandle(handle) || !wDesc || !wAddr || wKind < MUDNN_MH_ATTN_Q_WEIGHTS ||
            wKind > MUDNN_MH_ATTN_O_BIASES)
          return MUDNN_STATUS_BAD_PARAM;
        const Attention attention = attentionOf(attnDesc);
        if (weightSizeInBytes < weightBytes(attention)) return MUDNN_STATUS_BAD_PARAM;
        const auto side = static_cast<Attention::Side>(wKind % 4);
        const AttentionPlace place = wKind < MUDNN_MH_ATTN_Q_BIASES ? attentionWeights(attention, side)
                                                                    : attentionBiases(attention, side);
        *wAddr = nullptr;
        if (place.heads == 0) return MUDNN_STATUS_SUCCESS;
        *wAddr = const_cast<char*>(static_cast<const char*>(weights)) +
                 static_cast<size_t>(place.offset) * sizeOf(attention.element);
        Array array;
        array.rank = 3;
        array.sizes = {place.heads, place.rows, place.columns};
        array.strides = {place.ofHead, place.ofRow, place.ofColumn};
        *wDesc = {true, attnDesc->type, array};
        return MUDNN_STATUS_SUCCESS;
      },
      handle, attnDesc, wKind, weightSizeInBytes, weights);
}

MUDNN_ENTRY mudnnMultiHeadAttnForward(mudnnHandle_t handle, const mudnnAttnDescriptor_t attnDesc, int currIdx,
                                      const int* loWinIdx, const int* hiWinIdx, const int* devSeqLengthsQO,
                                      const int* devSeqLengthsKV, const mudnnSeqDataDescriptor_t qDesc,
                                      const void* queries, const void* residuals,
                                      const mudnnSeqDataDescriptor_t kDesc, const void* keys,
                                      const mudnnSeqDataDescriptor_t vDesc, const void* values,
                                      const mudnnSeqDataDescriptor_t oDesc, void* out,
                                      size_t weightSizeInBytes, const void* weights,
                                      size_t workSpaceSizeInBytes, void* workSpace,
                                      size_t reserveSpaceSizeInBytes, void* reserveSpace) {
  return work(
      "mudnnMultiHeadAttnForward", handle,
      [&] {
        const Attention attention = attentionOf(attnDesc);
        require(queries && keys && values && out, "a sequence has no memory");
        AttentionArrays arrays =
            arraysOf(attnDesc, attention, {{qDesc, kDesc, vDesc, oDesc}, {queries, keys, values, out}});
        takeWeights(arrays, attention, weightSizeInBytes, weights);
        takeWindows(arrays, loWinIdx, hiWinIdx);
        require(currIdx < arrays.data[0].time && (currIdx < 0 || !reserveSpace), "there is no such query");
        arrays.only = currIdx < 0 ? -1 : currIdx;
        arrays.lengthsQuery = devSeqLengthsQO;
        arrays.lengthsKey = devSeqLengthsKV;
        if (residuals) {
          arrays.residual = arrays.data[Attention::kOut];
          arrays.residual.data = const_cast<void*>(residuals);
        }
        takeTape(arrays, attention, *attnDesc, reserveSpace ? reserveSpace : workSpace,
                 reserveSpace ? reserveSpaceSizeInBytes : workSpaceSizeInBytes);
        return attentionForward(attention, arrays);
      },
      attnDesc, currIdx, loWinIdx, hiWinIdx, devSeqLengthsQO, devSeqLengthsKV, qDesc, queries, residuals,
      kDesc, keys, vDesc, values, oDesc, out, weightSizeInBytes, weights, workSpaceSizeInBytes, workSpace,
      reserveSpaceSizeInBytes, reserveSpace);
}

MUDNN_ENTRY mudnnMultiHeadAttnBackwardData(
    mudnnHandle_t handle, const mudnnAttnDescriptor_t attnDesc, const int* loWinIdx, const int* hiWinIdx,
    const int* devSeqLengthsDQDO, const int* devSeqLengthsDKDV, const mudnnSeqDataDescriptor_t doDesc,
    const void* dout, const mudnnSeqDataDescriptor_t dqDesc, void* dqueries, const void* queries,
    const mudnnSeqDataDescriptor_t dkDesc, void* dkeys, const void* keys,
    const mudnnSeqDataDescriptor_t dvDesc, void* dvalues, const void* values, size_t weightSizeInBytes,
    const void* weights, size_t workSpaceSizeInBytes, void* workSpace, size_t reserveSpaceSizeInBytes,
    void* reserveSpace) {
  return work(
      "mudnnMultiHeadAttnBackwardData", handle,
      [&] {
        const Attention attention = attentionOf(attnDesc);
        require(dout && dqueries && queries && dkeys && keys && dvalues && values,
                "a sequence has no memory");
        AttentionArrays arrays =
            arraysOf(attnDesc, attention, {{dqDesc, dkDesc, dvDesc, doDesc}, {queries, keys, values, dout}});
        takeWeights(arrays, attention, weightSizeInBytes, weights);
        takeWindows(arrays, loWinIdx, hiWinIdx);
        takeTape(arrays, attention, *attnDesc, reserveSpace, reserveSpaceSizeInBytes);
        std::array<AttentionData, 4> gradients = arrays.data;
        void* const to[] = {dqueries, dkeys, dvalues};
        for (size_t side = 0; side < 3; ++side) gradients[side].data = to[side];
        return attentionBackwardData(attention, arrays, gradients);
      },
      attnDesc, loWinIdx, hiWinIdx, devSeqLengthsDQDO, devSeqLengthsDKDV, doDesc, dout, dqDesc, dqueries,
      queries, dkDesc, dkeys, keys, dvDesc, dvalues, values, weightSizeInBytes, weights, workSpaceSizeInBytes,
      workSpace, reserveSpaceSizeInBytes, reserveSpace);
}

MUDNN_ENTRY mudnnMultiHeadAttnBackwardWeights(mudnnHandle_t handle, const mudnnAttnDescriptor_t attnDesc,
                                              mudnnWgradMode_t addGrad, const mudnnSeqDataDescriptor_t qDesc,
                                              const void* queries, const mudnnSeqDataDescriptor_t kDesc,
                                              const void* keys, const mudnnSeqDataDescriptor_t vDesc,
                                              const void* values, const mudnnSeqDataDescriptor_t doDesc,
                                              const void* dout, size_t weightSizeInBytes, const void* weights,
                                              void* dweights, size_t workSpaceSizeInBytes, void* workSpace,
                                              size_t reserveSpaceSizeInBytes, void* reserveSpace) {
  return work(
      "mudnnMultiHeadAttnBackwardWeights", handle,
      [&] {
        const Attention attention = attentionOf(attnDesc);
        require(queries && keys && values && dout && dweights, "a sequence or the gradient has no memory");
        require(addGrad == MUDNN_WGRAD_MODE_ADD || addGrad == MUDNN_WGRAD_MODE_SET, "there is no such mode");
        AttentionArrays arrays =
            arraysOf(attnDesc, attention, {{qDesc, kDesc, vDesc, doDesc}, {queries, keys, values, dout}});
        takeWeights(arrays, attention, weightSizeInBytes, weights);
        takeTape(arrays, attention, *attnDesc, reserveSpace, reserveSpaceSizeInBytes);
        return attentionBackwardWeights(attention, arrays, arrays.data[Attention::kOut], dweights,
                                        addGrad == MUDNN_WGRAD_MODE_ADD);
      },
      attnDesc, addGrad, qDesc, queries, kDesc, keys, vDesc, values, doDesc, dout, weightSizeInBytes, weights,
      dweights, workSpaceSizeInBytes, workSpace, reserveSpaceSizeInBytes, reserveSpace);
}

}  // extern "C"
