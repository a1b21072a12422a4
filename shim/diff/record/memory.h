// Memory that kernels can reach, and what of its content is known.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api.h"
#include "run_folder.h"

namespace musashim::record {

// A word of content that points into an allocation.
struct Pointer {
  size_t at;  // bytes from the content's start
  int allocation;
  size_t offset;
};

// What stands in recorded content in a pointer's place, with the offset in the low 48 bits: addresses are
// other ones in each run.
constexpr uint64_t kPointerMark = uint64_t{0xa110} << 48;

struct Allocation {
  int id = 0;
  uintptr_t base = 0;
  size_t bytes = 0;
  std::string kind;  // device, managed, host, variable
  std::string name;  // of a variable
  TYPE(context) context = nullptr;
  Type type = Type::kUnknown;  // as the last kernel's signature says
  bool known = false;          // `hash` is of what it holds
  std::string hash;
  std::vector<Pointer> pointers;

  bool writtenByHost() const { return kind == "managed" || kind == "host"; }
};

// What an event did to an allocation.
struct Touched {
  Allocation* allocation = nullptr;
  std::string before, after;
  std::vector<Pointer> pointers;  // of the content before
  Type type = Type::kUnknown;     // of the event's signature
  std::string sketch;             // JSON members, when the content is another
};

// Where content is read to. Pages that the driver knows are copied to several times as fast.
class HostBuffer {
 public:
  HostBuffer() = default;
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  char* data() { return data_; }
  // For copies in the current context. What the buffer had is lost when it grows.
  void reserve(size_t bytes);

 private:
  void forget();

  char* data_ = nullptr;
  size_t bytes_ = 0;
  TYPE(context) context_ = nullptr;  // whose driver knows the pages
};

class Memory {
 public:
  explicit Memory(RunFolder& folder) : folder_(folder) {}

  // Sets device memory to 0, so that what nobody wrote is the same in all runs.
  void allocated(uintptr_t base, size_t bytes, const char* kind, const std::string& name = {});
  void freed(uintptr_t base);

  Allocation* at(uintptr_t address);
  std::vector<Allocation*> all();

  // Those of `roots`, and what their contents point to, and so on.
  std::vector<Touched> reachable(const std::vector<Allocation*>& roots, bool keep);

  // Reads what all have become.
  void finish(std::vector<Touched>& touched, bool keep);

 private:
  // Its content is in buffer_ then, with marks in place of pointers, and what the allocation says of it is
  // true.
  void read(Allocation& allocation);
  void readBeside(Allocation& allocation, Hash& hash);
  void readPiece(const Allocation& allocation, size_t first, size_t bytes);
  void markPointers(std::vector<Pointer>& pointers, size_t first, size_t bytes);
  const std::string& hashOfZeros(size_t bytes);

  RunFolder& folder_;
  std::map<uintptr_t, std::unique_ptr<Allocation>> live_;
  HostBuffer buffer_;
  std::map<size_t, std::string> zeros_;  // hashes by size
  int next_ = 0;
};

}  // namespace musashim::record
