// Teams: PEs start, start + stride, ... of the world. A team's number is the same at all its PEs.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "mtshmem/host/runtime.h"

using mtshmemi::gState;
using musashim::mtshmem::Runtime;

namespace {

constexpr int kFirstFree = 6;  // behind those that are there from the beginning

bool isTeam(mtshmem_team_t team) {
  return team >= 0 && team < MTSHMEMI_MAX_TEAMS && gState.teams[team].valid;
}

int gMostTeams = MTSHMEMI_MAX_TEAMS;  // with those that are there from the beginning

uint64_t freeSlots() {
  uint64_t slots = 0;
  for (int slot = kFirstFree; slot < gMostTeams; ++slot) {
    if (!gState.teams[slot].valid) slots |= uint64_t{1} << slot;
  }
  return slots;
}

// Collective over the parent: a number that is free at all its PEs; -1 if there is none. Teams that do not
// overlap may get the same number at the same time.
int agreeOnSlot(mtshmem_team_t parent) {
  const mtshmemi_team_t& team = gState.teams[parent];
  mtshmemi::head(gState.me)->word = freeSlots();
  mtshmemi::barrier<mtshmemi::Host>(parent);
  uint64_t common = ~uint64_t{0};
  for (int pe = 0; pe < team.size; ++pe)
    common &= mtshmemi::getWord(&mtshmemi::head(gState.me)->word, mtshmemi::worldPe(team, pe));
  mtshmemi::barrier<mtshmemi::Host>(parent);
  return common == 0 ? -1 : __builtin_ctzll(common);
}

// The barriers of a number begin anew: its PEs may have been in other teams of it.
void useSlot(int slot, const mtshmemi_team_t& made) {
  gState.teams[slot] = made;
  mtshmemi::head(gState.me)->begun[slot] = 0;
  mtshmemi::head(gState.me)->arrived[slot] = 0;
}

int makeTeam(mtshmem_team_t parent, int start, int stride, int size, mtshmem_team_t* made) {
  *made = MTSHMEM_TEAM_INVALID;
  const mtshmemi_team_t from = gState.teams[parent];
  // What cannot be a team is one of no PEs, as NVSHMEM has it; one that leaves its parent is an error.
  const bool isNone = start < 0 || start >= from.size || size < 1 || size > from.size || stride < 1;
  if (isNone) return 0;
  const bool sensible = start + (size - 1) * stride < from.size;
  const int slot = agreeOnSlot(parent);
  if (sensible && slot >= 0) {
    const int distance = from.me - start;
    const bool inside = distance >= 0 && distance % stride == 0 && distance / stride < size;
    if (inside) {
      const int first = from.start + start * from.stride, step = stride * from.stride;
      useSlot(slot,
              {1, distance / stride, size, first, step, Runtime::get().hosts().isFarTeam(first, step, size)});
      *made = slot;
    }
  }
  // Nobody uses the team before all have begun it anew.
  mtshmemi::barrier<mtshmemi::Host>(parent);
  Runtime::get().publish();
  return sensible && slot >= 0 ? 0 : -1;
}

}  // namespace

namespace musashim::mtshmem {

void readMostTeams() {
  gMostTeams = MTSHMEMI_MAX_TEAMS;
  const char* const text = std::getenv("MTSHMEM_MAX_TEAMS");
  if (text == nullptr || *text == '\0') return;
  char* end = nullptr;
  const long most = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || most < 0) {
    throw std::runtime_error(std::string("MTSHMEM_MAX_TEAMS is '") + text + "', which is no number of teams");
  }
  gMostTeams = static_cast<int>(std::clamp<long>(most, kFirstFree, MTSHMEMI_MAX_TEAMS));
}

}  // namespace musashim::mtshmem

extern "C" {

MTSHMEM_EXPORT int mtshmem_team_my_pe(mtshmem_team_t team) {
  return isTeam(team) ? gState.teams[team].me : -1;
}
MTSHMEM_EXPORT int mtshmem_team_n_pes(mtshmem_team_t team) {
  return isTeam(team) ? gState.teams[team].size : -1;
}

MTSHMEM_EXPORT int mtshmem_team_translate_pe(mtshmem_team_t src_team, int src_pe, mtshmem_team_t dest_team) {
  if (!isTeam(src_team) || !isTeam(dest_team) || src_pe < 0 || src_pe >= gState.teams[src_team].size)
    return -1;
  const mtshmemi_team_t& to = gState.teams[dest_team];
  const int distance = mtshmemi::worldPe(gState.teams[src_team], src_pe) - to.start;
  if (distance < 0 || distance % to.stride != 0 || distance / to.stride >= to.size) return -1;
  return distance / to.stride;
}

MTSHMEM_EXPORT void mtshmem_team_get_config(mtshmem_team_t team, mtshmem_team_config_t* config) {
  if (isTeam(team) && config != nullptr) config->num_contexts = -1;  // as many as there may be
}

MTSHMEM_EXPORT int mtshmem_team_split_strided(mtshmem_team_t parent, int start, int stride, int size,
                                              const mtshmem_team_config_t* /*config*/, long /*config_mask*/,
                                              mtshmem_team_t* new_team) {
  *new_team = MTSHMEM_TEAM_INVALID;
  if (!isTeam(parent)) return -1;
  const mtshmemi::HostCall call("mtshmem_team_split_strided");
  return makeTeam(parent, start, stride, size, new_team);
}

MTSHMEM_EXPORT int mtshmem_team_split_2d(mtshmem_team_t parent, int xrange,
                                         const mtshmem_team_config_t* /*xconfig*/, long /*xmask*/,
                                         mtshmem_team_t* xaxis_team, const mtshmem_team_config_t* /*yconfig*/,
                                         long /*ymask*/, mtshmem_team_t* yaxis_team) {
  *xaxis_team = *yaxis_team = MTSHMEM_TEAM_INVALID;
  if (!isTeam(parent) || xrange < 1) return -1;
  const mtshmemi::HostCall call("mtshmem_team_split_2d");
  const int size = gState.teams[parent].size, me = gState.teams[parent].me;
  const int width = xrange < size ? xrange : size;
  int failed = 0;
  // One row after the other, then the columns: all PEs of the parent take part in each.
  for (int first = 0; first < size; first += width) {
    mtshmem_team_t made = MTSHMEM_TEAM_INVALID;
    const int length = size - first < width ? size - first : width;
    failed |= makeTeam(parent, first, 1, length, &made);
    if (me / width == first / width) *xaxis_team = made;
  }
  for (int column = 0; column < width; ++column) {
    mtshmem_team_t made = MTSHMEM_TEAM_INVALID;
    failed |= makeTeam(parent, column, width, (size - column + width - 1) / width, &made);
    if (me % width == column) *yaxis_team = made;
  }
  return failed;
}

MTSHMEM_EXPORT void mtshmem_team_destroy(mtshmem_team_t team) {
  if (!isTeam(team) || team < kFirstFree) return;
  const mtshmemi::HostCall call("mtshmem_team_destroy");
  mtshmemi::barrier<mtshmemi::Host>(team);
  gState.teams[team].valid = 0;
  Runtime::get().publish();
}

}  // extern "C"
