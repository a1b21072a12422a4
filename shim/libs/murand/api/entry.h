// How an entry of muRAND runs.
#pragma once

#include <murand.h>

#include "core/handle_arena.h"
#include "libs/core/api_call.h"
#include "libs/murand/generator/generator.h"

#define MURAND_ENTRY extern "C" murandStatus_t

namespace musashim::rand {

musashim::core::HandleArena<murandGenerator_st>& generators();

inline constexpr libs::Failures<murandStatus_t> kFailures{MURAND_STATUS_ALLOCATION_FAILED,
                                                          MURAND_STATUS_INTERNAL_ERROR};

template <class Body, class... Args>
murandStatus_t entry(const char* name, Body&& body, const Args&... args) {
  return libs::apiCall("murand", name, kFailures, body, args...);
}

// Of a generator that must be alive: `body` gets it.
template <class Body, class... Args>
murandStatus_t entryOf(const char* name, murandGenerator_t generator, Body&& body, const Args&... args) {
  return entry(
      name,
      [&] {
        murandGenerator_st* const found = generators().get(generator);
        return found != nullptr ? body(*found) : MURAND_STATUS_NOT_INITIALIZED;
      },
      static_cast<const void*>(generator), args...);
}

}  // namespace musashim::rand
