// Entries that show tables.
#include "entry.h"
#include "libs/murand/engine/directions.h"

using namespace musashim::rand;

namespace {

template <class Vectors, class Table>
murandStatus_t show(Vectors** vectors, bool known, Table table) {
  if (vectors == nullptr || !known) return MURAND_STATUS_OUT_OF_RANGE;
  // The interface's pointer is to what may be written; the table is in memory that may not.
  *vectors = reinterpret_cast<Vectors*>(reinterpret_cast<uintptr_t>(table()));
  return MURAND_STATUS_SUCCESS;
}

}  // namespace

MURAND_ENTRY murandGetDirectionVectors32(murandDirectionVectors32_t** vectors,
                                         murandDirectionVectorSet_t set) {
  return entry(
      "murandGetDirectionVectors32",
      [&] { return show(vectors, set == MURAND_DIRECTION_VECTORS_32_JOEKUO6, directions32); }, vectors, set);
}

MURAND_ENTRY murandGetDirectionVectors64(murandDirectionVectors64_t** vectors,
                                         murandDirectionVectorSet_t set) {
  return entry(
      "murandGetDirectionVectors64",
      [&] { return show(vectors, set == MURAND_DIRECTION_VECTORS_64_JOEKUO6, directions64); }, vectors, set);
}
