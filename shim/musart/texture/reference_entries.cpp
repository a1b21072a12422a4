// Binding of texture and surface references, by the documentation of CUDA 11's runtime API.
#include <algorithm>
#include <climits>

#include "musart/memory/array.h"
#include "musart/texture/reference.h"
#include "musart/texture/texture.h"

using namespace musashim::musart;

namespace {

// What texture objects ask for, and every allocation begins at a multiple of.
constexpr size_t kAlignment = 256;

// Memory that begins elsewhere is bound from the multiple below on, and the program is told how far it has to
// go; who does not ask for that cannot have such memory.
musaError_t alignedDown(const void* devPtr, size_t* offset, char*& base, size_t& misaligned) {
  misaligned = reinterpret_cast<uintptr_t>(devPtr) % kAlignment;
  MUSART_REQUIRE(devPtr && (offset || misaligned == 0), musaErrorInvalidValue);
  base = static_cast<char*>(const_cast<void*>(devPtr)) - misaligned;
  return musaSuccess;
}

musaError_t bytesOf(const struct musaChannelFormatDesc& desc, size_t& bytes) {
  MUarray_format format;
  unsigned channels = 0;
  MUSART_TRY(driverFormat(desc, format, channels));
  bytes = static_cast<size_t>(desc.x) / 8 * channels;
  return musaSuccess;
}

// At most to the end of the allocation: UINT_MAX, the default, says so, and programs of that age name more
// than they have (SHOC's MD counts doubles where it has floats), which was no error on any GPU.
musaError_t boundBytes(const void* devPtr, size_t size, size_t elementBytes, size_t& bytes) {
  MUdeviceptr base = 0;
  size_t allocated = 0;
  if (muMemGetAddressRange(&base, &allocated, toDevicePtr(devPtr)) != MUSA_SUCCESS) {
    bytes = size;
    return size == UINT_MAX ? musaErrorInvalidValue : musaSuccess;  // the texture's own check follows
  }
  bytes = std::min<size_t>(base + allocated - toDevicePtr(devPtr), size);
  if (size != UINT_MAX) return musaSuccess;
  size_t most = 0;
  MUSART_TRY(mostLinearElements(thisThread.device, most));
  bytes = std::min<size_t>(bytes, most * elementBytes - kAlignment);
  return musaSuccess;
}

// The array's own format is what is read, as the driver's entry has it.
musaError_t checkArray(const void* array, const struct musaChannelFormatDesc* desc) {
  MUSART_REQUIRE(desc && array, musaErrorInvalidValue);
  size_t elementBytes = 0;
  return bytesOf(*desc, elementBytes);
}

struct musaResourceDesc resourceOf(musaArray_const_t array) {
  struct musaResourceDesc resource = {};
  resource.resType = musaResourceTypeArray;
  resource.res.array.array = const_cast<musaArray_t>(array);
  return resource;
}

struct musaResourceDesc resourceOf(musaMipmappedArray_const_t array) {
  struct musaResourceDesc resource = {};
  resource.resType = musaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<musaMipmappedArray_t>(array);
  return resource;
}

template <class Array>
musaError_t bindTextureTo(const struct textureReference* texref, Array array,
                          const struct musaChannelFormatDesc* desc) {
  MUSART_TRY(checkArray(array, desc));
  return References::get().bindTexture(texref, resourceOf(array), 0);
}

}  // namespace

