// C = alpha op(A) op(B) + beta C, all sparse. The result is computed by the call that tells its size, kept in
// the descriptor, and copied by the last call.
#include "libs/musparse/matrix/product.h"
#include "libs/musparse/operations/products.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

musparseStatus_t check(Op opA, Op opB, const Sparse* a, const Sparse* b, const Sparse* c,
                       const SpGEMM* descr) {
  MUSPARSE_REQUIRE(a && b && c && descr && isOperation(opA) && isOperation(opB));
  MUSPARSE_SUPPORT(!isTurned(opA) && !isTurned(opB));
  for (const Sparse* matrix : {a, b, c}) MUSPARSE_SUPPORT(matrix->format == MUSPARSE_FORMAT_CSR);
  MUSPARSE_SUPPORT(a->valueType == b->valueType && a->valueType == c->valueType);
  MUSPARSE_REQUIRE(a->cols == b->rows && c->rows == a->rows && c->cols == b->cols);
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t check(Op opA, Op opB, const void* alpha, const Sparse* a, const Sparse* b, const void* beta,
                       const Sparse* c, musaDataType compute, const SpGEMM* descr) {
  MUSPARSE_REQUIRE(alpha && beta);
  MUSPARSE_TRY(check(opA, opB, a, b, c, descr));
  MUSPARSE_SUPPORT(productTypes(a->valueType, b->valueType, c->valueType, compute, false));
  return MUSPARSE_STATUS_SUCCESS;
}

// A call of the pair that asks for a size first and works when it is given a buffer.
bool isQuestion(const void* buffer) { return buffer == nullptr; }

template <class V>
void keep(KeptProduct& kept, Rows<V>&& c) {
  kept.offsets = std::move(c.offsets);
  kept.columns = std::move(c.columns);
  kept.values.resize(c.values.size() * sizeof(V));
  if (!c.values.empty()) std::memcpy(kept.values.data(), c.values.data(), kept.values.size());
}

int64_t countProducts(const Sparse& a, const Sparse& b) {
  const Indices offsets(b.offsets, b.offsetType, b.base);
  int64_t products = 0;
  eachEntry(a, [&](int64_t, int64_t column, int64_t) { products += offsets[column + 1] - offsets[column]; });
  return products;
}

void copyPattern(const KeptProduct& kept, const Sparse& c) {
  for (size_t i = 0; i < kept.offsets.size(); ++i)
    storeIndex(c.offsets, c.offsetType, c.base, static_cast<int64_t>(i), kept.offsets[i]);
  for (size_t i = 0; i < kept.columns.size(); ++i)
    storeIndex(c.indices, c.indexType, c.base, static_cast<int64_t>(i), kept.columns[i]);
}

template <class V>
void copyValues(const KeptProduct& kept, const Sparse& c, V alpha, V beta) {
  const auto* const values = reinterpret_cast<const V*>(kept.values.data());
  for (int64_t i = 0; i < static_cast<int64_t>(kept.columns.size()); ++i) {
    V result = times(alpha, values[i]);
    if (beta != V(0)) result += times(beta, load<V>(c.values, c.valueType, i));
    store(c.values, c.valueType, i, result);
  }
}

}  // namespace

musparseStatus_t spgemmWorkEstimation(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                      const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                      musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr, size_t* size1,
                                      void* buffer1) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, descr));
  if (isQuestion(buffer1)) return answerSize(size1);
  descr->kept = std::make_shared<KeptProduct>();
  return runNow(self, [a = *A, b = *B, kept = descr->kept] { kept->products = countProducts(a, b); });
}

musparseStatus_t spgemmGetNumProducts(SpGEMM& self, int64_t* products) {
  MUSPARSE_REQUIRE(products && self.kept);
  *products = self.kept->products;
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t spgemmEstimateMemory(Settings&, Op opA, Op opB, const void* alpha, const Sparse* A,
                                      const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                      musparseSpGEMMAlg_t alg, SpGEMM* descr, float chunk, size_t* size3,
                                      void* buffer3, size_t* size2) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, descr));
  MUSPARSE_SUPPORT(alg == MUSPARSE_SPGEMM_ALG2 || alg == MUSPARSE_SPGEMM_ALG3);
  MUSPARSE_REQUIRE(chunk > 0 && chunk <= 1);
  if (isQuestion(buffer3)) return answerSize(size3);
  return answerSize(size2);
}

