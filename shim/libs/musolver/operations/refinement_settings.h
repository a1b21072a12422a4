// Refined solutions with settings and reports of their own.
#pragma once

#include "libs/musolver/operations/refinement.h"

namespace musashim::musolver {

using IrsParams = musolverDnIRSParams;
using IrsInfos = musolverDnIRSInfos;

inline musolverStatus_t irsParamsCreate(IrsParams*& params) {
  params = new IrsParams;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsDestroy(IrsParams& params) {
  delete &params;
  return MUSOLVER_STATUS_SUCCESS;
}

// How fine a precision is; 0: none that factors may have.
inline int fineness(musolverPrecType_t type) {
  switch (type) {
    case MUSOLVER_R_64F:
    case MUSOLVER_C_64F:
      return 4;
    case MUSOLVER_R_32F:
    case MUSOLVER_C_32F:
      return 3;
    case MUSOLVER_R_TF32:
    case MUSOLVER_C_TF32:
      return 2;
    case MUSOLVER_R_16F:
    case MUSOLVER_C_16F:
    case MUSOLVER_R_16BF:
    case MUSOLVER_C_16BF:
      return 1;
    default:
      return 0;
  }
}
inline bool isMain(musolverPrecType_t type) { return fineness(type) >= 3; }

inline musolverStatus_t irsParamsSetSolverMainPrecision(IrsParams& self, musolverPrecType_t main) {
  if (!isMain(main)) return MUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  self.main = main;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsSetSolverLowestPrecision(IrsParams& self, musolverPrecType_t lowest) {
  if (fineness(lowest) == 0) return MUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  self.lowest = lowest;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsSetSolverPrecisions(IrsParams& self, musolverPrecType_t main,
                                                     musolverPrecType_t lowest) {
  // One that is finer than the main one is taken as that.
  if (!isMain(main) || fineness(lowest) == 0) return MUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  self.main = main;
  self.lowest = lowest;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsSetRefinementSolver(IrsParams& self, musolverIRSRefinement_t solver) {
  if (solver < MUSOLVER_IRS_REFINE_NONE || solver > MUSOLVER_IRS_REFINE_GMRES_NOPCOND)
    return MUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
  self.solver = solver;
  return MUSOLVER_STATUS_SUCCESS;
}
#define MUSOLVER_IRS_SETTING(Name, Type, member)                            \
  inline musolverStatus_t irsParamsSet##Name(IrsParams& self, Type value) { \
    self.member = value;                                                    \
    return MUSOLVER_STATUS_SUCCESS;                                         \
  }
MUSOLVER_IRS_SETTING(Tol, double, tolerance)
MUSOLVER_IRS_SETTING(TolInner, double, innerTolerance)
MUSOLVER_IRS_SETTING(MaxIters, int, most)
MUSOLVER_IRS_SETTING(MaxItersInner, int, innerMost)
#undef MUSOLVER_IRS_SETTING
inline musolverStatus_t irsParamsGetMaxIters(IrsParams& self, int* most) {
  MUSOLVER_REQUIRE(most);
  *most = self.most;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsEnableFallback(IrsParams& self) {
  self.fallsBack = true;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsParamsDisableFallback(IrsParams& self) {
  self.fallsBack = false;
  return MUSOLVER_STATUS_SUCCESS;
}

inline musolverStatus_t irsInfosCreate(IrsInfos*& infos) {
  infos = new IrsInfos;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsInfosDestroy(IrsInfos& infos) {
  delete &infos;
  return MUSOLVER_STATUS_SUCCESS;
}
#define MUSOLVER_IRS_REPORT(Name, member)                                 \
  inline musolverStatus_t irsInfosGet##Name(IrsInfos& self, int* place) { \
    MUSOLVER_REQUIRE(place);                                              \
    *place = self.member;                                                 \
    return MUSOLVER_STATUS_SUCCESS;                                       \
  }
MUSOLVER_IRS_REPORT(Niters, steps)
MUSOLVER_IRS_REPORT(OuterNiters, outerSteps)
MUSOLVER_IRS_REPORT(MaxIters, most)
#undef MUSOLVER_IRS_REPORT
inline musolverStatus_t irsInfosRequestResidual(IrsInfos& self) {
  self.wantsResiduals = true;
  return MUSOLVER_STATUS_SUCCESS;
}
inline musolverStatus_t irsInfosGetResidualHistory(IrsInfos& self, void** history) {
  MUSOLVER_REQUIRE(history && self.wantsResiduals);
  *history = self.residuals.data();
  return MUSOLVER_STATUS_SUCCESS;
}

// Calls f(T()) with the type of the main precision.
template <class F>
musolverStatus_t withMain(const IrsParams* params, F&& f) {
  if (!params) return MUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  switch (params->main) {
    case MUSOLVER_R_32F:
      return f(float());
    case MUSOLVER_R_64F:
      return f(double());
    case MUSOLVER_C_32F:
      return f(muComplex());
    case MUSOLVER_C_64F:
      return f(muDoubleComplex());
    default:
      return MUSOLVER_STATUS_IRS_PARAMS_INVALID;
  }
}

inline musolverStatus_t irsXgesvSize(Settings&, IrsParams* params, int n, int nrhs, size_t* bytes) {
  return withMain(params, [&]<class T>(T) {
    MUSOLVER_REQUIRE(n >= 0 && nrhs >= 0);
    return answerBytes(bytes, static_cast<size_t>(n) * static_cast<size_t>(n + 2 * nrhs), sizeof(T));
  });
}
inline musolverStatus_t irsXgesv(Settings& self, IrsParams* params, IrsInfos* infos, int n, int nrhs,
                                 void* dA, int ldda, void* dB, int lddb, void* dX, int lddx, void*,
                                 size_t bytes, int* niters, int* d_info) {
  return withMain(params, [&]<class T>(T) {
    if (!infos) return MUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    if (params->solver == MUSOLVER_IRS_REFINE_NOT_SET) return MUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE;
    MUSOLVER_REQUIRE(isSystem(n, nrhs, ldda, lddb, lddx) && bytes > 0 && niters);
    Refinement how;
    how.lowers =
        params->solver != MUSOLVER_IRS_REFINE_NONE && fineness(params->lowest) < fineness(params->main);
    how.fallsBack = params->fallsBack;
    how.most = params->most;
    how.tolerance = params->tolerance;
    MUSOLVER_TRY(runNow(self, [=, &how] {
      std::vector<int> pivots(static_cast<size_t>(n));
      tell(d_info, solveRefined(n, nrhs, static_cast<T*>(dA), ldda, pivots.data(), static_cast<T*>(dB), lddb,
                                static_cast<T*>(dX), lddx, how));
    }));
    *niters = infos->steps = infos->outerSteps = how.steps;
    infos->most = params->most;
    if (infos->wantsResiduals) infos->residuals = how.residuals;
    return MUSOLVER_STATUS_SUCCESS;
  });
}

inline musolverStatus_t irsXgelsSize(Settings&, IrsParams* params, int m, int n, int nrhs, size_t* bytes) {
  return withMain(params, [&]<class T>(T) {
    MUSOLVER_REQUIRE(n >= 0 && m >= n && nrhs >= 0);
    return answerBytes(bytes, static_cast<size_t>(m) * static_cast<size_t>(n + nrhs), sizeof(T));
  });
}
inline musolverStatus_t irsXgels(Settings& self, IrsParams* params, IrsInfos* infos, int m, int n, int nrhs,
                                 void* dA, int ldda, void* dB, int lddb, void* dX, int lddx, void* work,
                                 size_t bytes, int* niters, int* d_info) {
  return withMain(params, [&]<class T>(T) {
    if (!infos) return MUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
    MUSOLVER_TRY(gels(self, m, n, nrhs, static_cast<T*>(dA), ldda, static_cast<T*>(dB), lddb,
                      static_cast<T*>(dX), lddx, work, bytes, niters, d_info));
    infos->steps = infos->outerSteps = *niters;
    infos->most = params->most;
    return MUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace musashim::musolver
