// What throws below a library never leaves it: an entry returns a status, and work on a stream is a fault of
// its device, which a reset recovers from.
#include <gtest/gtest.h>
#include <mublas.h>
#include <mublasLt.h>
#include <mufft.h>
#include <mufftw.h>
#include <murand.h>
#include <musa_runtime_api.h>
#include <musolverDn.h>
#include <musparse.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "failures/refusals.h"

namespace musashim::test {
namespace {

constexpr int kOrder = 128, kLength = 1 << 16;
constexpr size_t kLarge = 16000;  // bytes: what the work below takes at once, and the emulator does not
const float kOne = 1, kZero = 0;
const double kOneDouble = 1, kZeroDouble = 0;

// What the calls need, made while there is memory. Device memory for whatever they compute on.
struct Room {
  Room() {
    EXPECT_EQ(musaMalloc(&memory, size_t{16} << 20), musaSuccess);
    EXPECT_EQ(musaMemset(memory, 0, size_t{16} << 20), musaSuccess);
    EXPECT_EQ(mublasCreate(&blas), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasLtCreate(&lt), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasLtMatmulDescCreate(&product, MUBLAS_COMPUTE_32F, MUSA_R_32F), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mublasLtMatrixLayoutCreate(&layout, MUSA_R_16F, kOrder, kOrder, kOrder), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(mufftPlan1d(&fft, kLength, MUFFT_C2C, 1), MUFFT_SUCCESS);
    EXPECT_EQ(musolverDnCreate(&solver), MUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(musparseCreate(&sparse), MUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(murandCreateGenerator(&rand, MURAND_RNG_PSEUDO_XORWOW), MURAND_STATUS_SUCCESS);
    host.resize(2 * kLength);
    fftw = fftw_plan_dft_1d(kLength, reinterpret_cast<fftw_complex*>(host.data()),
                            reinterpret_cast<fftw_complex*>(host.data()), FFTW_FORWARD, FFTW_ESTIMATE);
    EXPECT_NE(fftw, nullptr);
    // A diagonal of ones.
    std::vector<int> offsets(kRows + 1), columns(kRows);
    std::iota(offsets.begin(), offsets.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    EXPECT_EQ(musaMemcpy(offsetsOf(), offsets.data(), offsets.size() * sizeof(int), musaMemcpyHostToDevice),
              musaSuccess);
    EXPECT_EQ(musaMemcpy(columnsOf(), columns.data(), columns.size() * sizeof(int), musaMemcpyHostToDevice),
              musaSuccess);
  }
  static constexpr int kRows = 4000;
  template <class T>
  T* at(size_t mebibyte) const {
    return reinterpret_cast<T*>(static_cast<char*>(memory) + (mebibyte << 20));
  }
  int* offsetsOf() const { return at<int>(8); }
  int* columnsOf() const { return at<int>(9); }

  void* memory = nullptr;
  mublasHandle_t blas = nullptr;
  mublasLtHandle_t lt = nullptr;
  mublasLtMatmulDesc_t product = nullptr;
  mublasLtMatrixLayout_t layout = nullptr;
  mufftHandle fft = MUFFT_PLAN_NULL;
  musolverDnHandle_t solver = nullptr;
  musparseHandle_t sparse = nullptr;
  murandGenerator_t rand = nullptr;
  fftw_plan fftw = nullptr;
  std::vector<double> host;
};

struct Call {
  const char* name;
  std::function<int(Room&)> make;
  std::set<int> failures;   // the statuses that may come
  bool needsMemory = true;  // when its turn comes
};

template <class Status>
std::set<int> statuses(std::initializer_list<Status> all) {
  std::set<int> result;
  for (const Status status : all) result.insert(static_cast<int>(status));
  return result;
}
const auto kOfBlas = statuses({MUBLAS_STATUS_ALLOC_FAILED, MUBLAS_STATUS_EXECUTION_FAILED});
const auto kOfFft = statuses({MUFFT_ALLOC_FAILED, MUFFT_EXEC_FAILED});
const auto kOfSolver = statuses({MUSOLVER_STATUS_ALLOC_FAILED, MUSOLVER_STATUS_EXECUTION_FAILED});
const auto kOfSparse = statuses({MUSPARSE_STATUS_ALLOC_FAILED, MUSPARSE_STATUS_EXECUTION_FAILED});
const auto kOfRand = statuses({MURAND_STATUS_ALLOCATION_FAILED, MURAND_STATUS_LAUNCH_FAILURE});

template <class Status>
int both(Status made, Status destroyed) {
  return made != Status{} ? static_cast<int>(made) : static_cast<int>(destroyed);
}

int createPlan(Room&) {
  mufftHandle plan = MUFFT_PLAN_NULL;
  int n[] = {4, 6, 8};
  const mufftResult made = mufftPlanMany(&plan, 3, n, n, 1, 192, n, 1, 192, MUFFT_Z2Z, 2);
  return both(made, made == MUFFT_SUCCESS ? mufftDestroy(plan) : MUFFT_SUCCESS);
}
int createFftwPlan(Room& room) {
  auto* const data = reinterpret_cast<fftw_complex*>(room.host.data());
  const fftw_plan plan = fftw_plan_dft_2d(12, 10, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  if (plan) fftw_destroy_plan(plan);
  return plan ? 0 : 1;
}

const Call kMakers[] = {
    {"mublasCreate",
     [](Room&) {
       mublasHandle_t handle = nullptr;
       const mublasStatus_t made = mublasCreate(&handle);
       return both(made, made == MUBLAS_STATUS_SUCCESS ? mublasDestroy(handle) : made);
     },
     kOfBlas},
    {"mublasLtMatmulDescCreate",
     [](Room&) {
       mublasLtMatmulDesc_t made = nullptr;
       const mublasStatus_t status = mublasLtMatmulDescCreate(&made, MUBLAS_COMPUTE_32F, MUSA_R_32F);
       return both(status, status == MUBLAS_STATUS_SUCCESS ? mublasLtMatmulDescDestroy(made) : status);
     },
     kOfBlas},
    {"mufftPlanMany", createPlan, kOfFft},
    {"musolverDnCreate",
     [](Room&) {
       musolverDnHandle_t handle = nullptr;
       const musolverStatus_t made = musolverDnCreate(&handle);
       return both(made, made == MUSOLVER_STATUS_SUCCESS ? musolverDnDestroy(handle) : made);
     },
     kOfSolver},
    {"musparseCreateDnVec",
     [](Room& room) {
       musparseDnVecDescr_t vector = nullptr;
       const musparseStatus_t made = musparseCreateDnVec(&vector, 8, room.memory, MUSA_R_32F);
       return both(made, made == MUSPARSE_STATUS_SUCCESS ? musparseDestroyDnVec(vector) : made);
     },
     kOfSparse},
    {"murandCreateGeneratorHost",
     [](Room& room) {
       murandGenerator_t generator = nullptr;
       murandStatus_t made = murandCreateGeneratorHost(&generator, MURAND_RNG_PSEUDO_PHILOX4_32_10);
       if (made != MURAND_STATUS_SUCCESS) return static_cast<int>(made);
       made = murandGenerateUniform(generator, reinterpret_cast<float*>(room.host.data()), 100);
       return both(made, murandDestroyGenerator(generator));
     },
     kOfRand},
    {"fftw_plan_dft_2d", createFftwPlan, {1}},
};

// Work for a stream: its entries, and that it throws for want of memory when its turn comes.
const Call kWorkers[] = {
    {"mublasSgemmEx",
     [](Room& room) {
       return static_cast<int>(mublasSgemmEx(
           room.blas, MUBLAS_OP_N, MUBLAS_OP_N, kOrder, kOrder, kOrder, &kOne, room.memory, MUSA_R_16F,
           kOrder, room.at<char>(1), MUSA_R_16F, kOrder, &kZero, room.at<char>(2), MUSA_R_16F, kOrder));
     },
     kOfBlas},
    {"mublasDgemm",  // with the buffers that OpenBLAS has already
     [](Room& room) {
       return static_cast<int>(mublasDgemm(room.blas, MUBLAS_OP_N, MUBLAS_OP_N, kOrder, kOrder, kOrder,
                                           &kOneDouble, room.at<double>(0), kOrder, room.at<double>(1),
                                           kOrder, &kZeroDouble, room.at<double>(2), kOrder));
     },
     kOfBlas, false},
    {"mublasLtMatmul",
     [](Room& room) {
       return static_cast<int>(mublasLtMatmul(
           room.lt, room.product, &kOne, room.memory, room.layout, room.at<char>(1), room.layout, &kZero,
           room.at<char>(2), room.layout, room.at<char>(2), room.layout, nullptr, nullptr, 0, nullptr));
     },
     kOfBlas},
    {"mufftExecC2C",
     [](Room& room) {
       auto* const data = room.at<mufftComplex>(0);
       return static_cast<int>(mufftExecC2C(room.fft, data, data, MUFFT_FORWARD));
     },
     kOfFft},
    {"musolverDnDgeqrf",
     [](Room& room) {
       return static_cast<int>(musolverDnDgeqrf(room.solver, 1000, 100, room.at<double>(0), 1000,
                                                room.at<double>(4), room.at<double>(5), 4000,
                                                room.at<int>(6)));
     },
     kOfSolver},
    {"musparseCsr2cscEx2",
     [](Room& room) {
       return static_cast<int>(musparseCsr2cscEx2(
           room.sparse, Room::kRows, Room::kRows, Room::kRows, room.memory, room.offsetsOf(),
           room.columnsOf(), room.at<float>(1), room.at<int>(2), room.at<int>(3), MUSA_R_32F,
           MUSPARSE_ACTION_NUMERIC, MUSPARSE_INDEX_BASE_ZERO, MUSPARSE_CSR2CSC_ALG1, room.at<char>(4)));
     },
     kOfSparse},
    {"murandGenerateUniform",
     [](Room& room) { return static_cast<int>(murandGenerateUniform(room.rand, room.at<float>(0), 100000)); },
     kOfRand, false},
};

// Each allocation of the entry's own thread is refused once, those of what it calls as well.
void expectStatuses(const Call& call, Room& room) {
  std::set<int> seen;
  for (long n = 0;; ++n) {
    ASSERT_LT(n, 1000) << call.name;
    int status = 0;
    bool refused = false;
    {
      const RefuseOne refusal(n);
      status = call.make(room);
      refused = refusal.hasRefused();
    }
    if (!refused) {
      EXPECT_EQ(status, 0) << call.name;
      break;
    }
    if (status != 0) seen.insert(status);
    EXPECT_TRUE(status == 0 || call.failures.contains(status))
        << call.name << ": status " << status << ", " << n;
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << call.name << ", " << n;
  }
  EXPECT_FALSE(seen.empty()) << call.name;
}

TEST(Failures, MakersTellOfMissingMemory) {
  Room room;
  for (const Call& call : kMakers) {
    ASSERT_EQ(call.make(room), 0) << call.name;
    expectStatuses(call, room);
  }
}

TEST(Failures, EntriesThatQueueWorkTellOfMissingMemory) {
  Room room;
  for (const Call& call : kWorkers) {
    ASSERT_EQ(call.make(room), 0) << call.name;
    expectStatuses(call, room);
  }
}

TEST(Failures, WhatElseIsThrownIsAnInternalError) {
  const int internal[] = {MUBLAS_STATUS_INTERNAL_ERROR,
                          MUBLAS_STATUS_INTERNAL_ERROR,
                          MUFFT_INTERNAL_ERROR,
                          MUSOLVER_STATUS_INTERNAL_ERROR,
                          MUSPARSE_STATUS_INTERNAL_ERROR,
                          MURAND_STATUS_INTERNAL_ERROR,
                          1};
  Room room;
  for (size_t i = 0; i < std::size(kMakers); ++i) {
    ASSERT_EQ(kMakers[i].make(room), 0);
    const RefuseOne refusal(0, Thrown::kOther);
    EXPECT_EQ(kMakers[i].make(room), internal[i]) << kMakers[i].name;
    EXPECT_TRUE(refusal.hasRefused()) << kMakers[i].name;
  }
}

TEST(Failures, WorkThatThrowsIsAFaultOfTheDevice) {
  for (const Call& call : kWorkers) {
    if (!call.needsMemory) continue;
    Room room;
    ASSERT_EQ(call.make(room), 0) << call.name;
    ASSERT_EQ(musaDeviceSynchronize(), musaSuccess) << call.name;
    {
      const RefuseLarge refusal(kLarge);
      EXPECT_EQ(call.make(room), 0) << call.name;
      EXPECT_EQ(musaDeviceSynchronize(), musaErrorLaunchFailure) << call.name;
      EXPECT_GT(refusal.count(), 0) << call.name;
      EXPECT_NE(call.make(room), 0) << call.name;
    }
    EXPECT_EQ(musaDeviceReset(), musaSuccess);
    (void)musaGetLastError();
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << call.name;
  }
  // FFTW's calls return nothing: the thread's last error tells.
  Room room;
  {
    const RefuseLarge refusal(kLarge);
    fftw_execute(room.fftw);
    EXPECT_GT(refusal.count(), 0);
  }
  EXPECT_EQ(musaGetLastError(), musaErrorLaunchFailure);
  EXPECT_EQ(musaDeviceReset(), musaSuccess);
}

}  // namespace
}  // namespace musashim::test
