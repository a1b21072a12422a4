#include "memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <thread>

namespace musashim::record {
namespace {

std::string sketchMembers(const Sketch& sketch, const std::string& place) {
  std::string text =
      ",\"type\":" + quoted(typeName(sketch.type)) + ",\"min\":" + number(sketch.min) +
      ",\"max\":" + number(sketch.max) + ",\"mean\":" + number(sketch.mean) +
      ",\"magnitude\":" + number(sketch.meanMagnitude) + ",\"nan\":" + std::to_string(sketch.nan) +
      ",\"infinite\":" + std::to_string(sketch.infinite) + ",\"sketch\":" + place + ",\"samples\":[";
  for (size_t i = 0; i < sketch.samples.size(); ++i) text += (i == 0 ? "" : ",") + number(sketch.samples[i]);
  return text + "]";
}

}  // namespace

HostBuffer::~HostBuffer() {
  forget();
  std::free(data_);
}

void HostBuffer::forget() {
  if (context_ != nullptr) (void)API(MemHostUnregister)(data_);
  context_ = nullptr;
}

void HostBuffer::reserve(size_t bytes) {
  constexpr size_t kPage = 4096, kWorthwhile = size_t{1} << 20;
  if (bytes_ < bytes) {
    forget();
    std::free(data_);
    bytes_ = std::max((bytes + kPage - 1) / kPage * kPage, bytes_ + bytes_ / 2 / kPage * kPage);
    data_ = static_cast<char*>(std::aligned_alloc(kPage, bytes_));
    if (data_ == nullptr) throw std::bad_alloc();
  }
  TYPE(context) current = nullptr;
  (void)API(CtxGetCurrent)(&current);
  if (bytes_ < kWorthwhile || current == context_) return;
  forget();  // fails where that context is no more, and its driver has forgotten the pages
  constexpr unsigned kOfAllContexts = 1;
  if (API(MemHostRegister_v2)(data_, bytes_, kOfAllContexts) == SUCCESS) context_ = current;
}

void Memory::allocated(uintptr_t base, size_t bytes, const char* kind, const std::string& name) {
  if (base == 0 || bytes == 0) return;
  // What lies there and was not seen to end has ended.
  auto next = live_.lower_bound(base);
  if (next != live_.begin() && std::prev(next)->second->base + std::prev(next)->second->bytes > base) --next;
  while (next != live_.end() && next->first < base + bytes) next = live_.erase(next);
  auto allocation = std::make_unique<Allocation>();
  allocation->id = next_++;
  allocation->base = base;
  allocation->bytes = bytes;
  allocation->kind = kind;
  allocation->name = name;
  (void)API(CtxGetCurrent)(&allocation->context);
  folder_.line("{\"event\":\"allocate\",\"allocation\":" + std::to_string(allocation->id) +
               ",\"bytes\":" + std::to_string(bytes) + ",\"kind\":" + quoted(kind) +
               (name.empty() ? "" : ",\"name\":" + quoted(name)) + "}");
  if (allocation->kind == "device") {
    (void)API(MemsetD8_v2)(base, 0, bytes);
    (void)API(CtxSynchronize)();
  }
  live_[base] = std::move(allocation);
}

void Memory::freed(uintptr_t base) {
  const auto found = live_.find(base);
  if (found == live_.end()) return;
  folder_.line("{\"event\":\"free\",\"allocation\":" + std::to_string(found->second->id) + "}");
  live_.erase(found);
}

Allocation* Memory::at(uintptr_t address) {
  auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  Allocation& allocation = *std::prev(next)->second;
  return address - allocation.base < allocation.bytes ? &allocation : nullptr;
}

std::vector<Allocation*> Memory::all() {
  std::vector<Allocation*> result;
  for (auto& [base, allocation] : live_) result.push_back(allocation.get());
  return result;
}

void Memory::readPiece(const Allocation& allocation, size_t first, size_t bytes) {
  if (allocation.writtenByHost())
    std::memcpy(buffer_.data() + first, reinterpret_cast<const void*>(allocation.base + first), bytes);
  else
    (void)API(MemcpyDtoH_v2)(buffer_.data() + first, allocation.base + first, bytes);
}

void Memory::markPointers(std::vector<Pointer>& pointers, size_t first, size_t bytes) {
  const uintptr_t low = live_.begin()->first,
                  size = live_.rbegin()->first + live_.rbegin()->second->bytes - low;
  char* const data = buffer_.data();
  for (size_t i = first; i + 8 <= first + bytes; i += 8) {
    uintptr_t word;
    std::memcpy(&word, data + i, 8);
    if (word - low >= size) continue;
    const Allocation* other = at(word);
    if (other == nullptr) continue;
    pointers.push_back({i, other->id, word - other->base});
    word = kPointerMark | pointers.back().offset;
    std::memcpy(data + i, &word, 8);
  }
}

// Of large ones, what has come is worked on while the rest comes. Each thread looks for pointers in a piece,
// and hashes it when those before have been, while it is still in the thread's cache.
void Memory::readBeside(Allocation& allocation, Hash& hash) {
  constexpr size_t kCopy = size_t{4} << 20, kPiece = size_t{1} << 19;
  const size_t pieces = (allocation.bytes + kPiece - 1) / kPiece;
  std::atomic<size_t> come{0}, taken{0}, hashed{0};  // bytes, pieces, pieces
  std::vector<std::vector<Pointer>> pointers(pieces);
  std::vector<std::thread> workers;
  const size_t most = std::clamp<size_t>(std::thread::hardware_concurrency() / 3, 1, 5);
  for (size_t i = 0; i < most; ++i)
    workers.emplace_back([&] {
      for (size_t piece; (piece = taken++) < pieces;) {
        const size_t first = piece * kPiece, bytes = std::min(kPiece, allocation.bytes - first);
        while (come.load(std::memory_order_acquire) < first + bytes) std::this_thread::yield();
        markPointers(pointers[piece], first, bytes);
        while (hashed.load(std::memory_order_acquire) != piece) std::this_thread::yield();
        hash.add(buffer_.data() + first, bytes);
        hashed.store(piece + 1, std::memory_order_release);
      }
    });
  for (size_t first = 0; first < allocation.bytes; first += kCopy) {
    const size_t bytes = std::min(kCopy, allocation.bytes - first);
    readPiece(allocation, first, bytes);
    come.store(first + bytes, std::memory_order_release);
  }
  for (std::thread& worker : workers) worker.join();
  for (const std::vector<Pointer>& some : pointers)
    allocation.pointers.insert(allocation.pointers.end(), some.begin(), some.end());
}

void Memory::read(Allocation& allocation) {
  constexpr size_t kLarge = size_t{8} << 20, kPiece = size_t{1} << 20;  // stays in a processor's cache
  TYPE(context) old = nullptr;
  (void)API(CtxGetCurrent)(&old);
  const bool other = old != allocation.context && allocation.context != nullptr;
  if (other) (void)API(CtxSetCurrent)(allocation.context);
  buffer_.reserve(allocation.bytes);
  allocation.pointers.clear();
  Hash hash(allocation.bytes);
  if (allocation.bytes >= kLarge && std::thread::hardware_concurrency() > 1) {
    readBeside(allocation, hash);
  } else {
    for (size_t first = 0; first < allocation.bytes; first += kPiece) {
      const size_t bytes = std::min(kPiece, allocation.bytes - first);
      readPiece(allocation, first, bytes);
      markPointers(allocation.pointers, first, bytes);
      hash.add(buffer_.data() + first, bytes);
    }
  }
  if (other) (void)API(CtxSetCurrent)(old);
  allocation.hash = hash.text();
  allocation.known = true;
}

const std::string& Memory::hashOfZeros(size_t bytes) {
  std::string& hash = zeros_[bytes];
  if (!hash.empty()) return hash;
  const std::vector<char> piece(size_t{1} << 16);
  Hash made(bytes);
  for (size_t first = 0; first < bytes; first += piece.size())
    made.add(piece.data(), std::min(piece.size(), bytes - first));
  return hash = made.text();
}

std::vector<Touched> Memory::reachable(const std::vector<Allocation*>& roots, bool keep) {
  std::map<int, Allocation*> byId;
  for (auto& [base, allocation] : live_) byId[allocation->id] = allocation.get();
  std::vector<Allocation*> open = roots;
  std::set<int> seen;
  std::vector<Touched> result;
  while (!open.empty()) {
    Allocation& allocation = *open.back();
    open.pop_back();
    if (!seen.insert(allocation.id).second) continue;
    Touched touched;
    touched.allocation = &allocation;
    if (!allocation.known && allocation.kind == "device") {  // as it was made
      allocation.hash = hashOfZeros(allocation.bytes);
      allocation.known = true;
    }
    if (!allocation.known || allocation.writtenByHost() || (keep && !folder_.has(allocation.hash))) {
      read(allocation);
      if (keep) folder_.keep(allocation.hash, buffer_.data(), allocation.bytes);
    }
    touched.before = allocation.hash;
    touched.pointers = allocation.pointers;
    result.push_back(std::move(touched));
    for (const Pointer& pointer : allocation.pointers)
      if (byId.count(pointer.allocation) != 0 && seen.count(pointer.allocation) == 0)
        open.push_back(byId[pointer.allocation]);
  }
  std::sort(result.begin(), result.end(),
            [](const Touched& a, const Touched& b) { return a.allocation->id < b.allocation->id; });
  return result;
}

void Memory::finish(std::vector<Touched>& touched, bool keep) {
  for (Touched& one : touched) {
    Allocation& allocation = *one.allocation;
    read(allocation);
    one.after = allocation.hash;
    if (keep) folder_.keep(allocation.hash, buffer_.data(), allocation.bytes);
    if (one.after == one.before) continue;
    Type type = one.type != Type::kUnknown ? one.type : allocation.type;
    if (type == Type::kUnknown) type = guessType(buffer_.data(), allocation.bytes);
    const Sketch made = sketchOf(buffer_.data(), allocation.bytes, type);
    one.sketch = sketchMembers(made, folder_.sketchPlace(made));
  }
}

}  // namespace musashim::record
