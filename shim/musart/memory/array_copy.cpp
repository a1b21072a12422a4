// Copies to, from and between arrays.
#include <algorithm>

#include "musart/memory/array.h"

using namespace musashim::musart;

namespace {

// One side of a copy: an array at an offset, or memory.
struct End {
  musaArray_const_t array = nullptr;
  size_t x = 0, y = 0;  // bytes, rows
  const void* memory = nullptr;
  size_t pitch = 0;

  static End at(musaArray_const_t array, size_t x, size_t y) { return {array, x, y, nullptr, 0}; }
  static End of(const void* memory, size_t pitch) { return {nullptr, 0, 0, memory, pitch}; }
};

// What the direction says of the side that is memory.
musaError_t memoryType(enum musaMemcpyKind kind, bool isTarget, MUmemorytype& type) {
  switch (kind) {
    case musaMemcpyHostToHost:
      return musaErrorInvalidMemcpyDirection;
    case musaMemcpyHostToDevice:
      MUSART_REQUIRE(!isTarget, musaErrorInvalidMemcpyDirection);
      type = MU_MEMORYTYPE_HOST;
      return musaSuccess;
    case musaMemcpyDeviceToHost:
      MUSART_REQUIRE(isTarget, musaErrorInvalidMemcpyDirection);
      type = MU_MEMORYTYPE_HOST;
      return musaSuccess;
    case musaMemcpyDeviceToDevice:
      type = MU_MEMORYTYPE_DEVICE;
      return musaSuccess;
    case musaMemcpyDefault:
      type = MU_MEMORYTYPE_UNIFIED;
      return musaSuccess;
  }
  return musaErrorInvalidMemcpyDirection;
}

musaError_t describe(const End& dst, const End& src, size_t width, size_t height, enum musaMemcpyKind kind,
                     MUSA_MEMCPY2D& copy) {
  copy = {};
  copy.dstXInBytes = dst.x;
  copy.dstY = dst.y;
  copy.srcXInBytes = src.x;
  copy.srcY = src.y;
  copy.dstArray = toDriver(dst.array);
  copy.srcArray = toDriver(src.array);
  copy.dstMemoryType = copy.srcMemoryType = MU_MEMORYTYPE_ARRAY;
  if (src.memory || src.pitch) {
    MUSART_TRY(memoryType(kind, false, copy.srcMemoryType));
    MUSART_REQUIRE(src.pitch >= width, musaErrorInvalidValue);
    copy.srcHost = src.memory;
    copy.srcDevice = toDevicePtr(src.memory);
    copy.srcPitch = src.pitch;
  }
  if (dst.memory || dst.pitch) {
    MUSART_TRY(memoryType(kind, true, copy.dstMemoryType));
    MUSART_REQUIRE(dst.pitch >= width, musaErrorInvalidValue);
    copy.dstHost = const_cast<void*>(dst.memory);
    copy.dstDevice = toDevicePtr(dst.memory);
    copy.dstPitch = dst.pitch;
  }
  copy.WidthInBytes = width;
  copy.Height = height;
  return musaSuccess;
}

// A null `stream` pointer: copy now.
musaError_t copyRows(const End& dst, const End& src, size_t width, size_t height, enum musaMemcpyKind kind,
                     const musaStream_t* stream = nullptr) {
  if (width == 0 || height == 0) return musaSuccess;
  MUSA_MEMCPY2D copy;
  MUSART_TRY(describe(dst, src, width, height, kind, copy));
  return fromDriver(stream ? muMemcpy2DAsync(&copy, *stream) : muMemcpy2D(&copy));
}

musaError_t rowBytes(musaArray_const_t array, size_t& bytes) {
  MUSA_ARRAY3D_DESCRIPTOR shape;
  size_t element = 0;
  MUSART_TRY(muArray3DGetDescriptor(&shape, toDriver(array)));
  MUSART_TRY(elementBytes(array, element));
  bytes = shape.Width * element;
  return musaSuccess;
}

// `count` bytes that go on in the next row where one ends, piece by piece: the rest of a row,
// whole rows, the beginning of one. `piece` copies (x, y, offset in the whole, width, rows).
template <class Piece>
musaError_t eachPiece(musaArray_const_t array, size_t x, size_t y, size_t count, Piece&& piece) {
  size_t row = 0;
  MUSART_TRY(rowBytes(array, row));
  MUSART_REQUIRE(x < row || count == 0, musaErrorInvalidValue);
  for (size_t done = 0; done < count;) {
    const size_t left = count - done;
    const bool whole = x == 0 && left >= row;
    const size_t width = whole ? row : std::min(left, row - x), rows = whole ? left / row : 1;
    MUSART_TRY(piece(x, y, done, width, rows));
    done += width * rows;
    y += rows;
    x = 0;
  }
  return musaSuccess;
}

musaError_t linearTo(musaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                     enum musaMemcpyKind kind, const musaStream_t* stream) {
  return eachPiece(dst, x, y, count, [&](size_t px, size_t py, size_t offset, size_t width, size_t rows) {
    return copyRows(End::at(dst, px, py), End::of(static_cast<const char*>(src) + offset, width), width, rows,
                    kind, stream);
  });
}

musaError_t linearFrom(void* dst, musaArray_const_t src, size_t x, size_t y, size_t count,
                       enum musaMemcpyKind kind, const musaStream_t* stream) {
  return eachPiece(src, x, y, count, [&](size_t px, size_t py, size_t offset, size_t width, size_t rows) {
    return copyRows(End::of(static_cast<char*>(dst) + offset, width), End::at(src, px, py), width, rows, kind,
                    stream);
  });
}

}  // namespace

