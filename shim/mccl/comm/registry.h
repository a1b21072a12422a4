// Which mcclComm_t are alive. Handles are looked up, never dereferenced, so that a
// destroyed or corrupted one is an error and not a crash.
#pragma once

#include <memory>

#include "mccl.h"
#include "mccl/comm/member.h"

namespace musashim::mccl {

mcclComm_t registerComm(std::shared_ptr<Member> member);

// Null when there is no such communicator.
std::shared_ptr<Member> findComm(mcclComm_t comm);

// Removes it and gives back what it held; null when there is no such communicator.
std::shared_ptr<Member> releaseComm(mcclComm_t comm);

}  // namespace musashim::mccl
