#include "translator/lib/names/packed_tables.h"

namespace musashim::translator::packed {

#include "packed_tables.inc"

}  // namespace musashim::translator::packed