extern "C" {

musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height, enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpy2DToArray",
      [&] { return copyRows(End::at(dst, wOffset, hOffset), End::of(src, spitch), width, height, kind); },
      dst, wOffset, hOffset, src, spitch, width, height, kind);
}

musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                     size_t spitch, size_t width, size_t height, enum musaMemcpyKind kind,
                                     musaStream_t stream) {
  return apiCall(
      "musaMemcpy2DToArrayAsync",
      [&] {
        return copyRows(End::at(dst, wOffset, hOffset), End::of(src, spitch), width, height, kind, &stream);
      },
      dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
}

musaError_t musaMemcpy2DFromArray(void* dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height, enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpy2DFromArray",
      [&] { return copyRows(End::of(dst, dpitch), End::at(src, wOffset, hOffset), width, height, kind); },
      dst, dpitch, src, wOffset, hOffset, width, height, kind);
}

musaError_t musaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, enum musaMemcpyKind kind,
                                       musaStream_t stream) {
  return apiCall(
      "musaMemcpy2DFromArrayAsync",
      [&] {
        return copyRows(End::of(dst, dpitch), End::at(src, wOffset, hOffset), width, height, kind, &stream);
      },
      dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
}

musaError_t musaMemcpy2DArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpy2DArrayToArray",
      [&]() -> musaError_t {
        MUSART_REQUIRE(kind == musaMemcpyDeviceToDevice || kind == musaMemcpyDefault,
                       musaErrorInvalidMemcpyDirection);
        return copyRows(End::at(dst, wOffsetDst, hOffsetDst), End::at(src, wOffsetSrc, hOffsetSrc), width,
                        height, kind);
      },
      dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
}

musaError_t musaMemcpyToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                              enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpyToArray", [&] { return linearTo(dst, wOffset, hOffset, src, count, kind, nullptr); }, dst,
      wOffset, hOffset, src, count, kind);
}

musaError_t musaMemcpyToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                   size_t count, enum musaMemcpyKind kind, musaStream_t stream) {
  return apiCall(
      "musaMemcpyToArrayAsync", [&] { return linearTo(dst, wOffset, hOffset, src, count, kind, &stream); },
      dst, wOffset, hOffset, src, count, kind, stream);
}

musaError_t musaMemcpyFromArray(void* dst, musaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpyFromArray", [&] { return linearFrom(dst, src, wOffset, hOffset, count, kind, nullptr); },
      dst, src, wOffset, hOffset, count, kind);
}

musaError_t musaMemcpyFromArrayAsync(void* dst, musaArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t count, enum musaMemcpyKind kind, musaStream_t stream) {
  return apiCall(
      "musaMemcpyFromArrayAsync",
      [&] { return linearFrom(dst, src, wOffset, hOffset, count, kind, &stream); }, dst, src, wOffset,
      hOffset, count, kind, stream);
}

// Through both arrays' rows at once: they may be of different widths.
musaError_t musaMemcpyArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                   enum musaMemcpyKind kind) {
  return apiCall(
      "musaMemcpyArrayToArray",
      [&]() -> musaError_t {
        size_t srcRow = 0;
        MUSART_TRY(rowBytes(src, srcRow));
        return eachPiece(
            dst, wOffsetDst, hOffsetDst, count,
            [&](size_t dx, size_t dy, size_t offset, size_t width, size_t rows) -> musaError_t {
              for (size_t row = 0; row < rows; ++row) {
                for (size_t at = 0; at < width;) {
                  const size_t place = hOffsetSrc * srcRow + wOffsetSrc + offset + row * width + at;
                  const size_t part = std::min(width - at, srcRow - place % srcRow);
                  MUSART_TRY(copyRows(End::at(dst, dx + at, dy + row),
                                      End::at(src, place % srcRow, place / srcRow), part, 1, kind));
                  at += part;
                }
              }
              return musaSuccess;
            });
      },
      dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count, kind);
}

}  // extern "C"
