// Between sparse and dense matrices.
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

namespace musashim::musparse {

musparseStatus_t sparseToDenseBufferSize(Settings& self, const musparseSpMatDescr* A, musparseDnMatDescr* B,
                                         musparseSparseToDenseAlg_t alg, size_t* size);
musparseStatus_t sparseToDense(Settings& self, const musparseSpMatDescr* A, musparseDnMatDescr* B,
                               musparseSparseToDenseAlg_t alg, void* buffer);
musparseStatus_t denseToSparseBufferSize(Settings& self, const musparseDnMatDescr* A, musparseSpMatDescr* B,
                                         musparseDenseToSparseAlg_t alg, size_t* size);
musparseStatus_t denseToSparseAnalysis(Settings& self, const musparseDnMatDescr* A, musparseSpMatDescr* B,
                                       musparseDenseToSparseAlg_t alg, void* buffer);
musparseStatus_t denseToSparseConvert(Settings& self, const musparseDnMatDescr* A, musparseSpMatDescr* B,
                                      musparseDenseToSparseAlg_t alg, void* buffer);

}  // namespace musashim::musparse
