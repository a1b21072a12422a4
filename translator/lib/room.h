#pragma once

// Memory that is used again for one file after the other.

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace musashim::translator {

struct FreeRoom {
  void operator()(void* room) const { std::free(room); }
};
template <typename Value>
using Room = std::unique_ptr<Value[], FreeRoom>;

/// Not cleared, for at least `count` values, which becomes the number there is room for. Much of it in pages
/// of 2 MiB where the system has them: touching as much in small ones costs more than reading a file into it.
template <typename Value>
Room<Value> makeRoom(std::size_t& count);

/// The same in bytes.
void* allocateRoom(std::size_t& bytes);

template <typename Value>
Room<Value> makeRoom(std::size_t& count) {
  std::size_t bytes = count * sizeof(Value);
  Room<Value> room(static_cast<Value*>(allocateRoom(bytes)));
  count = bytes / sizeof(Value);
  return room;
}

}  // namespace musashim::translator
