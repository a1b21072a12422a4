#include "values.h"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "support.h"

namespace musashim::fuzz {

using test::kernels;
using test::variables;

namespace {

constexpr size_t kHostBytes = 16 << 20;  // what the largest copy of small numbers reaches
constexpr size_t kSafeBytes = 1 << 20;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Numbers of elements in arrays: the caller's promise, which nothing can check.
bool countsElements(std::string_view function, std::string_view name, size_t bytes) {
  if (has(name, "num") || has(name, "Num") || has(name, "Count") || name == "attrsIdxs") {
    return !isOneOf(name, {"num_bytes", "ByteCount"});
  }
  if (name == "count" || name == "size") {
    return bytes == 4 || has(function, "Batch") || has(function, "Access") || has(function, "Attributes");
  }
  return false;
}

bool isAddress(std::string_view name) {
  return isOneOf(name, {"dptr", "ptr", "devPtr", "addr", "address", "alias", "srcDevice", "dstDevice", "dst",
                        "src", "base_ptr", "p", "pHost"});
}

// Kernels of the test image, but for those that print or never end.
const void* const kKernels[] = {&kernels.empty,   &kernels.bounded,  &kernels.fill, &kernels.addOne,
                                &kernels.mixed,   &kernels.shared,   &kernels.spin, &kernels.copyVariables,
                                &kernels.missing, &kernels.otherArch};
const void* const kSymbols[] = {&variables.counter, variables.table, &variables.managedCounter};

const std::vector<std::byte>& bundle() {
  static const std::vector<std::byte> bytes = test::testBundle({220, 310});
  return bytes;
}

}  // namespace

// ---- Random numbers: splitmix64 ----

uint64_t Values::random() {
  uint64_t bits = state_ += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

void Values::beginCall(std::string_view function) {
  function_ = function;
  hugeSizes_ = oneIn(8);
}

// ---- Plain values ----

uint64_t Values::size(std::string_view name) {
  static constexpr uint64_t kHuge[] = {
      uint64_t{1} << 44, uint64_t{1} << 48, uint64_t{1} << 62, uint64_t{1} << 63, UINT64_MAX,
      UINT64_MAX - 1,    UINT64_MAX - 4095, uint64_t{1} << 32, 0xffffffff,        0x7fffffff};
  if (hugeSizes_ && oneIn(2) && !isOneOf(name, {"dataSize", "dataSizes", "bufferSize", "len"}))
    return kHuge[below(std::size(kHuge))];
  if (isOneOf(name, {"height", "Height", "ysize", "y", "hOffset", "srcY", "dstY", "srcHeight", "dstHeight",
                     "hOffsetSrc", "hOffsetDst"})) {
    return oneIn(2) ? below(3) : below(65);
  }
  if (isOneOf(name, {"depth", "Depth", "z", "srcZ", "dstZ", "srcLOD", "dstLOD"})) return below(9);
  if (has(name, "itch")) return oneIn(4) ? below(4097) : 512 * below(9);
  if (isOneOf(name, {"width", "Width", "WidthInBytes", "xsize", "x", "wOffset", "wOffsetSrc", "wOffsetDst",
                     "srcXInBytes", "dstXInBytes", "len", "bufferSize"})) {
    return oneIn(2) ? below(17) : below(513);
  }
  if (has(name, "ffset")) return below(65);
  switch (below(4)) {
    case 0:
      return below(9);
    case 1:
      return below(257);
    case 2:
      return uint64_t{1} << below(17);
    default:
      return below(65537);
  }
}

uint64_t Values::integer(std::string_view name, size_t bytes) {
  if (countsElements(function_, name, bytes)) return oneIn(4) ? 0 : below(kArray + 1);
  if (functionHas("WaitValue")) {  // fulfilled at once, or refused
    static constexpr uint64_t kFlags[] = {0, 1, 3, 0x80};
    if (name == "flags") return kFlags[below(4)];
    if (name == "value") return 0;
  }
  if (name == "defaultLaunchValue") return 0;  // else loops of graphs never end
  if (isOneOf(name, {"pad", "reserved", "reserved0", "reserved1", "reserved2"})) return oneIn(32) ? ~0ull : 0;
  if (bytes == 8 && isAddress(name)) return deviceAddress(name);
  if (bytes == 8 && (has(name, "Object") || has(name, "handle") || has(name, "Handle")))
    return objectNumber();
  if (has(name, "gridDim") || has(name, "blockDim")) {
    static constexpr uint64_t kSizes[] = {0, 1, 1, 1, 2, 3, 32, 0xffffffff};
    return kSizes[below(std::size(kSizes))];
  }
  if (has(name, "evice") || isOneOf(name, {"ordinal", "id", "dev"})) {
    return oneIn(8) ? random() : below(test::kDevices + 1) - oneIn(8);
  }
  if (has(name, "lags")) return oneIn(2) ? 0 : oneIn(2) ? below(16) : oneIn(2) ? 1ull << below(32) : random();
  if (bytes == 8) return size(name);
  if (oneIn(2)) return below(20);
  return oneIn(4) ? random() : below(1100) - oneIn(8) * 1000;
}

uint64_t Values::enumerator(std::string_view name) {
  // Memory operations that wait do so for a value that may never come.
  if (name == "operation") {
    static constexpr uint64_t kOperations[] = {0, 2, 3, 5, 6, 99};
    return kOperations[below(std::size(kOperations))];
  }
  switch (below(8)) {
    case 0:
      return below(130);
    case 1:
      return 1ull << below(31);
    case 2:
      return random() & 0x7fffffff;
    default:
      return below(12);
  }
}

double Values::real() {
  static constexpr double kReals[] = {0, 1, -1, 0.5, 1e30, -1e30, __builtin_nan(""), __builtin_inf()};
  return kReals[below(std::size(kReals))];
}

uint64_t Values::inventedHandle() {
  switch (below(4)) {
    case 0:
      return random();
    case 1:
      return below(4096);
    case 2:
      return reinterpret_cast<uint64_t>(hostMemory());
    default:  // beside one that is alive
      return reinterpret_cast<uint64_t>(pool<MUstream>()[below(kArray)]) + 8;
  }
}

namespace {
struct Addresses {
  unsigned long long slots[Values::kArray] = {};
};
// Of memory; of mapped memory and variables, which may lie where nothing is any more; of textures and such.
Addresses allocated, reserved, objects;
unsigned long long sink[Values::kArray * 2];

bool givesVariable(std::string_view function) {
  return has(function, "GetGlobal") || has(function, "GetManaged") || has(function, "GetSymbolAddress");
}

bool mapsMemory(std::string_view function) {
  return has(function, "muMemAddress") || has(function, "muMemMap") || has(function, "muMemUnmap") ||
         has(function, "muMemSetAccess") || has(function, "muMemGetAccess") || has(function, "Retain");
}

// An address that no one knows is ordinary memory of the host to these.
bool takesHostMemory(std::string_view function) {
  return has(function, "Memcpy") || has(function, "AddNode") || has(function, "SetParams");
}
}  // namespace

constexpr int kZeroWords = 4;

uint64_t Values::objectNumber() { return oneIn(16) ? random() : objects.slots[below(kArray)]; }

uint64_t Values::deviceAddress(std::string_view /*name*/) {
  const auto safe = reinterpret_cast<uint64_t>(SafeMemory::get().device());
  if (functionHas("WaitValue")) {
    return oneIn(4) ? random()
                    : reinterpret_cast<uint64_t>(SafeMemory::get().zeros()) + 4 * below(kZeroWords);
  }
  if (hugeSizes_) return oneIn(4) ? 0 : oneIn(2) ? safe : safe + below(kSafeBytes);
  if (mapsMemory(function_) && !oneIn(4))
    return reserved.slots[below(kArray)] + (oneIn(4) ? below(1 << 22) : 0);
  switch (below(8)) {
    case 0:
      return oneIn(3) ? 0 : safe + below(4096);
    case 1:
      return safe;
    case 2:
      return reinterpret_cast<uint64_t>(hostMemory());
    case 3:
      if (takesHostMemory(function_)) return safe;
      return oneIn(2) ? random() : reserved.slots[below(kArray)];
    default: {
      const uint64_t start = allocated.slots[below(kArray)];
      return start == 0 ? safe : start + (oneIn(4) ? below(300) : 0);
    }
  }
}

const char* Values::text(std::string_view name) {
  static constexpr const char* kNames[] = {"empty", "fill",           "mixed", "counter",
                                           "table", "managedCounter", "",      "none"};
  static constexpr const char* kPlaces[] = {"0000:2a:00.0", "0000:2B:00.0", "2a:00.0", "",
                                            "pci",          "zz:zz:zz.z"};
  static constexpr const char* kEntries[] = {"muMemAlloc", "muInit", "musaMalloc", "", "mu"};
  static const char* const kFiles[] = {TEST_IMAGE_310, "/dev/null", "/nowhere/at/all", ""};
  if (oneIn(24)) return nullptr;
  if (name == "pciBusId") return kPlaces[below(std::size(kPlaces))];
  if (name == "path") return oneIn(4) ? "/nowhere/at/all" : "/dev/null";  // it is written
  if (name == "fileName" || name == "fname") return kFiles[below(std::size(kFiles))];
  if (name == "symbol" && oneIn(2)) return kEntries[below(std::size(kEntries))];
  return kNames[below(std::size(kNames))];
}

// ---- Pointers ----

void* Values::hostMemory() {
  static auto* const memory = static_cast<char*>(
      mmap(nullptr, kHostBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return memory + (oneIn(2) ? 4096 * below(16) : below(65536));
}

// For whatever type an entry may store there.
void* Values::alignedHostMemory() {
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(hostMemory()) & ~uintptr_t{15});
}

bool Values::isArray() const {
  return functionHas("Get") || functionHas("Enumerate") || functionHas("AddNode") ||
         functionHas("Dependencies");
}

void* Values::voidPointer(std::string_view name) {
  if (isOneOf(name, {"func", "symbolPtr", "entryFuncAddr"})) {
    if (oneIn(8)) return reinterpret_cast<void*>(inventedHandle());
    if (oneIn(8)) return pool<MUkernel>()[below(kArray)];
    return const_cast<void*>(kKernels[below(std::size(kKernels))]);
  }
  if (name == "symbol") {
    return oneIn(8) ? reinterpret_cast<void*>(inventedHandle())
                    : const_cast<void*>(kSymbols[below(std::size(kSymbols))]);
  }
  if (isOneOf(name, {"image", "code", "fatMubin"})) {
    return oneIn(24) ? nullptr : oneIn(8) ? hostMemory() : const_cast<std::byte*>(bundle().data());
  }
  const bool opensDescriptor =
      functionHas("Import") && isOneOf(name, {"shareableHandle", "osHandle", "handle"});
  if (opensDescriptor && oneIn(2)) return reinterpret_cast<void*>(below(40));
  if (isOneOf(name, {"value", "data", "userData", "handle_out", "shareableHandle", "handle", "osHandle",
                     "dptr_out", "win32SecurityAttributes", "reserved0", "reserved1"})) {
    return oneIn(24) ? nullptr : alignedHostMemory();
  }
  if (isOneOf(name, {"srcHost", "dstHost"}) && !hugeSizes_) return hostMemory();
  return reinterpret_cast<void*>(deviceAddress(name));
}

// What any kernel of the image can do with: pointers to memory of its own, small numbers.
static void** kernelArguments() {
  alignas(16) static uint64_t storage[Values::kArray][4];
  static void* pointers[Values::kArray];
  const auto safe = reinterpret_cast<uint64_t>(SafeMemory::get().device());
  for (size_t i = 0; i < Values::kArray; ++i) {
    storage[i][0] = i == 1 || i == 2 ? 16 : safe;
    pointers[i] = storage[i];
  }
  return pointers;
}

void** Values::pointerArray(std::string_view name) {
  static void* array[kArray];
  if (name == "kernelParams" || name == "args") return kernelArguments();
  if (name == "extra") {
    static uint64_t packed[16];
    static size_t bytes;
    static void* extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, packed, MU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                            MU_LAUNCH_PARAM_END};
    packed[0] = packed[4] = reinterpret_cast<uint64_t>(SafeMemory::get().device());
    packed[1] = 16;
    bytes = below(2) * 64 + below(64);
    return oneIn(2) ? nullptr : extra;
  }
  if (isOneOf(name, {"devPtr", "ptr", "pp", "pHost", "dptr"})) {
    Addresses& given = givesVariable(function_) ? reserved : allocated;
    return reinterpret_cast<void**>(&given.slots[below(kArray)]);
  }
  if (isOneOf(name, {"dsts", "srcs"})) {
    for (void*& element : array) element = voidPointer("dst");
    return array;
  }
  for (void*& element : array) element = alignedHostMemory();
  return array;
}

unsigned long long* Values::addressArray(std::string_view name) {
  if (functionHas("AddressReserve") || givesVariable(function_)) return &reserved.slots[below(kArray)];
  if (isOneOf(name, {"dptr", "ptr_out", "dptr_out"})) return &allocated.slots[below(kArray)];
  if (has(name, "Object") || has(name, "andle")) return &objects.slots[below(kArray)];
  if (isOneOf(name, {"dsts", "srcs"})) {
    for (auto& element : sink) element = deviceAddress(name);
  }
  return sink;
}

// ---- Functions ----

MUhostFn Values::function(MUhostFn) {
  return [](void*) {};
}
MUstreamCallback Values::function(MUstreamCallback) {
  return [](MUstream, MUresult, void*) {};
}
musaStreamCallback_t Values::function(musaStreamCallback_t) {
  return [](musaStream_t, musaError_t, void*) {};
}
MUoccupancyB2DSize Values::function(MUoccupancyB2DSize) {
  return [](int threads) { return static_cast<size_t>(threads); };
}

// ---- Memory of kernels ----

namespace {
std::mutex wordsMutex;
std::vector<int*> words;   // of all memory there ever was: old kernels wait for old words
int* zeroWords = nullptr;  // may lie where such a word was, or where a call still writes
}  // namespace

SafeMemory& SafeMemory::get() {
  static SafeMemory memory;
  return memory;
}

void SafeMemory::renew() {
  // By their numbers: after a reset other memory may be where they were.
  auto number = [](void* pointer) {
    unsigned long long id = 0;
    const auto address = reinterpret_cast<MUdeviceptr>(pointer);
    const bool known =
        pointer && muPointerGetAttribute(&id, MU_POINTER_ATTRIBUTE_BUFFER_ID, address) == MUSA_SUCCESS;
    return known ? id : 0;
  };
  if (device_ && zeros_ && number(device_) == deviceNumber_ && number(zeros_) == zerosNumber_) return;
  // Aside, for the current context may be faulted, or none.
  if (musaSetDevice(0) != musaSuccess) return;
  MUstreamCaptureMode mode = MU_STREAM_CAPTURE_MODE_RELAXED;
  muThreadExchangeStreamCaptureMode(&mode);
  if (::musaMalloc(&device_, kSafeBytes) != musaSuccess) device_ = nullptr;
  if (::musaMalloc(&zeros_, 4096) != musaSuccess) zeros_ = nullptr;
  muThreadExchangeStreamCaptureMode(&mode);
  deviceNumber_ = number(device_);
  zerosNumber_ = number(zeros_);
  if (zeros_) std::memset(zeros_, 0, 4096);  // devices share the host's addresses
  std::lock_guard lock(wordsMutex);
  zeroWords = static_cast<int*>(zeros_);
  if (!device_) return;
  words.push_back(static_cast<int*>(device_));
}

void SafeMemory::unlock() {
  std::lock_guard lock(wordsMutex);
  const auto isZero = [](const int* word) {
    return zeroWords && word >= zeroWords && word < zeroWords + kZeroWords;
  };
  for (int* word : words) __atomic_store_n(word, isZero(word) ? 0 : 1, __ATOMIC_RELEASE);
  for (int i = 0; zeroWords && i < kZeroWords; ++i) __atomic_store_n(zeroWords + i, 0, __ATOMIC_RELEASE);
}

}  // namespace musashim::fuzz
