// Random arguments for calls of the API.
//
// A value is chosen by its type and by the name of its parameter or member: handles come from what
// earlier calls gave (alive, ended, of another type, invented), sizes are small or beyond all memory,
// device addresses are anything. What the fuzzer does not do is what ends a process on hardware too:
//
//   * host memory that a call reads or writes exists and is large enough;
//   * structures with a tag hold the member that the tag names;
//   * kernels get pointers to memory of theirs, and no work waits for ever.
#pragma once

#include <musa.h>
#include <musa_runtime_api.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace musashim::fuzz {

template <class T>
concept IsHandle = std::is_pointer_v<T> && std::is_class_v<std::remove_pointer_t<T>> &&
                   !requires { sizeof(std::remove_pointer_t<T>); };

template <class T>
concept IsFunction = std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>;

class Values {
 public:
  static constexpr size_t kArray = 16;  // elements of every array that a call gets

  explicit Values(uint64_t seed) : state_(seed) {}

  // Before each call.
  void beginCall(std::string_view function);

  uint64_t random();
  uint64_t below(uint64_t limit) { return random() % limit; }
  bool oneIn(uint64_t times) { return below(times) == 0; }

  template <class T>
  T make(std::string_view name) {
    if constexpr (IsHandle<T>) {
      return handle<T>();
    } else if constexpr (IsFunction<T>) {
      return oneIn(16) ? nullptr : function(static_cast<T>(nullptr));
    } else if constexpr (std::is_pointer_v<T>) {
      return pointerTo(static_cast<T>(nullptr), name);
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(enumerator(name));
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(real());
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(integer(name, sizeof(T)));
    } else {
      T value{};
      fillStructure(value, name);
      return value;
    }
  }

  template <class T>
  void fill(T& place, std::string_view name) {
    if constexpr (std::is_array_v<T>) {
      for (auto& element : place) fill(element, name);
    } else {
      place = make<T>(name);
    }
  }

 private:
  bool functionHas(std::string_view part) const { return function_.find(part) != std::string_view::npos; }

  // ---- Plain values ----
  uint64_t integer(std::string_view name, size_t bytes);
  uint64_t size(std::string_view name);
  uint64_t enumerator(std::string_view name);
  double real();
  uint64_t deviceAddress(std::string_view name);
  uint64_t objectNumber();
  const char* text(std::string_view name);

  // ---- Handles ----
  // What calls have given for T.
  template <class T>
  static std::array<T, kArray>& pool() {
    static std::array<T, kArray> slots{};
    return slots;
  }

  template <class T>
  T handle() {
    if constexpr (std::is_same_v<T, MUstream>) {
      if (oneIn(4)) return reinterpret_cast<MUstream>(below(4));  // the default ones and one that is none
    }
    if (oneIn(24)) return nullptr;
    if (oneIn(24)) return reinterpret_cast<T>(inventedHandle());
    return pool<T>()[below(kArray)];
  }
  uint64_t inventedHandle();

  // ---- Pointers ----
  template <class T>
  T* pointerTo(T* /*type*/, std::string_view name) {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::is_void_v<T>) {
      return voidPointer(name);
    } else if constexpr (std::is_same_v<T, const char>) {
      return text(name);
    } else {
      if (oneIn(24)) return nullptr;
      if constexpr (IsHandle<Plain>) {
        return pool<Plain>().data() + (isArray() ? 0 : below(kArray));
      } else if constexpr (std::is_same_v<Plain, void*> || std::is_same_v<Plain, const void*>) {
        return static_cast<T*>(static_cast<void*>(pointerArray(name)));
      } else if constexpr (std::is_same_v<Plain, unsigned long long>) {
        return addressArray(name);
      } else {
        return structures<Plain>(name);
      }
    }
  }

  template <class T>
  T* structures(std::string_view name) {
    // Twice, for a call may have two of a type. More than an array, for text and large answers.
    constexpr size_t kCount = kArray + 4096 / sizeof(T);
    alignas(T) static unsigned char storage[2][kCount * sizeof(T)];
    T* array = reinterpret_cast<T*>(storage[below(2)]);
    if constexpr (std::is_pointer_v<T>) {
      std::memset(array, 0, kArray * sizeof(T));  // answers
    } else {
      for (size_t i = 0; i < kArray; ++i) array[i] = make<T>(name);
    }
    return array;
  }

  void* voidPointer(std::string_view name);
  void** pointerArray(std::string_view name);
  unsigned long long* addressArray(std::string_view name);
  bool isArray() const;
  void* hostMemory();
  void* alignedHostMemory();

  // ---- Functions ----
  static MUhostFn function(MUhostFn);
  static MUstreamCallback function(MUstreamCallback);
  static musaStreamCallback_t function(musaStreamCallback_t);
  static MUoccupancyB2DSize function(MUoccupancyB2DSize);
  template <class T>
  static T function(T) {
    return nullptr;
  }

  template <class T>
  void fillStructure(T& value, std::string_view name);

  uint64_t state_;
  std::string_view function_;
  bool hugeSizes_ = false;
};

// Memory that kernels and waits of the calls use; made again when the device was reset.
class SafeMemory {
 public:
  static SafeMemory& get();
  void renew();          // before each call
  static void unlock();  // lets kernels go on that wait for a word of it

  void* device() const { return device_; }
  void* zeros() const { return zeros_; }  // waits look at it

 private:
  void* device_ = nullptr;
  void* zeros_ = nullptr;
  unsigned long long deviceNumber_ = 0, zerosNumber_ = 0;
};

struct Call {
  const char* name;
  bool givesHandle;
  int (*run)(Values& values);  // the error code
};
// Every entry of both APIs.
extern const Call kCalls[];
extern const size_t kCallCount;

}  // namespace musashim::fuzz
