#include "memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
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

void Memory::markPointers(Allocation& allocation, size_t first, size_t bytes) {
  const uintptr_t low = live_.begin()->first,
                  size = live_.rbegin()->first + live_.rbegin()->second->bytes - low;
  char* const data = buffer_.data();
  for (size_t i = first; i + 8 <= first + bytes; i += 8) {
    uintptr_t word;
    std::memcpy(&word, data + i, 8);
    if (word - low >= size) continue;
    const Allocation* other = at(word);
    if (other == nullptr) continue;
    allocation.pointers.push_back({i, other->id, word - other->base});
    word = kPointerMark | allocation.pointers.back().offset;
    std::memcpy(data + i, &word, 8);
  }
}

// By pieces that stay in a processor's cache until all is done with them.
void Memory::read(Allocation& allocation) {
  constexpr size_t kPiece = size_t{1} << 20;
  if (buffer_.size() < allocation.bytes) buffer_.resize(allocation.bytes);
  TYPE(context) old = nullptr;
  (void)API(CtxGetCurrent)(&old);
  const bool other = old != allocation.context && allocation.context != nullptr;
  if (other) (void)API(CtxSetCurrent)(allocation.context);
  allocation.pointers.clear();
  Hash hash(allocation.bytes);
  const auto understand = [&](size_t first, size_t end) {
    for (; first < end; first += kPiece) {
      const size_t bytes = std::min(kPiece, end - first);
      markPointers(allocation, first, bytes);
      hash.add(buffer_.data() + first, bytes);
    }
  };
  // Of large ones, what has come is worked on while the rest comes.
  const bool beside = allocation.bytes >= 4 * kPiece && std::thread::hardware_concurrency() > 1;
  std::atomic<size_t> come{0};
  std::thread worker;
  if (beside)
    worker = std::thread([&] {
      for (size_t done = 0; done < allocation.bytes;) {
        const size_t until = come.load(std::memory_order_acquire);
        if (until == done) std::this_thread::yield();
        understand(done, until);
        done = until;
      }
    });
  for (size_t first = 0; first < allocation.bytes; first += kPiece) {
    const size_t end = std::min(first + kPiece, allocation.bytes);
    readPiece(allocation, first, end - first);
    come.store(end, std::memory_order_release);
    if (!beside) understand(first, end);
  }
  if (beside) worker.join();
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
