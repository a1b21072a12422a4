// Entries that end descriptors: to end none is no mistake.
#include "libs/musparse/api/entry.h"
#include "libs/musparse/api/objects.h"

using namespace musashim::musparse;

extern "C" {

#define MUSPARSE_DESTROY(Name, Type)                                              \
  __attribute__((visibility("default"))) musparseStatus_t Name(Type descriptor) { \
    return tracedCall(                                                            \
        #Name,                                                                    \
        [&] {                                                                     \
          delete descriptor;                                                      \
          return MUSPARSE_STATUS_SUCCESS;                                         \
        },                                                                        \
        descriptor);                                                              \
  }
MUSPARSE_DESTROY(musparseDestroySpVec, musparseConstSpVecDescr_t)
MUSPARSE_DESTROY(musparseDestroyDnVec, musparseConstDnVecDescr_t)
MUSPARSE_DESTROY(musparseDestroySpMat, musparseConstSpMatDescr_t)
MUSPARSE_DESTROY(musparseDestroyDnMat, musparseConstDnMatDescr_t)
MUSPARSE_DESTROY(musparseSpSV_destroyDescr, musparseSpSVDescr_t)
MUSPARSE_DESTROY(musparseSpSM_destroyDescr, musparseSpSMDescr_t)
MUSPARSE_DESTROY(musparseSpGEMM_destroyDescr, musparseSpGEMMDescr_t)
MUSPARSE_DESTROY(musparseDestroyMatDescr, musparseMatDescr_t)
MUSPARSE_DESTROY(musparseDestroyBsrsv2Info, bsrsv2Info_t)
MUSPARSE_DESTROY(musparseDestroyBsrsm2Info, bsrsm2Info_t)
MUSPARSE_DESTROY(musparseDestroyCsric02Info, csric02Info_t)
MUSPARSE_DESTROY(musparseDestroyBsric02Info, bsric02Info_t)
MUSPARSE_DESTROY(musparseDestroyCsrilu02Info, csrilu02Info_t)
MUSPARSE_DESTROY(musparseDestroyBsrilu02Info, bsrilu02Info_t)
MUSPARSE_DESTROY(musparseDestroyCsru2csrInfo, csru2csrInfo_t)
MUSPARSE_DESTROY(musparseDestroyPruneInfo, pruneInfo_t)
MUSPARSE_DESTROY(musparseDestroyCsrsv2Info, csrsv2Info_t)
MUSPARSE_DESTROY(musparseDestroyCsrsm2Info, csrsm2Info_t)
MUSPARSE_DESTROY(musparseDestroyCsrgemm2Info, csrgemm2Info_t)
MUSPARSE_DESTROY(musparseDestroyColorInfo, musparseColorInfo_t)
#undef MUSPARSE_DESTROY

}  // extern "C"
