#include "mccl/group/group.h"

#include "mccl/api/entry.h"

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclGroupStart, (void)) {
  Group::current().start();
  return mcclSuccess;
}

MCCL_API(mcclResult_t, mcclGroupEnd, (void)) { return Group::current().end(); }