musparseStatus_t spgemmCompute(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                               const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                               musparseSpGEMMAlg_t alg, SpGEMM* descr, size_t* size2, void* buffer2) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, descr));
  // These two are for products that are used again.
  if (alg == MUSPARSE_SPGEMM_CSR_ALG_DETERMINISTIC || alg == MUSPARSE_SPGEMM_CSR_ALG_NONDETERMINISTIC)
    return MUSPARSE_STATUS_INTERNAL_ERROR;
  if (isQuestion(buffer2)) return answerSize(size2);
  MUSPARSE_REQUIRE(descr->kept);
  return withCompute(computeType, [&]<class V>(V) {
    MUSPARSE_TRY(runNow(
        self, [a = *A, b = *B, kept = descr->kept] { keep(*kept, productOf(rowsOf<V>(a), rowsOf<V>(b))); }));
    C->nnz = static_cast<int64_t>(descr->kept->columns.size());
    return MUSPARSE_STATUS_SUCCESS;
  });
}

musparseStatus_t spgemmCopy(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                            const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                            musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, descr));
  MUSPARSE_REQUIRE(descr->kept);
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(
        self, [c = *C, kept = descr->kept, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
          copyPattern(*kept, c);
          copyValues<V>(*kept, c, factor.get(), old.get());
        });
  });
}

musparseStatus_t spgemmreuseWorkEstimation(Settings&, Op opA, Op opB, const Sparse* A, const Sparse* B,
                                           Sparse* C, musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr,
                                           size_t* size1, void* buffer1) {
  MUSPARSE_TRY(check(opA, opB, A, B, C, descr));
  if (isQuestion(buffer1)) return answerSize(size1);
  descr->kept = std::make_shared<KeptProduct>();
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t spgemmreuseNnz(Settings& self, Op opA, Op opB, const Sparse* A, const Sparse* B, Sparse* C,
                                musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr, size_t* size2, void* buffer2,
                                size_t* size3, void* buffer3, size_t* size4, void* buffer4) {
  MUSPARSE_TRY(check(opA, opB, A, B, C, descr));
  MUSPARSE_REQUIRE(descr->kept);
  if (isQuestion(buffer2) || isQuestion(buffer3) || isQuestion(buffer4)) {
    MUSPARSE_TRY(answerSize(size2));
    MUSPARSE_TRY(answerSize(size3));
    return answerSize(size4);
  }
  MUSPARSE_TRY(runNow(self, [a = *A, b = *B, kept = descr->kept]() mutable {
    a.values = b.values = nullptr;  // the pattern alone
    keep(*kept, productOf(rowsOf<float>(a), rowsOf<float>(b)));
  }));
  C->nnz = static_cast<int64_t>(descr->kept->columns.size());
  return MUSPARSE_STATUS_SUCCESS;
}

musparseStatus_t spgemmreuseCopy(Settings& self, Op opA, Op opB, const Sparse* A, const Sparse* B, Sparse* C,
                                 musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr, size_t* size5, void* buffer5) {
  MUSPARSE_TRY(check(opA, opB, A, B, C, descr));
  MUSPARSE_REQUIRE(descr->kept);
  if (isQuestion(buffer5)) return answerSize(size5);
  return enqueue(self, [c = *C, kept = descr->kept] { copyPattern(*kept, c); });
}

musparseStatus_t spgemmreuseCompute(Settings& self, Op opA, Op opB, const void* alpha, const Sparse* A,
                                    const Sparse* B, const void* beta, Sparse* C, musaDataType computeType,
                                    musparseSpGEMMAlg_t /*alg*/, SpGEMM* descr) {
  MUSPARSE_TRY(check(opA, opB, alpha, A, B, beta, C, computeType, descr));
  MUSPARSE_REQUIRE(descr->kept);
  return withCompute(computeType, [&]<class V>(V) {
    return enqueue(self,
                   [a = *A, b = *B, c = *C, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
                     KeptProduct product;
                     keep(product, productOf(rowsOf<V>(a), rowsOf<V>(b)));
                     copyValues<V>(product, c, factor.get(), old.get());
                   });
  });
}

}  // namespace musashim::musparse
