// What MTML's handles stand for. A handle that is none, or none any more, is known as such.
#pragma once

#include <mutex>

#include "core/handle_arena.h"
#include "mtml.h"
#include "mtml/state/machine.h"

struct MtmlLibrary {};

struct MtmlSystem {
  const MtmlLibrary* library;
};

struct MtmlDevice {
  const MtmlLibrary* library;
  unsigned int index;
  MUshimDevice facts;
};

struct MtmlGpu {
  const MtmlLibrary* library;
  unsigned int index;
  MUshimDevice facts;
};

struct MtmlMemory {
  const MtmlLibrary* library;
  unsigned int index;
  MUshimDevice facts;
};

struct MtmlVpu {
  const MtmlLibrary* library;
  unsigned int index;
  MUshimDevice facts;
};

namespace musashim::mtml {

// Never destroyed: threads of the program may call until it is gone.
struct Objects {
  core::HandleArena<MtmlLibrary> libraries{1u << 12};
  core::HandleArena<MtmlSystem> systems{1u << 14};
  core::HandleArena<MtmlDevice> devices{1u << 16};
  core::HandleArena<MtmlGpu> gpus{1u << 16};
  core::HandleArena<MtmlMemory> memories{1u << 16};
  core::HandleArena<MtmlVpu> vpus{1u << 16};
  std::mutex change;  // held while handles are made and freed
};
Objects& objects();

// Runs `body` with the object of a handle, or says that it is none.
template <class Arena, class Handle, class Body>
MtmlReturn with(const Arena& arena, const Handle* handle, Body&& body) {
  const auto* object = arena.get(handle);
  return object ? body(*object) : MTML_ERROR_INVALID_ARGUMENT;
}

// The text with its end, where the buffer has room for it.
MtmlReturn give(const std::string& text, char* buffer, unsigned int length);

// `*out = value`, unless it is null.
template <class T, class U>
MtmlReturn give(U value, T* out) {
  if (!out) return MTML_ERROR_INVALID_ARGUMENT;
  *out = static_cast<T>(value);
  return MTML_SUCCESS;
}

}  // namespace musashim::mtml
