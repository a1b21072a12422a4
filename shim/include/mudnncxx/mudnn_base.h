/* muDNN's C++ interface, what all operations share: statuses, tensors, handles, memory.
 *
 * An operation is an object with settings; Run...() checks them with its tensors, queues the work on the
 * handle's stream and returns. Errors of arguments are returned; faults of the work are the device's. Nothing
 * throws. Names are those of the vendor's public users; numbers behind names are ours. */
#ifndef MUDNNCXX_MUDNN_BASE_H_
#define MUDNNCXX_MUDNN_BASE_H_

#include <musa_runtime_api.h>
#include <stdint.h>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include "../crt/mudnn_version.h"

#define MUDNN_CXX_API __attribute__((visibility("default")))

namespace musa {
namespace dnn {

enum class Status {
  SUCCESS = 0,
  INVALID_PARAMETER = 1,
  NOT_INITIALIZED = 2,
  ALLOC_FAILED = 3,
  NOT_SUPPORTED = 4,
  INTERNAL_ERROR = 5,
  ARCH_MISMATCH = 6,
  EXECUTION_FAILED = 7
};

/* Memory that an operation may ask its caller for: a pointer and how it is given back. Operations here need
 * none, so that maintainers, which may be empty, are not called. */
using MemoryHandler = std::unique_ptr<void, std::function<void(void*)>>;
using MemoryMaintainer = std::function<MemoryHandler(size_t)>;

/* What products may be computed by; results are the same. A type for all classes that have it. */
namespace detail {
enum class ComputeMode { SCALAR = 0, TENSOR = 1, ALL = 2 };
}

struct Internals; /* the library's own way in */

class MUDNN_CXX_API Handle {
 public:
  Handle();                      /* of the current device */
  explicit Handle(int deviceId); /* which becomes the current device of calls with it */
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Status SetStream(musaStream_t stream);
  musaStream_t GetStream() const { return stream_; }
  int GetDeviceId() const { return device_; }
  Status SetAllowTF32(bool allow); /* changes nothing: floats are computed as floats */

 private:
  int device_;
  musaStream_t stream_ = nullptr;
};

/* A view of device memory. Sizes and strides are in the order of dimensions that the format names, and in
 * elements; without strides the last dimension is the fastest. */
class MUDNN_CXX_API Tensor {
 public:
  enum class Type {
    INT8 = 0,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    HALF,
    BFLOAT16,
    FLOAT,
    DOUBLE,
    BOOL,
    QINT8, /* with a scale, SetQuantizationInfo() */
    FP8_E4M3,
    FP8_E5M2
  };
  enum class Format { UNKNOWN = 0, NCW, NWC, NCHW, NHWC, HWCN, NCDHW, NDHWC, DHWCN };

  Tensor();
  Status SetType(Type type);
  Status SetFormat(Format format);
  Status SetAddr(const void* address);
  Status SetNdInfo(int count, const int64_t* sizes);
  Status SetNdInfo(int count, const int64_t* sizes, const int64_t* strides);
  Status SetNdInfo(std::initializer_list<int64_t> sizes);
  Status SetNdInfo(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides);
  Status SetQuantizationInfo(float scale);
  Status GetNdInfo(std::vector<int64_t>& sizes) const;
  Status GetNdInfo(std::vector<int64_t>& sizes, std::vector<int64_t>& strides) const;
  Status GetNdInfo(std::vector<int>& sizes) const;
  Status GetNdInfo(std::vector<int>& sizes, std::vector<int>& strides) const;
  Type GetType() const { return type_; }
  Format GetFormat() const { return format_; }
  /* The memory, as public code takes it: it hands this to kernels. */
  const void* GetImpl() const { return address_; }

 private:
  friend struct Internals;
  Type type_;
  Format format_;
  void* address_;
  int rank_;
  int64_t sizes_[8], strides_[8];
  float scale_;
};

/* A number that operations take as a double or a 64-bit integer. */
struct Scalar {
  double real = 0;
  int64_t integer = 0;
  bool isInteger = false;
  Scalar() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  Scalar(T value)
      : real(static_cast<double>(value)),
        integer(toInteger(value, std::is_integral<T>())),
        isInteger(std::is_integral<T>::value) {}

 private:
  template <class T>
  static int64_t toInteger(T value, std::true_type) {
    return static_cast<int64_t>(value);
  }
  template <class T>
  static int64_t toInteger(T value, std::false_type) {
    return value >= T(-9223372036854775808.0) && value < T(9223372036854775808.0)
               ? static_cast<int64_t>(value)
               : 0;
  }
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_BASE_H_ */
