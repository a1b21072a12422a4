#pragma once

#include <string_view>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

/// Takes out what was found where MUSAPORT_EXCL_* or musify's MUSIFY_EXCL_* say that nothing changes.
void dropExcluded(std::string_view text, Match& found);

}  // namespace musashim::translator
