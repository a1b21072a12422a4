// Sparse vectors with dense ones.
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

namespace musashim::musparse {

musparseStatus_t axpby(Settings& self, const void* alpha, const musparseSpVecDescr* x, const void* beta,
                       musparseDnVecDescr* y);
musparseStatus_t gather(Settings& self, const musparseDnVecDescr* y, musparseSpVecDescr* x);
musparseStatus_t scatter(Settings& self, const musparseSpVecDescr* x, musparseDnVecDescr* y);
musparseStatus_t rot(Settings& self, const void* c, const void* s, musparseSpVecDescr* x,
                     musparseDnVecDescr* y);
musparseStatus_t spvv(Settings& self, musparseOperation_t opX, const musparseSpVecDescr* x,
                      const musparseDnVecDescr* y, void* result, musaDataType computeType, void* buffer);
musparseStatus_t spvvBufferSize(Settings& self, musparseOperation_t opX, const musparseSpVecDescr* x,
                                const musparseDnVecDescr* y, const void* result, musaDataType computeType,
                                size_t* size);

}  // namespace musashim::musparse
