// Entries about matrices whose last argument is the handle.
#include "libs/musolver/api/entry.h"
#include "libs/musolver/operations/refactorisation_batches.h"

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

MUSOLVER_ENTRY musolverRfBatchSetupHost(int batchSize, int n, int nnzA, int* offsetsA, int* columnsA,
                                        double* valuesA[], int nnzL, int* offsetsL, int* columnsL,
                                        double* valuesL, int nnzU, int* offsetsU, int* columnsU,
                                        double* valuesU, int* P, int* Q, musolverRfHandle_t handle) {
  return entry(
      "musolverRfBatchSetupHost", handle,
      [&](Rf& self) {
        MUSOLVER_REQUIRE(batchSize > 0 && n >= 0 && offsetsA && columnsA && valuesA && offsetsL && offsetsU);
        MUSOLVER_REQUIRE(P && Q);
        return setUpBatch(self, batchSize, n, {nnzA, offsetsA, columnsA, nullptr}, valuesA,
                          {nnzL, offsetsL, columnsL, valuesL}, {nnzU, offsetsU, columnsU, valuesU}, P, Q);
      },
      batchSize, n, nnzA, nnzL, nnzU);
}

// The array of places is in host memory, what it names is on the device.
MUSOLVER_ENTRY musolverRfBatchResetValues(int batchSize, int n, int nnzA, int* offsetsA, int* columnsA,
                                          double* valuesA[], int* P, int* Q, musolverRfHandle_t handle) {
  return entry(
      "musolverRfBatchResetValues", handle,
      [&](Rf& self) {
        MUSOLVER_REQUIRE(batchSize > 0 && self.batch.size() == static_cast<size_t>(batchSize));
        MUSOLVER_REQUIRE(self.batch[0]->n == n && offsetsA && columnsA && valuesA && P && Q);
        const std::vector<double*> values(valuesA, valuesA + batchSize);
        return enqueue(self.settings, [=, batch = self.batch] {
          for (size_t i = 0; i < batch.size(); ++i)
            resetValues(*batch[i], RfMatrix{nnzA, offsetsA, columnsA, values[i]});
        });
      },
      batchSize, n, nnzA, P, Q);
}

}  // extern "C"
