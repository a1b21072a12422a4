// Tests that do not wait, of variables of this PE.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.tests");

__global__ void one(int* variable, int* seen) {
  int at = 0;
  for (const int with : {4, 5, 6}) {
    for (const int comparison :
         {NVSHMEM_CMP_EQ, NVSHMEM_CMP_NE, NVSHMEM_CMP_GT, NVSHMEM_CMP_LE, NVSHMEM_CMP_LT, NVSHMEM_CMP_GE})
      seen[at++] = nvshmem_int_test(variable, comparison, with);
  }
}
// variables: 1, 2, 3, 4
__global__ void several(long* variables, const int* status, long* vector, size_t* indices, long long* seen) {
  seen[0] = nvshmem_long_test_all(variables, 4, nullptr, NVSHMEM_CMP_GT, 0);
  seen[1] = nvshmem_long_test_all(variables, 4, nullptr, NVSHMEM_CMP_GT, 1);
  seen[2] = nvshmem_long_test_all(variables, 4, status, NVSHMEM_CMP_GT, 1);
  seen[3] = nvshmem_long_test_all(variables, 0, nullptr, NVSHMEM_CMP_GT, 1);
  seen[4] = static_cast<long long>(nvshmem_long_test_any(variables, 4, nullptr, NVSHMEM_CMP_EQ, 3));
  seen[5] = static_cast<long long>(nvshmem_long_test_any(variables, 4, nullptr, NVSHMEM_CMP_EQ, 9));
  seen[6] = static_cast<long long>(nvshmem_long_test_any(variables, 4, status, NVSHMEM_CMP_EQ, 3));
  seen[7] = static_cast<long long>(nvshmem_long_test_any(variables, 0, nullptr, NVSHMEM_CMP_EQ, 3));
  seen[8] = static_cast<long long>(nvshmem_long_test_some(variables, 4, indices, nullptr, NVSHMEM_CMP_GE, 3));
  seen[9] = static_cast<long long>(indices[0]);
  seen[10] = static_cast<long long>(indices[1]);
  seen[11] =
      static_cast<long long>(nvshmem_long_test_some(variables, 4, indices, nullptr, NVSHMEM_CMP_GE, 9));
  seen[12] = static_cast<long long>(nvshmem_long_test_some(variables, 4, indices, status, NVSHMEM_CMP_GE, 1));
  seen[13] = static_cast<long long>(indices[0]);
  seen[14] = static_cast<long long>(indices[1]);
  seen[15] =
      static_cast<long long>(nvshmem_long_test_some(variables, 0, indices, nullptr, NVSHMEM_CMP_GE, 1));
  seen[16] = nvshmem_long_test_all_vector(variables, 4, nullptr, NVSHMEM_CMP_EQ, vector);
  seen[17] = nvshmem_long_test_all_vector(variables, 4, status, NVSHMEM_CMP_EQ, vector);
  seen[18] =
      static_cast<long long>(nvshmem_long_test_any_vector(variables, 4, nullptr, NVSHMEM_CMP_EQ, vector));
  seen[19] = static_cast<long long>(
      nvshmem_long_test_some_vector(variables, 4, indices, nullptr, NVSHMEM_CMP_EQ, vector));
  seen[20] = static_cast<long long>(indices[0]);
  seen[21] = static_cast<long long>(indices[1]);
}
__global__ void noneCounts(long* variables, const int* none, size_t* indices, long long* seen) {
  seen[0] = nvshmem_long_test_all(variables, 4, none, NVSHMEM_CMP_EQ, 9);
  seen[1] = static_cast<long long>(nvshmem_long_test_any(variables, 4, none, NVSHMEM_CMP_EQ, 1));
  seen[2] = static_cast<long long>(nvshmem_long_test_some(variables, 4, indices, none, NVSHMEM_CMP_EQ, 1));
}

static void look(Pes& pe) {
  Symmetric<int> variable(1, 5), seen(18), status(4), none(4, 1);
  one<<<1, 1>>>(variable, seen);
  pe.observeAll("comparisons", seen.readTogether());
  Symmetric<long> variables(4, 1, 1), vector(4);
  Symmetric<size_t> indices(4);
  Symmetric<long long> returns(22, -7);
  status.write({1, 0, 1, 0});
  vector.write({0, 2, 0, 4});
  several<<<1, 1>>>(variables, status, vector, indices, returns);
  const std::vector<long long> got = returns.readTogether();
  for (size_t i = 0; i < got.size(); ++i) pe.observe("several_" + std::to_string(i), got[i]);
  noneCounts<<<1, 1>>>(variables, none, indices, returns);
  const std::vector<long long> of = returns.readTogether();
  pe.observe("all_masked", of[0]);
  pe.observe("any_masked", of[1]);
  pe.observe("some_masked", of[2]);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
