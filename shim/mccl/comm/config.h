// mcclConfig_t, of this or an older level.
#pragma once

#include "mccl.h"
#include "mccl/comm/member.h"

namespace musashim::mccl {

// Checks `config` (null: all defaults) and puts what it sets into `options`; the rest stays.
// Fields that choose hardware resources (CTAs, channels, networks) are checked, and have nothing to do.
mcclResult_t parseConfig(const mcclConfig_t* config, CommOptions& options);

}  // namespace musashim::mccl
