// How an entry of the C interface is made, and the checks that entries share.
#pragma once

#include <memory>

#include "mccl.h"
#include "mccl/comm/member.h"
#include "mccl/core/thrown.h"

// MCCL_API(mcclResult_t, mcclCommCount, (const mcclComm_t comm, int* count)) { ... } MCCL_END
// defines pmcclCommCount, and mcclCommCount as a weak alias that a profiler may replace. No exception leaves
// it.
#define MCCL_API(result, name, parameters)                                                          \
  extern "C" __attribute__((visibility("default"))) result p##name parameters;                      \
  extern "C" __attribute__((visibility("default"), weak, alias("p" #name))) result name parameters; \
  extern "C" result p##name parameters try
// Of those that return something else than a result.
#define MCCL_END_WITH(value) \
  catch (...) {              \
    return value;            \
  }
#define MCCL_END MCCL_END_WITH(musashim::mccl::resultOfThrown())

namespace musashim::mccl {

// mcclInvalidArgument when `pointer` is null.
mcclResult_t checkNotNull(const void* pointer, const char* function, const char* name);

// The communicator behind a handle, whatever its state. mcclInvalidArgument when there is none.
mcclResult_t lookUp(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member);

// As above, and done with what was begun on it: it can be asked about.
mcclResult_t lookUpSettled(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member);

// As above, and ready for work: initialised, not finalized, without an asynchronous error.
mcclResult_t lookUpReady(mcclComm_t comm, const char* function, std::shared_ptr<Member>& member);

mcclResult_t checkRoot(int root, int ranks, const char* function);
mcclResult_t checkDataType(mcclDataType_t type, const char* function);

}  // namespace musashim::mccl
