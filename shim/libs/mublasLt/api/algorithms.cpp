// Entries about algorithms. There is one, which needs no workspace and computes whatever is supported.
#include <musa_runtime_api.h>

#include <algorithm>

#include "libs/mublasLt/api/entry.h"
#include "libs/mublasLt/operations/problem.h"

namespace musashim::mublasLt {
namespace {

constexpr int kTheOne = 0;
// Programs keep numbers that were the fastest on their hardware: all of cuBLASLt's mean the one.
constexpr int kNumbers = 128;

constexpr Field kConfigFields[] = {
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_ID, Algorithm, id),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_TILE_ID, Algorithm, tile),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_SPLITK_NUM, Algorithm, splitK),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, Algorithm, reduction),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, Algorithm, swizzling),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, Algorithm, custom),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_STAGES_ID, Algorithm, stages),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, Algorithm, innerShape),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, Algorithm, cluster),
};

// What an algorithm can do, in the attributes' types.
struct Abilities {
  int32_t splitK = 0, swizzling = 0, stridedBatch = 1, outOfPlace = 1, uplo = 0, customMax = 0;
  int32_t customOrder = 0;
  uint32_t reductionMask = MUBLASLT_REDUCTION_SCHEME_MASK;
  uint32_t pointerModes = MUBLASLT_POINTER_MODE_MASK_HOST | MUBLASLT_POINTER_MODE_MASK_DEVICE;
  uint32_t epilogues = kRelu | kBias | kReluGradient | kBiasGradient | kGelu | kGeluGradient | kAux | kSumA |
                       kSumB | MUBLASLT_EPILOGUE_DEFAULT;
  uint32_t ldNegative = 0;
  uint64_t numerics = 0;
  uint32_t alignmentA = 1, alignmentB = 1, alignmentC = 1, alignmentD = 1;
  int32_t listedBatch = 1;
};

constexpr Field kAbilityFields[] = {
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_SPLITK_SUPPORT, Abilities, splitK),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, Abilities, reductionMask),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, Abilities, swizzling),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, Abilities, stridedBatch),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, Abilities, outOfPlace),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_UPLO_SUPPORT, Abilities, uplo),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, Abilities, customMax),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, Abilities, customOrder),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_POINTER_MODE_MASK, Abilities, pointerModes),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_EPILOGUE_MASK, Abilities, epilogues),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_LD_NEGATIVE, Abilities, ldNegative),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, Abilities, numerics),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, Abilities, alignmentA),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, Abilities, alignmentB),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, Abilities, alignmentC),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, Abilities, alignmentD),
    MUBLASLT_FIELD(MUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT, Abilities, listedBatch),
};

uint64_t numericsOf(const Types& types) {
  uint64_t flags = MUBLASLT_NUMERICAL_IMPL_FLAGS_FMA;
  switch (types.compute) {
    case MUBLAS_COMPUTE_32I:
    case MUBLAS_COMPUTE_32I_PEDANTIC:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    case MUBLAS_COMPUTE_64F:
    case MUBLAS_COMPUTE_64F_PEDANTIC:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    default:
      flags |= MUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;  // of half, too
  }
  switch (types.a) {
    case MUSA_R_16F:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    case MUSA_R_16BF:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    case MUSA_R_8I:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    case MUSA_R_8F_E4M3:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3;
    case MUSA_R_8F_E5M2:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E5M2;
    default:
      return flags | MUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  }
}

Types typesOf(const Problem& problem) {
  return {problem.operation.computeType, problem.operation.scaleType, problem.a.matrix.type,
          problem.b.matrix.type,         problem.c.matrix.type,       problem.d.matrix.type};
}

Algorithm algorithmFor(const Types& types) {
  Algorithm algorithm;
  algorithm.isMade = Algorithm::kMade;
  algorithm.id = kTheOne;
  algorithm.types = types;
  return algorithm;
}

// How often the multiprocessors would be filled by tiles of 128 x 128.
float wavesOf(const Problem& problem) {
  int device = 0, processors = 1;
  if (musaGetDevice(&device) != musaSuccess ||
      musaDeviceGetAttribute(&processors, musaDevAttrMultiProcessorCount, device) != musaSuccess)
    (void)musaGetLastError();
  const auto tiles = [](int length) { return (length + 127) / 128; };
  return static_cast<float>(tiles(problem.m)) * static_cast<float>(tiles(problem.n)) *
         static_cast<float>(problem.count) / static_cast<float>(std::max(processors, 1));
}

