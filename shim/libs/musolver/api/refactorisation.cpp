// Entries about matrices whose last argument is the handle.
#include "libs/musolver/operations/refactorisation.h"

#include "libs/musolver/api/entry.h"

using namespace musashim::musolver;

#define MUSOLVER_ENTRY __attribute__((visibility("default"))) musolverStatus_t

extern "C" {

MUSOLVER_ENTRY musolverRfSetupHost(int n, int nnzA, int* offsetsA, int* columnsA, double* valuesA, int nnzL,
                                   int* offsetsL, int* columnsL, double* valuesL, int nnzU, int* offsetsU,
                                   int* columnsU, double* valuesU, int* P, int* Q,
                                   musolverRfHandle_t handle) {
  return entry(
      "musolverRfSetupHost", handle,
      [&](Rf& self) {
        MUSOLVER_REQUIRE(n >= 0 && offsetsA && columnsA && valuesA && offsetsL && offsetsU && P && Q);
        return setUpFactors(self, n, {nnzA, offsetsA, columnsA, valuesA}, {nnzL, offsetsL, columnsL, valuesL},
                            {nnzU, offsetsU, columnsU, valuesU}, P, Q);
      },
      n, nnzA, nnzL, nnzU);
}

MUSOLVER_ENTRY musolverRfSetupDevice(int n, int nnzA, int* offsetsA, int* columnsA, double* valuesA, int nnzL,
                                     int* offsetsL, int* columnsL, double* valuesL, int nnzU, int* offsetsU,
                                     int* columnsU, double* valuesU, int* P, int* Q,
                                     musolverRfHandle_t handle) {
  return entry(
      "musolverRfSetupDevice", handle,
      [&](Rf& self) {
        MUSOLVER_REQUIRE(n >= 0 && offsetsA && columnsA && valuesA && offsetsL && offsetsU && P && Q);
        musolverStatus_t status = MUSOLVER_STATUS_EXECUTION_FAILED;
        MUSOLVER_TRY(runNow(self.settings, [&] {
          status =
              setUpFactors(self, n, {nnzA, offsetsA, columnsA, valuesA}, {nnzL, offsetsL, columnsL, valuesL},
                           {nnzU, offsetsU, columnsU, valuesU}, P, Q);
        }));
        return status;
      },
      n, nnzA, nnzL, nnzU);
}

MUSOLVER_ENTRY musolverRfResetValues(int n, int nnzA, int* offsetsA, int* columnsA, double* valuesA, int* P,
                                     int* Q, musolverRfHandle_t handle) {
  return entry(
      "musolverRfResetValues", handle,
      [&](Rf& self) {
        MUSOLVER_REQUIRE(self.factors && self.factors->n == n && offsetsA && columnsA && valuesA && P && Q);
        return enqueue(self.settings, [f = self.factors, a = RfMatrix{nnzA, offsetsA, columnsA, valuesA}] {
          resetValues(*f, a);
        });
      },
      n, nnzA, P, Q);
}

}  // extern "C"