extern "C" {

musaError_t musaBindTexture(size_t* offset, const struct textureReference* texref, const void* devPtr,
                            const struct musaChannelFormatDesc* desc, size_t size) {
  return apiCall(
      "musaBindTexture",
      [&]() -> musaError_t {
        MUSART_REQUIRE(References::get().isTexture(texref), musaErrorInvalidTexture);
        MUSART_REQUIRE(desc, musaErrorInvalidValue);
        char* base = nullptr;
        size_t misaligned = 0, elementBytes = 0, bytes = 0;
        MUSART_TRY(bytesOf(*desc, elementBytes));
        MUSART_TRY(alignedDown(devPtr, offset, base, misaligned));
        MUSART_TRY(boundBytes(devPtr, size, elementBytes, bytes));
        struct musaResourceDesc resource = {};
        resource.resType = musaResourceTypeLinear;
        resource.res.linear = {base, *desc, bytes + misaligned};
        MUSART_TRY(References::get().bindTexture(texref, resource, misaligned));
        if (offset) *offset = misaligned;
        return musaSuccess;
      },
      offset, texref, devPtr, desc, size);
}

musaError_t musaBindTexture2D(size_t* offset, const struct textureReference* texref, const void* devPtr,
                              const struct musaChannelFormatDesc* desc, size_t width, size_t height,
                              size_t pitch) {
  return apiCall(
      "musaBindTexture2D",
      [&]() -> musaError_t {
        MUSART_REQUIRE(References::get().isTexture(texref), musaErrorInvalidTexture);
        MUSART_REQUIRE(desc, musaErrorInvalidValue);
        char* base = nullptr;
        size_t misaligned = 0, elementBytes = 0;
        MUSART_TRY(bytesOf(*desc, elementBytes));
        MUSART_TRY(alignedDown(devPtr, offset, base, misaligned));
        // What is asked for begins in the middle of the texture's rows.
        const size_t row = std::min(width + misaligned / elementBytes, std::max(width, pitch / elementBytes));
        struct musaResourceDesc resource = {};
        resource.resType = musaResourceTypePitch2D;
        resource.res.pitch2D = {base, *desc, row, height, pitch};
        MUSART_TRY(References::get().bindTexture(texref, resource, misaligned));
        if (offset) *offset = misaligned;
        return musaSuccess;
      },
      offset, texref, devPtr, desc, width, height, pitch);
}

musaError_t musaBindTextureToArray(const struct textureReference* texref, musaArray_const_t array,
                                   const struct musaChannelFormatDesc* desc) {
  return apiCall(
      "musaBindTextureToArray", [&] { return bindTextureTo(texref, array, desc); }, texref, array, desc);
}

musaError_t musaBindTextureToMipmappedArray(const struct textureReference* texref,
                                            musaMipmappedArray_const_t mipmappedArray,
                                            const struct musaChannelFormatDesc* desc) {
  return apiCall(
      "musaBindTextureToMipmappedArray", [&] { return bindTextureTo(texref, mipmappedArray, desc); }, texref,
      mipmappedArray, desc);
}

musaError_t musaUnbindTexture(const struct textureReference* texref) {
  return apiCall("musaUnbindTexture", [&] { return References::get().unbindTexture(texref); }, texref);
}

musaError_t musaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* texref) {
  return apiCall(
      "musaGetTextureAlignmentOffset",
      [&]() -> musaError_t {
        MUSART_REQUIRE(offset, musaErrorInvalidValue);
        return References::get().textureOffset(texref, *offset);
      },
      offset, texref);
}

musaError_t musaGetTextureReference(const struct textureReference** texref, const void* symbol) {
  return apiCall<Needs::kDriver>(
      "musaGetTextureReference",
      [&]() -> musaError_t {
        MUSART_REQUIRE(texref, musaErrorInvalidValue);
        MUSART_REQUIRE(References::get().isTexture(symbol), musaErrorInvalidTexture);
        *texref = static_cast<const textureReference*>(symbol);
        return musaSuccess;
      },
      texref, symbol);
}

musaError_t musaBindSurfaceToArray(const struct surfaceReference* surfref, musaArray_const_t array,
                                   const struct musaChannelFormatDesc* desc) {
  return apiCall(
      "musaBindSurfaceToArray",
      [&]() -> musaError_t {
        MUSART_TRY(checkArray(array, desc));
        return References::get().bindSurface(surfref, resourceOf(array));
      },
      surfref, array, desc);
}

musaError_t musaGetSurfaceReference(const struct surfaceReference** surfref, const void* symbol) {
  return apiCall<Needs::kDriver>(
      "musaGetSurfaceReference",
      [&]() -> musaError_t {
        MUSART_REQUIRE(surfref, musaErrorInvalidValue);
        MUSART_REQUIRE(References::get().isSurface(symbol), musaErrorInvalidSurface);
        *surfref = static_cast<const surfaceReference*>(symbol);
        return musaSuccess;
      },
      surfref, symbol);
}

}  // extern "C"
