// Entries that tell one thing of an object.
#pragma once

#include <string>

#include "mtml/api/entry.h"
#include "mtml/state/objects.h"

namespace musashim::mtml {

template <class Arena, class Handle, class Value, class Read>
MtmlReturn tell(const char* name, const Arena& arena, const Handle* handle, Value* out, Read&& read) {
  return entry(
      name, [&] { return with(arena, handle, [&](const auto& object) { return give(read(object), out); }); },
      handle, out);
}

// As with(), of a device that is still there.
template <class Arena, class Handle, class Body>
MtmlReturn withLive(const Arena& arena, const Handle* handle, Body&& body) {
  return with(arena, handle, [&](const auto& object) {
    return isLost(object.index) ? MTML_ERROR_DRIVER_FAILURE : body(object);
  });
}

template <class Arena, class Handle, class Value, class Read>
MtmlReturn tellLive(const char* name, const Arena& arena, const Handle* handle, Value* out, Read&& read) {
  return entry(
      name,
      [&] { return withLive(arena, handle, [&](const auto& object) { return give(read(object), out); }); },
      handle, out);
}

template <class Arena, class Handle, class Read>
MtmlReturn tellText(const char* name, const Arena& arena, const Handle* handle, char* buffer,
                    unsigned int length, Read&& read) {
  return entry(
      name,
      [&] {
        return with(arena, handle, [&](const auto& object) { return give(read(object), buffer, length); });
      },
      handle, static_cast<void*>(buffer), length);
}

}  // namespace musashim::mtml
