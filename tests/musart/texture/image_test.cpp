// Arrays, mipmaps, texture and surface objects: copies, what objects remember, the order of ends.
#include <numeric>
#include <thread>

#include "../support.h"

namespace musashim::test {
namespace {

class ImageTest : public RuntimeTest {
 protected:
  static musaChannelFormatDesc shorts() {
    return musaCreateChannelDesc(16, 16, 0, 0, musaChannelFormatKindUnsigned);
  }
  static musaResourceDesc resourceOf(musaArray_t array) {
    musaResourceDesc resource = {};
    resource.resType = musaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

// Odd sizes, and a box inside of both arrays.
TEST_F(ImageTest, BoxesBetweenArrays) {
  const musaChannelFormatDesc format = shorts();
  const musaExtent extent = make_musaExtent(13, 7, 5);
  musaArray_t from = nullptr, to = nullptr;
  ASSERT_MUSA(musaSuccess, ::musaMalloc3DArray(&from, &format, extent, 0));
  ASSERT_MUSA(musaSuccess, ::musaMalloc3DArray(&to, &format, extent, 0));
  std::vector<uint32_t> host(13 * 7 * 5), zeros(host.size()), back(host.size());
  std::iota(host.begin(), host.end(), 1u);
  auto copy = [&](auto change) {
    musaMemcpy3DParms box = {};
    box.extent = extent;
    change(box);
    EXPECT_MUSA(musaSuccess, musaMemcpy3D(&box));
  };
  auto hostBox = [](std::vector<uint32_t>& values) {
    return make_musaPitchedPtr(values.data(), 13 * sizeof(uint32_t), 13, 7);
  };
  auto upload = [&](musaArray_t array, std::vector<uint32_t>& values) {
    copy([&](musaMemcpy3DParms& box) {
      box.srcPtr = hostBox(values);
      box.dstArray = array;
      box.kind = musaMemcpyHostToDevice;
    });
  };
  upload(from, host);
  upload(to, zeros);
  copy([&](musaMemcpy3DParms& box) {
    box.srcArray = from;
    box.dstArray = to;
    box.srcPos = make_musaPos(1, 2, 3);
    box.dstPos = make_musaPos(4, 0, 1);
    box.extent = make_musaExtent(9, 5, 2);
    box.kind = musaMemcpyDeviceToDevice;
  });
  copy([&](musaMemcpy3DParms& box) {
    box.srcArray = to;
    box.dstPtr = hostBox(back);
    box.kind = musaMemcpyDeviceToHost;
  });
  for (size_t z = 0; z < 5; ++z) {
    for (size_t y = 0; y < 7; ++y) {
      for (size_t x = 0; x < 13; ++x) {
        const bool inside = x >= 4 && y < 5 && z >= 1 && z < 3;
        const uint32_t expected = inside ? host[((z + 2) * 7 + y + 2) * 13 + x - 3] : 0;
        ASSERT_EQ(back[(z * 7 + y) * 13 + x], expected) << x << "," << y << "," << z;
      }
    }
  }
  EXPECT_MUSA(musaSuccess, musaFreeArray(from));
  EXPECT_MUSA(musaSuccess, musaFreeArray(to));
  musaMemcpy3DParms gone = {};
  gone.srcArray = from;
  gone.dstPtr = hostBox(back);
  gone.extent = extent;
  gone.kind = musaMemcpyDeviceToHost;
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaMemcpy3D(&gone));
}

TEST_F(ImageTest, LevelsOfMipmapsAreApart) {
  const musaChannelFormatDesc format = musaCreateChannelDesc(8, 0, 0, 0, musaChannelFormatKindUnsigned);
  musaMipmappedArray_t mipmaps = nullptr;
  ASSERT_MUSA(musaSuccess, musaMallocMipmappedArray(&mipmaps, &format, make_musaExtent(16, 16, 0), 5, 0));
  for (unsigned level = 0; level < 5; ++level) {
    musaArray_t array = nullptr;
    ASSERT_MUSA(musaSuccess, musaGetMipmappedArrayLevel(&array, mipmaps, level));
    std::vector<char> values(256, static_cast<char>(level + 1));
    const size_t side = 16u >> level;
    EXPECT_MUSA(musaSuccess,
                musaMemcpy2DToArray(array, 0, 0, values.data(), side, side, side, musaMemcpyHostToDevice));
    EXPECT_MUSA(musaErrorInvalidValue,
                musaMemcpy2DToArray(array, 1, 0, values.data(), side, side, side, musaMemcpyHostToDevice));
  }
  for (unsigned level = 0; level < 5; ++level) {
    musaArray_t array = nullptr;
    ASSERT_MUSA(musaSuccess, musaGetMipmappedArrayLevel(&array, mipmaps, level));
    const size_t side = 16u >> level;
    std::vector<char> values(side * side);
    EXPECT_MUSA(musaSuccess,
                musaMemcpy2DFromArray(values.data(), side, array, 0, 0, side, side, musaMemcpyDeviceToHost));
    EXPECT_EQ(values, std::vector<char>(side * side, static_cast<char>(level + 1))) << level;
  }
  EXPECT_MUSA(musaSuccess, musaFreeMipmappedArray(mipmaps));
}

TEST_F(ImageTest, ObjectsRememberWhatTheyAreOf) {
  Buffer<float> memory(64 * 8);
  musaResourceDesc resource = {}, readResource = {};
  resource.resType = musaResourceTypePitch2D;
  resource.res.pitch2D = {memory.get(), musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat), 60, 8,
                          64 * sizeof(float)};
  musaTextureDesc texture = {}, readTexture = {};
  texture.addressMode[0] = texture.addressMode[1] = musaAddressModeMirror;
  texture.filterMode = musaFilterModeLinear;
  texture.normalizedCoords = 1;
  texture.borderColor[2] = 0.5f;
  musaTextureObject_t object = 0;
  ASSERT_MUSA(musaSuccess, musaCreateTextureObject(&object, &resource, &texture, nullptr));
  EXPECT_MUSA(musaSuccess, musaGetTextureObjectResourceDesc(&readResource, object));
  EXPECT_MUSA(musaSuccess, musaGetTextureObjectTextureDesc(&readTexture, object));
  EXPECT_EQ(readResource.resType, musaResourceTypePitch2D);
  EXPECT_EQ(readResource.res.pitch2D.devPtr, memory.get());
  EXPECT_EQ(readResource.res.pitch2D.width, 60u);
  EXPECT_EQ(readResource.res.pitch2D.pitchInBytes, 64 * sizeof(float));
  EXPECT_EQ(readTexture.addressMode[1], musaAddressModeMirror);
  EXPECT_EQ(readTexture.filterMode, musaFilterModeLinear);
  EXPECT_EQ(readTexture.normalizedCoords, 1);
  EXPECT_MUSA(musaSuccess, musaDestroyTextureObject(object));
  EXPECT_NE(musaGetTextureObjectResourceDesc(&readResource, object), musaSuccess) << "it has ended";
  (void)musaGetLastError();
}

// As an H200 has it: what lies behind the allocation is the reader's matter; memory of the host's is refused.
TEST_F(ImageTest, LinearMemoryMayEndBehindItsAllocation) {
  Buffer<float> memory(1024);
  std::vector<float> host(1024);
  musaResourceDesc resource = {};
  resource.resType = musaResourceTypeLinear;
  resource.res.linear = {memory.get(), musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat),
                         1U << 20U};
  const musaTextureDesc texture = {};
  musaTextureObject_t object = 0;
  ASSERT_MUSA(musaSuccess, musaCreateTextureObject(&object, &resource, &texture, nullptr));
  EXPECT_MUSA(musaSuccess, musaDestroyTextureObject(object));
  resource.res.linear.devPtr = host.data();
  EXPECT_EQ(musaCreateTextureObject(&object, &resource, &texture, nullptr), musaErrorInvalidValue);
  (void)musaGetLastError();
}

// Objects on arrays, made and ended by many threads; each array has two.
TEST_F(ImageTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      ASSERT_MUSA(musaSuccess, musaSetDevice(i));
      const musaChannelFormatDesc format = shorts();
      for (int round = 0; round < 50; ++round) {
        musaArray_t array = nullptr;
        ASSERT_MUSA(musaSuccess, ::musaMallocArray(&array, &format, 8, 4, musaArraySurfaceLoadStore));
        uint32_t value = static_cast<uint32_t>(i * 1000 + round), back = 0;
        ASSERT_MUSA(musaSuccess, musaMemcpy2DToArray(array, 12, 2, &value, 4, 4, 1, musaMemcpyHostToDevice));
        const musaResourceDesc resource = resourceOf(array);
        const musaTextureDesc description = {};
        musaTextureObject_t texture = 0;
        musaSurfaceObject_t surface = 0;
        ASSERT_MUSA(musaSuccess, musaCreateTextureObject(&texture, &resource, &description, nullptr));
        ASSERT_MUSA(musaSuccess, musaCreateSurfaceObject(&surface, &resource));
        ASSERT_MUSA(musaSuccess, musaDestroyTextureObject(texture));
        ASSERT_MUSA(musaSuccess, musaMemcpy2DFromArray(&back, 4, array, 12, 2, 4, 1, musaMemcpyDeviceToHost));
        EXPECT_EQ(back, value);
        ASSERT_MUSA(musaSuccess, musaDestroySurfaceObject(surface));
        ASSERT_MUSA(musaSuccess, musaFreeArray(array));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

int attribute(musaDeviceAttr which) {
  int value = -1;
  EXPECT_MUSA(musaSuccess, musaDeviceGetAttribute(&value, which, 0));
  return value;
}

// An array of the largest size that the device tells, of one byte elements, and one more.
TEST_F(ImageTest, LimitsAreWhatTheDeviceTells) {
  const musaChannelFormatDesc bytes = {8, 0, 0, 0, musaChannelFormatKindUnsigned};
  struct Row {
    musaDeviceAttr width;
    size_t height, depth;
    unsigned flags;
  };
  for (const Row& row : {Row{musaDevAttrMaxTexture1DWidth, 0, 0, 0},
                         Row{musaDevAttrMaxSurface1DWidth, 0, 0, musaArraySurfaceLoadStore},
                         Row{musaDevAttrMaxTexture1DLayeredWidth, 0, 2, musaArrayLayered},
                         Row{musaDevAttrMaxTexture2DWidth, 1, 0, 0},
                         Row{musaDevAttrMaxTexture2DGatherWidth, 1, 0, musaArrayTextureGather},
                         Row{musaDevAttrMaxTexture2DLayeredWidth, 1, 2, musaArrayLayered},
                         Row{musaDevAttrMaxTexture3DWidth, 1, 2, 0}}) {
    const auto width = static_cast<size_t>(attribute(row.width));
    musaArray_t array = nullptr;
    EXPECT_MUSA(musaErrorInvalidValue,
                musaMalloc3DArray(&array, &bytes, {width + 1, row.height, row.depth}, row.flags));
    ASSERT_MUSA(musaSuccess, musaMalloc3DArray(&array, &bytes, {width, row.height, row.depth}, row.flags));
    EXPECT_MUSA(musaSuccess, musaFreeArray(array));
  }
  size_t elements = 0;
  EXPECT_MUSA(musaSuccess, musaDeviceGetTexture1DLinearMaxWidth(&elements, &bytes, 0));
  EXPECT_EQ(elements, static_cast<size_t>(attribute(musaDevAttrMaxTexture1DLinearWidth)));
  musaDeviceProp properties = {};
  EXPECT_MUSA(musaSuccess, musaGetDeviceProperties(&properties, 0));
  EXPECT_EQ(properties.maxTexture1DLinear, attribute(musaDevAttrMaxTexture1DLinearWidth));
  EXPECT_EQ(properties.maxTexture2D[1], attribute(musaDevAttrMaxTexture2DHeight));
  EXPECT_EQ(properties.maxTexture3D[2], attribute(musaDevAttrMaxTexture3DDepth));
  EXPECT_EQ(properties.maxTexture2DLinear[2], attribute(musaDevAttrMaxTexture2DLinearPitch));
  EXPECT_EQ(properties.maxSurfaceCubemapLayered[1], attribute(musaDevAttrMaxSurfaceCubemapLayeredLayers));
}

}  // namespace
}  // namespace musashim::test
