// Variables of device code, by the host's stand-in for them.
#include "musart/memory/memory.h"
#include "musart/module/program.h"

using namespace musashim::musart;

musaError_t musashim::musart::symbolRange(const void* symbol, size_t count, size_t offset,
                                          enum musaMemcpyKind kind, Direction direction, void*& address) {
  bool toDevice = kind == musaMemcpyHostToDevice || kind == musaMemcpyDeviceToDevice;
  bool fromDevice = kind == musaMemcpyDeviceToHost || kind == musaMemcpyDeviceToDevice;
  bool fits = kind == musaMemcpyDefault || (direction == Direction::kTo ? toDevice : fromDevice);
  MUSART_REQUIRE(fits, musaErrorInvalidMemcpyDirection);
  MUdeviceptr base = 0;
  size_t size = 0;
  MUSART_TRY(Program::get().symbol(symbol, base, size));
  MUSART_REQUIRE(offset <= size && count <= size - offset, musaErrorInvalidValue);
  address = toPointer(base + offset);
  return musaSuccess;
}

extern "C" {

musaError_t musaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                               enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpyToSymbol",
      [&]() -> musaError_t {
        void* dst = nullptr;
        MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kTo, dst));
        return copy(dst, src, count, kind);
      },
      symbol, src, count, offset, kind);
}

musaError_t musaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                    enum musaMemcpyKind kind, musaStream_t stream) {
  return apiCall(
      "musaMemcpyToSymbolAsync",
      [&]() -> musaError_t {
        void* dst = nullptr;
        MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kTo, dst));
        return copyAsync(dst, src, count, kind, stream);
      },
      symbol, src, count, offset, kind, stream);
}

musaError_t musaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset,
                                 enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpyFromSymbol",
      [&]() -> musaError_t {
        void* src = nullptr;
        MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kFrom, src));
        return copy(dst, src, count, kind);
      },
      dst, symbol, count, offset, kind);
}

musaError_t musaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset,
                                      enum musaMemcpyKind kind, musaStream_t stream) {
  return apiCall(
      "musaMemcpyFromSymbolAsync",
      [&]() -> musaError_t {
        void* src = nullptr;
        MUSART_TRY(symbolRange(symbol, count, offset, kind, Direction::kFrom, src));
        return copyAsync(dst, src, count, kind, stream);
      },
      dst, symbol, count, offset, kind, stream);
}

musaError_t musaGetSymbolAddress(void** devPtr, const void* symbol) {
  return apiCall(
      "musaGetSymbolAddress",
      [&]() -> musaError_t {
        MUSART_REQUIRE(devPtr, musaErrorInvalidValue);
        MUdeviceptr address = 0;
        size_t size = 0;
        MUSART_TRY(Program::get().symbol(symbol, address, size));
        *devPtr = toPointer(address);
        return musaSuccess;
      },
      devPtr, symbol);
}

musaError_t musaGetSymbolSize(size_t* size, const void* symbol) {
  return apiCall(
      "musaGetSymbolSize",
      [&]() -> musaError_t {
        MUSART_REQUIRE(size, musaErrorInvalidValue);
        MUdeviceptr address = 0;
        return Program::get().symbol(symbol, address, *size);
      },
      size, symbol);
}

}  // extern "C"
