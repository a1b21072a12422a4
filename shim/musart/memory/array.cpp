// Arrays and mipmapped arrays.
#include "musart/memory/array.h"

using namespace musashim::musart;

namespace musashim::musart {
namespace {

struct FormatRow {
  MUarray_format format;
  enum musaChannelFormatKind kind;
  int bits;
};
constexpr FormatRow kFormats[] = {{MU_AD_FORMAT_UNSIGNED_INT8, musaChannelFormatKindUnsigned, 8},
                                  {MU_AD_FORMAT_UNSIGNED_INT16, musaChannelFormatKindUnsigned, 16},
                                  {MU_AD_FORMAT_UNSIGNED_INT32, musaChannelFormatKindUnsigned, 32},
                                  {MU_AD_FORMAT_SIGNED_INT8, musaChannelFormatKindSigned, 8},
                                  {MU_AD_FORMAT_SIGNED_INT16, musaChannelFormatKindSigned, 16},
                                  {MU_AD_FORMAT_SIGNED_INT32, musaChannelFormatKindSigned, 32},
                                  {MU_AD_FORMAT_HALF, musaChannelFormatKindFloat, 16},
                                  {MU_AD_FORMAT_FLOAT, musaChannelFormatKindFloat, 32}};

}  // namespace

musaError_t driverFormat(const struct musaChannelFormatDesc& desc, MUarray_format& format,
                         unsigned& channels) {
  const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
  channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (unsigned i = 0; i < 4; ++i) {
    MUSART_REQUIRE(i < channels ? bits[i] == desc.x : bits[i] == 0, musaErrorInvalidChannelDescriptor);
  }
  MUSART_REQUIRE(channels == 1 || channels == 2 || channels == 4, musaErrorInvalidChannelDescriptor);
  for (const FormatRow& row : kFormats) {
    if (row.kind != desc.f || row.bits != desc.x) continue;
    format = row.format;
    return musaSuccess;
  }
  return musaErrorInvalidChannelDescriptor;
}

struct musaChannelFormatDesc runtimeFormat(MUarray_format format, unsigned channels) {
  struct musaChannelFormatDesc desc = {};
  for (const FormatRow& row : kFormats) {
    if (row.format != format) continue;
    desc.f = row.kind;
    int* bits[4] = {&desc.x, &desc.y, &desc.z, &desc.w};
    for (unsigned i = 0; i < channels; ++i) *bits[i] = row.bits;
  }
  return desc;
}

musaError_t elementBytes(musaArray_const_t array, size_t& bytes) {
  MUSA_ARRAY3D_DESCRIPTOR shape;
  MUSART_TRY(muArray3DGetDescriptor(&shape, toDriver(array)));
  bytes = static_cast<size_t>(runtimeFormat(shape.Format, 1).x) / 8 * shape.NumChannels;
  return musaSuccess;
}

}  // namespace musashim::musart

namespace {

// The flags of both APIs are the same bits.
musaError_t driverShape(const struct musaChannelFormatDesc* desc, const struct musaExtent& extent,
                        unsigned flags, MUSA_ARRAY3D_DESCRIPTOR& shape) {
  MUSART_REQUIRE(desc, musaErrorInvalidValue);
  shape = {};
  shape.Width = extent.width;
  shape.Height = extent.height;
  shape.Depth = extent.depth;
  shape.Flags = flags;
  return driverFormat(*desc, shape.Format, shape.NumChannels);
}

musaError_t allocate(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                     const struct musaExtent& extent, unsigned flags) {
  MUSART_REQUIRE(array, musaErrorInvalidValue);
  MUSA_ARRAY3D_DESCRIPTOR shape;
  MUSART_TRY(driverShape(desc, extent, flags, shape));
  return fromDriver(muArray3DCreate(reinterpret_cast<MUarray*>(array), &shape));
}

}  // namespace

extern "C" {

musaError_t musaMallocArray(musaArray_t* array, const struct musaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return apiCall(
      "musaMallocArray", [&] { return allocate(array, desc, {width, height, 0}, flags); }, array, desc, width,
      height, flags);
}

musaError_t musaMalloc3DArray(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                              struct musaExtent extent, unsigned int flags) {
  return apiCall(
      "musaMalloc3DArray", [&] { return allocate(array, desc, extent, flags); }, array, desc, flags);
}

musaError_t musaFreeArray(musaArray_t array) {
  return apiCall(
      "musaFreeArray", [&] { return array ? fromDriver(muArrayDestroy(toDriver(array))) : musaSuccess; },
      array);
}

musaError_t musaMallocMipmappedArray(musaMipmappedArray_t* mipmappedArray,
                                     const struct musaChannelFormatDesc* desc, struct musaExtent extent,
                                     unsigned int numLevels, unsigned int flags) {
  return apiCall(
      "musaMallocMipmappedArray",
      [&]() -> musaError_t {
        MUSART_REQUIRE(mipmappedArray, musaErrorInvalidValue);
        MUSA_ARRAY3D_DESCRIPTOR shape;
        MUSART_TRY(driverShape(desc, extent, flags, shape));
        return fromDriver(
            muMipmappedArrayCreate(reinterpret_cast<MUmipmappedArray*>(mipmappedArray), &shape, numLevels));
      },
      mipmappedArray, desc, numLevels, flags);
}

musaError_t musaGetMipmappedArrayLevel(musaArray_t* levelArray, musaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  return apiCall(
      "musaGetMipmappedArrayLevel",
      [&] {
        return fromDriver(muMipmappedArrayGetLevel(reinterpret_cast<MUarray*>(levelArray),
                                                   toDriver(mipmappedArray), level));
      },
      levelArray, mipmappedArray, level);
}

musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray) {
  return apiCall(
      "musaFreeMipmappedArray",
      [&] {
        return mipmappedArray ? fromDriver(muMipmappedArrayDestroy(toDriver(mipmappedArray))) : musaSuccess;
      },
      mipmappedArray);
}

musaError_t musaArrayGetInfo(struct musaChannelFormatDesc* desc, struct musaExtent* extent,
                             unsigned int* flags, musaArray_t array) {
  return apiCall(
      "musaArrayGetInfo",
      [&]() -> musaError_t {
        MUSA_ARRAY3D_DESCRIPTOR shape;
        MUSART_TRY(muArray3DGetDescriptor(&shape, toDriver(array)));
        if (desc) *desc = runtimeFormat(shape.Format, shape.NumChannels);
        if (extent) *extent = {shape.Width, shape.Height, shape.Depth};
        if (flags) *flags = shape.Flags;
        return musaSuccess;
      },
      desc, extent, flags, array);
}

musaError_t musaGetChannelDesc(struct musaChannelFormatDesc* desc, musaArray_const_t array) {
  return apiCall(
      "musaGetChannelDesc",
      [&]() -> musaError_t {
        MUSART_REQUIRE(desc, musaErrorInvalidValue);
        MUSA_ARRAY3D_DESCRIPTOR shape;
        MUSART_TRY(muArray3DGetDescriptor(&shape, toDriver(array)));
        *desc = runtimeFormat(shape.Format, shape.NumChannels);
        return musaSuccess;
      },
      desc, array);
}

struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w, enum musaChannelFormatKind f) {
  return {x, y, z, w, f};
}

}  // extern "C"
