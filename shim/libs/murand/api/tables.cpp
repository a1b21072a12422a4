// Entries that show tables.
#include "entry.h"
#include "libs/murand/engine/quasi/directions.h"
#include "libs/murand/engine/quasi/scrambling.h"

using namespace musashim::rand;

namespace {

template <class Entry, class Table>
murandStatus_t show(Entry** entries, Table table) {
  if (entries == nullptr || table == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  // The interface's pointer is to what may be written; the table is in memory that may not.
  *entries = reinterpret_cast<Entry*>(reinterpret_cast<uintptr_t>(table()));
  return MURAND_STATUS_SUCCESS;
}

// The table of a set: the plain one or the scrambled one, or none.
template <class Table>
Table* ofSet(murandDirectionVectorSet_t set, murandDirectionVectorSet_t plainSet, Table* plain,
             murandDirectionVectorSet_t scrambledSet, Table* scrambled) {
  return set == plainSet ? plain : set == scrambledSet ? scrambled : nullptr;
}

}  // namespace

MURAND_ENTRY murandGetDirectionVectors32(murandDirectionVectors32_t** vectors,
                                         murandDirectionVectorSet_t set) {
  return entry(
      "murandGetDirectionVectors32",
      [&] {
        return show(vectors, ofSet(set, MURAND_DIRECTION_VECTORS_32_JOEKUO6, directions32,
                                   MURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, scrambledDirections32));
      },
      vectors, set);
}

MURAND_ENTRY murandGetDirectionVectors64(murandDirectionVectors64_t** vectors,
                                         murandDirectionVectorSet_t set) {
  return entry(
      "murandGetDirectionVectors64",
      [&] {
        return show(vectors, ofSet(set, MURAND_DIRECTION_VECTORS_64_JOEKUO6, directions64,
                                   MURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6, scrambledDirections64));
      },
      vectors, set);
}

MURAND_ENTRY murandGetScrambleConstants32(unsigned int** constants) {
  return entry(
      "murandGetScrambleConstants32", [&] { return show(constants, scrambleConstants32); }, constants);
}

MURAND_ENTRY murandGetScrambleConstants64(unsigned long long** constants) {
  return entry(
      "murandGetScrambleConstants64", [&] { return show(constants, scrambleConstants64); }, constants);
}