void describe(const Problem& problem, mublasLtMatmulHeuristicResult_t& result) {
  result.workspaceSize = 0;
  result.state = MUBLAS_STATUS_SUCCESS;
  result.wavesCount = wavesOf(problem);
}

}  // namespace
}  // namespace musashim::mublasLt

using namespace musashim::mublasLt;

extern "C" {

MUBLASLT_ENTRY mublasLtMatmulAlgoGetHeuristic(mublasLtHandle_t lightHandle,
                                              mublasLtMatmulDesc_t operationDesc,
                                              mublasLtMatrixLayout_t Adesc, mublasLtMatrixLayout_t Bdesc,
                                              mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
                                              mublasLtMatmulPreference_t preference, int requestedAlgoCount,
                                              mublasLtMatmulHeuristicResult_t* heuristicResultsArray,
                                              int* returnAlgoCount) {
  return entry(
      "mublasLtMatmulAlgoGetHeuristic", lightHandle,
      [&] {
        MUBLASLT_REQUIRE(requestedAlgoCount > 0 && heuristicResultsArray && returnAlgoCount && preference,
                         MUBLAS_STATUS_INVALID_VALUE);
        *returnAlgoCount = 0;
        Problem problem;
        MUBLASLT_TRY(describe(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, problem));
        mublasLtMatmulHeuristicResult_t& result = heuristicResultsArray[0];
        const Types types = typesOf(problem);
        const auto preferred = load<Preference>(preference);
        if (preferred.searchMode == MUBLASLT_SEARCH_LIMITED_BY_ALGO_ID) {
          const auto given = load<Algorithm>(&result.algo);
          MUBLASLT_REQUIRE(given.isMade == Algorithm::kMade && given.types == types,
                           MUBLAS_STATUS_INVALID_VALUE);
        } else {
          result = {};
          store(&result.algo, algorithmFor(types));
        }
        describe(problem, result);
        *returnAlgoCount = 1;
        return MUBLAS_STATUS_SUCCESS;
      },
      operationDesc, Adesc, Bdesc, Cdesc, Ddesc, preference, requestedAlgoCount, heuristicResultsArray,
      returnAlgoCount);
}

MUBLASLT_ENTRY mublasLtMatmulAlgoGetIds(mublasLtHandle_t lightHandle, mublasComputeType_t computeType,
                                        musaDataType scaleType, musaDataType Atype, musaDataType Btype,
                                        musaDataType Ctype, musaDataType Dtype, int requestedAlgoCount,
                                        int* algoIdsArray, int* returnAlgoCount) {
  return entry(
      "mublasLtMatmulAlgoGetIds", lightHandle,
      [&] {
        MUBLASLT_REQUIRE(requestedAlgoCount > 0 && algoIdsArray && returnAlgoCount,
                         MUBLAS_STATUS_INVALID_VALUE);
        *returnAlgoCount = 0;
        Arithmetic arithmetic{};
        MUBLASLT_REQUIRE(findArithmetic({computeType, scaleType, Atype, Btype, Ctype, Dtype}, arithmetic),
                         MUBLAS_STATUS_NOT_SUPPORTED);
        algoIdsArray[0] = kTheOne;
        *returnAlgoCount = 1;
        return MUBLAS_STATUS_SUCCESS;
      },
      computeType, scaleType, Atype, Btype, Ctype, Dtype, requestedAlgoCount, algoIdsArray, returnAlgoCount);
}

MUBLASLT_ENTRY mublasLtMatmulAlgoInit(mublasLtHandle_t lightHandle, mublasComputeType_t computeType,
                                      musaDataType scaleType, musaDataType Atype, musaDataType Btype,
                                      musaDataType Ctype, musaDataType Dtype, int algoId,
                                      mublasLtMatmulAlgo_t* algo) {
  return entry(
      "mublasLtMatmulAlgoInit", lightHandle,
      [&] {
        MUBLASLT_REQUIRE(algo && algoId >= 0 && algoId < kNumbers, MUBLAS_STATUS_INVALID_VALUE);
        const Types types{computeType, scaleType, Atype, Btype, Ctype, Dtype};
        Arithmetic arithmetic{};
        MUBLASLT_REQUIRE(findArithmetic(types, arithmetic), MUBLAS_STATUS_NOT_SUPPORTED);
        Algorithm algorithm = algorithmFor(types);
        algorithm.id = algoId;
        store(algo, algorithm);
        return MUBLAS_STATUS_SUCCESS;
      },
      computeType, scaleType, Atype, Btype, Ctype, Dtype, algoId, algo);
}

MUBLASLT_ENTRY mublasLtMatmulAlgoCheck(mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t operationDesc,
                                       mublasLtMatrixLayout_t Adesc, mublasLtMatrixLayout_t Bdesc,
                                       mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
                                       const mublasLtMatmulAlgo_t* algo,
                                       mublasLtMatmulHeuristicResult_t* result) {
  return entry(
      "mublasLtMatmulAlgoCheck", lightHandle,
      [&] {
        MUBLASLT_REQUIRE(algo && result, MUBLAS_STATUS_INVALID_VALUE);
        Problem problem;
        MUBLASLT_TRY(describe(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, problem));
        const auto algorithm = load<Algorithm>(algo);
        MUBLASLT_REQUIRE(algorithm.isMade == Algorithm::kMade && algorithm.types == typesOf(problem),
                         MUBLAS_STATUS_INVALID_VALUE);
        describe(problem, *result);
        return MUBLAS_STATUS_SUCCESS;
      },
      operationDesc, Adesc, Bdesc, Cdesc, Ddesc, algo, result);
}

// Tiles and stages are none, as the lists of what to choose from.
MUBLASLT_ENTRY mublasLtMatmulAlgoCapGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                 mublasLtMatmulAlgoCapAttributes_t attr, void* buf,
                                                 size_t sizeInBytes, size_t* sizeWritten) {
  return tracedCall(
      "mublasLtMatmulAlgoCapGetAttribute",
      [&] {
        MUBLASLT_REQUIRE(algo, MUBLAS_STATUS_INVALID_VALUE);
        const auto algorithm = load<Algorithm>(algo);
        MUBLASLT_REQUIRE(algorithm.isMade == Algorithm::kMade, MUBLAS_STATUS_INVALID_VALUE);
        if (attr == MUBLASLT_ALGO_CAP_TILE_IDS || attr == MUBLASLT_ALGO_CAP_STAGES_IDS) {
          MUBLASLT_REQUIRE(sizeWritten, MUBLAS_STATUS_INVALID_VALUE);
          *sizeWritten = 0;
          return MUBLAS_STATUS_SUCCESS;
        }
        Abilities abilities;
        abilities.numerics = numericsOf(algorithm.types);
        if (algorithm.types.a == MUSA_R_8I && algorithm.types.d == MUSA_R_8I)
          abilities.pointerModes |= MUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST;
        return getField(kAbilityFields, &abilities, attr, buf, sizeInBytes, sizeWritten);
      },
      algo, attr, buf, sizeInBytes, sizeWritten);
}

