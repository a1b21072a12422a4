// Solutions with sparse triangular matrices, of one and of many right-hand sides.
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

namespace musashim::musparse {

musparseStatus_t spsvBufferSize(Settings& self, musparseOperation_t opA, const void* alpha,
                                const musparseSpMatDescr* A, const musparseDnVecDescr* X,
                                musparseDnVecDescr* Y, musaDataType computeType, musparseSpSVAlg_t alg,
                                musparseSpSVDescr* descr, size_t* size);
musparseStatus_t spsvAnalysis(Settings& self, musparseOperation_t opA, const void* alpha,
                              const musparseSpMatDescr* A, const musparseDnVecDescr* X, musparseDnVecDescr* Y,
                              musaDataType computeType, musparseSpSVAlg_t alg, musparseSpSVDescr* descr,
                              void* buffer);
musparseStatus_t spsvSolve(Settings& self, musparseOperation_t opA, const void* alpha,
                           const musparseSpMatDescr* A, const musparseDnVecDescr* X, musparseDnVecDescr* Y,
                           musaDataType computeType, musparseSpSVAlg_t alg, musparseSpSVDescr* descr);
musparseStatus_t spsvUpdateMatrix(Settings& self, musparseSpSVDescr* descr, void* newValues,
                                  musparseSpSVUpdate_t part);

musparseStatus_t spsmBufferSize(Settings& self, musparseOperation_t opA, musparseOperation_t opB,
                                const void* alpha, const musparseSpMatDescr* A, const musparseDnMatDescr* B,
                                musparseDnMatDescr* C, musaDataType computeType, musparseSpSMAlg_t alg,
                                musparseSpSMDescr* descr, size_t* size);
musparseStatus_t spsmAnalysis(Settings& self, musparseOperation_t opA, musparseOperation_t opB,
                              const void* alpha, const musparseSpMatDescr* A, const musparseDnMatDescr* B,
                              musparseDnMatDescr* C, musaDataType computeType, musparseSpSMAlg_t alg,
                              musparseSpSMDescr* descr, void* buffer);
musparseStatus_t spsmSolve(Settings& self, musparseOperation_t opA, musparseOperation_t opB,
                           const void* alpha, const musparseSpMatDescr* A, const musparseDnMatDescr* B,
                           musparseDnMatDescr* C, musaDataType computeType, musparseSpSMAlg_t alg,
                           musparseSpSMDescr* descr);
musparseStatus_t spsmUpdateMatrix(Settings& self, musparseSpSMDescr* descr, void* newValues,
                                  musparseSpSMUpdate_t part);

}  // namespace musashim::musparse
