// Filters and biases in the order of engines for 8-bit integers.
#include <cstring>

#include "libs/mudnn/api/entry.h"

using musashim::mudnn::Work;

extern "C" MUDNN_ENTRY mudnnReorderFilterAndBias(mudnnHandle_t handle,
                                                 const mudnnFilterDescriptor_t filterDesc,
                                                 mudnnReorderType_t reorderType, const void* filterData,
                                                 void* reorderedFilterData, int reorderBias,
                                                 const void* biasData, void* reorderedBiasData) {
  return musashim::mudnn::work(
      "mudnnReorderFilterAndBias", handle,
      [&]() -> Work {
        musashim::mudnn::require(filterDesc && filterDesc->isSet && filterData && reorderedFilterData,
                                 "a filter or its memory is missing");
        musashim::mudnn::require(!reorderBias || (biasData && reorderedBiasData), "a bias has no memory");
        musashim::mudnn::requireSupport(reorderType == MUDNN_NO_REORDER,
                                        "the order of engines for 8-bit integers is not documented");
        const size_t bytes = static_cast<size_t>(filterDesc->shape.count()) *
                             musashim::mudnn::sizeOf(musashim::mudnn::elementOf(filterDesc->type));
        const size_t biasBytes = static_cast<size_t>(filterDesc->shape.sizes[0]) * sizeof(float);
        return [=] {
          std::memcpy(reorderedFilterData, filterData, bytes);
          if (reorderBias) std::memcpy(reorderedBiasData, biasData, biasBytes);
        };
      },
      filterDesc, reorderType, filterData, reorderedFilterData, reorderBias, biasData, reorderedBiasData);
}
