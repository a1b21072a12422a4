// Products: of a sparse matrix with a vector or a dense matrix, of two sparse ones, and of two dense ones
// where a sparse one has elements. Sums are formed in the type that computes, in the order of storage.
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

namespace musashim::musparse {

using Sparse = musparseSpMatDescr;
using DenseVector = musparseDnVecDescr;
using DenseMatrix = musparseDnMatDescr;
using Op = musparseOperation_t;

musparseStatus_t spmv(Settings& self, Op opA, const void* alpha, const Sparse* A, const DenseVector* X,
                      const void* beta, DenseVector* Y, musaDataType computeType, musparseSpMVAlg_t alg,
                      void* buffer);
musparseStatus_t spmvBufferSize(Settings& self, Op opA, const void* alpha, const Sparse* A,
                                const DenseVector* X, const void* beta, DenseVector* Y,
                                musaDataType computeType, musparseSpMVAlg_t alg, size_t* size);
musparseStatus_t spmvPreprocess(Settings& self, Op opA, const void* alpha, const Sparse* A,
                                const DenseVector* X, const void* beta, DenseVector* Y,
                                musaDataType computeType, musparseSpMVAlg_t alg, void* buffer);

musparseStatus_t spmm(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                      const DenseMatrix* B, const void* beta, DenseMatrix* C, musaDataType computeType,
                      musparseSpMMAlg_t alg, void* buffer);
musparseStatus_t spmmBufferSize(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                const DenseMatrix* B, const void* beta, DenseMatrix* C,
                                musaDataType computeType, musparseSpMMAlg_t alg, size_t* size);
musparseStatus_t spmmPreprocess(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                const DenseMatrix* B, const void* beta, DenseMatrix* C,
                                musaDataType computeType, musparseSpMMAlg_t alg, void* buffer);

musparseStatus_t sddmm(Settings& self, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                       const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                       musparseSDDMMAlg_t alg, void* buffer);
musparseStatus_t sddmmBufferSize(Settings& self, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                                 const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                                 musparseSDDMMAlg_t alg, size_t* size);
musparseStatus_t sddmmPreprocess(Settings& self, Op opA, Op opB, const void* alpha, const DenseMatrix* A,
                                 const DenseMatrix* B, const void* beta, Sparse* C, musaDataType computeType,
                                 musparseSDDMMAlg_t alg, void* buffer);

using SpGEMM = musparseSpGEMMDescr;
musparseStatus_t spgemmWorkEstimation(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                      const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                      musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size1, void* buffer1);
musparseStatus_t spgemmGetNumProducts(SpGEMM& self, int64_t* products);
musparseStatus_t spgemmEstimateMemory(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                      const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                      musparseSpGEMMAlg_t alg, SpGEMM* descr, float chunk, size_t* size3,
                                      void* buffer3, size_t* size2);
musparseStatus_t spgemmCompute(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                               const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                               musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size2, void* buffer2);
musparseStatus_t spgemmCopy(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                            const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                            musparseSpGEMMAlg_t alg, SpGEMM* descr);
musparseStatus_t spgemmreuseWorkEstimation(Settings& self, Op opA, Op opB, const Sparse* A, const Sparse* B,
                                           Sparse* C, musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size1,
                                           void* buffer1);
musparseStatus_t spgemmreuseNnz(Settings& self, Op opA, Op opB, const Sparse* A, const Sparse* B, Sparse* C,
                                musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size2, void* buffer2,
                                size_t* size3, void* buffer3, size_t* size4, void* buffer4);
musparseStatus_t spgemmreuseCopy(Settings& self, Op opA, Op opB, const Sparse* A, const Sparse* B, Sparse* C,
                                 musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size5, void* buffer5);
musparseStatus_t spgemmreuseCompute(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                    const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                    musparseSpGEMMAlg_t alg, SpGEMM* descr);

// Which types go together.
bool productTypes(musaDataType a, musaDataType x, musaDataType y, musaDataType compute, bool mixed);

}  // namespace musashim::musparse