MUBLASLT_ENTRY mublasLtMatmulAlgoConfigSetAttribute(mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr,
                                                    const void* buf, size_t sizeInBytes) {
  return tracedCall(
      "mublasLtMatmulAlgoConfigSetAttribute",
      [&] {
        MUBLASLT_REQUIRE(algo && attr != MUBLASLT_ALGO_CONFIG_ID, MUBLAS_STATUS_INVALID_VALUE);
        auto algorithm = load<Algorithm>(algo);
        MUBLASLT_TRY(setField(kConfigFields, &algorithm, attr, buf, sizeInBytes));
        store(algo, algorithm);
        return MUBLAS_STATUS_SUCCESS;
      },
      algo, attr, buf, sizeInBytes);
}

MUBLASLT_ENTRY mublasLtMatmulAlgoConfigGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr, void* buf,
                                                    size_t sizeInBytes, size_t* sizeWritten) {
  return tracedCall(
      "mublasLtMatmulAlgoConfigGetAttribute",
      [&] {
        MUBLASLT_REQUIRE(algo, MUBLAS_STATUS_INVALID_VALUE);
        const auto algorithm = load<Algorithm>(algo);
        return getField(kConfigFields, &algorithm, attr, buf, sizeInBytes, sizeWritten);
      },
      algo, attr, buf, sizeInBytes, sizeWritten);
}

}  // extern "C"
