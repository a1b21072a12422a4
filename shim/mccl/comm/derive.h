// Splitting and shrinking communicators whose ranks are of several processes.
//
// The ranks tell each other their colours in the parent's segment; the first rank of each new
// communicator makes a unique id and leaves it there as an invitation; then all meet by it. Across hosts the
// first rank sends a unique id to all, who meet by it and bring their colours.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "mccl/comm/member.h"

namespace musashim::mccl {

// Each blocks until `child` is admitted or rejected; gives up when it is cancelled.
void splitAcross(const std::shared_ptr<Member>& parent, uint64_t number, int color, int key,
                 const std::shared_ptr<Member>& child);

// `survivors`: ranks of the parent, ascending, the caller's among them.
void shrinkAcross(const std::shared_ptr<Member>& parent, uint64_t number, std::span<const int> survivors,
                  const std::shared_ptr<Member>& child);

}  // namespace musashim::mccl
