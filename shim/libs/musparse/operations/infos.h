// Descriptors of the older calls' matrices, and what these calls keep between them.
#pragma once

#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

namespace musashim::musparse {

template <class T>
musparseStatus_t makeObject(T*& info) {
  info = new T{};
  return MUSPARSE_STATUS_SUCCESS;
}
#define MUSPARSE_INFO(Name, Type) \
  inline musparseStatus_t create##Name(Type*& info) { return makeObject(info); }
MUSPARSE_INFO(MatDescr, musparseMatDescr)
MUSPARSE_INFO(Bsrsv2Info, bsrsv2Info)
MUSPARSE_INFO(Bsrsm2Info, bsrsm2Info)
MUSPARSE_INFO(Csric02Info, csric02Info)
MUSPARSE_INFO(Bsric02Info, bsric02Info)
MUSPARSE_INFO(Csrilu02Info, csrilu02Info)
MUSPARSE_INFO(Bsrilu02Info, bsrilu02Info)
MUSPARSE_INFO(Csru2csrInfo, csru2csrInfo)
MUSPARSE_INFO(PruneInfo, pruneInfo)
MUSPARSE_INFO(Csrsv2Info, csrsv2Info)
MUSPARSE_INFO(Csrsm2Info, csrsm2Info)
MUSPARSE_INFO(Csrgemm2Info, csrgemm2Info)
MUSPARSE_INFO(ColorInfo, musparseColorInfo)
#undef MUSPARSE_INFO

inline musparseStatus_t copyMatDescr(musparseMatDescr& to, const musparseMatDescr* from) {
  MUSPARSE_REQUIRE(from);
  to = *from;
  return MUSPARSE_STATUS_SUCCESS;
}

#define MUSPARSE_SETTER(Name, Type, member, last)                            \
  inline musparseStatus_t setMat##Name(musparseMatDescr& self, Type value) { \
    MUSPARSE_REQUIRE(value >= 0 && value <= (last));                         \
    self.member = value;                                                     \
    return MUSPARSE_STATUS_SUCCESS;                                          \
  }
MUSPARSE_SETTER(Type, musparseMatrixType_t, type, MUSPARSE_MATRIX_TYPE_TRIANGULAR)
MUSPARSE_SETTER(FillMode, musparseFillMode_t, fill, MUSPARSE_FILL_MODE_UPPER)
MUSPARSE_SETTER(DiagType, musparseDiagType_t, diagonal, MUSPARSE_DIAG_TYPE_UNIT)
MUSPARSE_SETTER(IndexBase, musparseIndexBase_t, base, MUSPARSE_INDEX_BASE_ONE)
#undef MUSPARSE_SETTER

}  // namespace musashim::musparse
