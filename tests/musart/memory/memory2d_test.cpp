#include "../support.h"

namespace musashim::test {
namespace {

using Memory2DTest = RuntimeTest;

TEST_F(Memory2DTest, PitchedRowsRoundTrip) {
  constexpr size_t kWidth = 100, kHeight = 7;
  char* device = nullptr;
  size_t pitch = 0;
  ASSERT_MUSA(musaSuccess, ::musaMallocPitch(reinterpret_cast<void**>(&device), &pitch, kWidth, kHeight));
  EXPECT_GE(pitch, kWidth);
  EXPECT_EQ(pitch % 256, 0u);
  std::vector<char> host(kWidth * kHeight), back(120 * kHeight, '.');
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 100);
  EXPECT_MUSA(musaSuccess,
              musaMemcpy2D(device, pitch, host.data(), kWidth, kWidth, kHeight, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaSuccess, musaMemset2D(device + 10, pitch, 'x', 5, 2));
  EXPECT_MUSA(musaSuccess, musaMemcpy2DAsync(back.data(), 120, device, pitch, kWidth, kHeight,
                                             musaMemcpyDeviceToHost, nullptr));
  for (size_t y = 0; y < kHeight; ++y) {
    for (size_t x = 0; x < 120; ++x) {
      char expected = x >= kWidth ? '.' : (x >= 10 && x < 15 && y < 2) ? 'x' : host[y * kWidth + x];
      ASSERT_EQ(back[y * 120 + x], expected) << x << "," << y;
    }
  }
  EXPECT_MUSA(musaErrorInvalidPitchValue,
              musaMemcpy2D(device, pitch, host.data(), kWidth - 1, kWidth, kHeight, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaErrorInvalidValue,
              musaMemcpy2D(device, pitch, host.data(), kWidth, kWidth, kHeight + 1, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaErrorInvalidMemcpyDirection,
              musaMemcpy2D(device, pitch, host.data(), kWidth, kWidth, 1, static_cast<musaMemcpyKind>(7)));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemset2D(device, pitch, 0, kWidth, kHeight + 1));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemset2D(device, 50, 0, kWidth, 2));
  EXPECT_MUSA(musaSuccess, musaMemcpy2D(device, 1, host.data(), 1, kWidth, 0, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaSuccess, musaFree(device));
}

// Products and sums that wrap around would look small.
TEST_F(Memory2DTest, SizesBeyondAllMemory) {
  Buffer<int> device(256);
  char host[16] = {};
  constexpr size_t kHuge = size_t{1} << 62;
  EXPECT_MUSA(musaErrorInvalidValue, musaMemset2D(device.get(), 16, 0, 16, kHuge));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpy(device.get(), host, SIZE_MAX, musaMemcpyHostToDevice));
  EXPECT_MUSA(musaErrorInvalidValue,
              musaMemcpy2D(device.get(), 16, host, 16, 16, kHuge, musaMemcpyHostToDevice));
  musaMemcpy3DParms box = {};
  box.srcPtr = make_musaPitchedPtr(host, 16, 16, 1);
  box.dstPtr = make_musaPitchedPtr(device.get(), 16, 16, kHuge);
  box.extent = make_musaExtent(16, 1, 2);
  box.kind = musaMemcpyHostToDevice;
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpy3D(&box));
  box.dstPtr.ysize = 1;
  box.dstPos = make_musaPos(0, 0, SIZE_MAX / 16 + 1);
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpy3D(&box));
  box.dstPos = make_musaPos(8, 3, 0);
  box.dstPtr.ptr = nullptr;  // not made into an address by the position
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpy3D(&box));
}

// Large enough to be shared out to helpers: all rows, and nothing between them.
TEST_F(Memory2DTest, ManyRows) {
  constexpr size_t kWidth = 300, kHeight = 40'000, kPitch = 512;
  std::vector<char> host(kWidth * kHeight), back(host.size());
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 127);
  Buffer<char> device(kPitch * kHeight);
  ASSERT_MUSA(musaSuccess, musaMemset(device.get(), 1, device.bytes()));
  ASSERT_MUSA(musaSuccess, musaMemcpy2D(device.get(), kPitch, host.data(), kWidth, kWidth, kHeight,
                                        musaMemcpyHostToDevice));
  ASSERT_MUSA(musaSuccess, musaMemcpy2D(back.data(), kWidth, device.get(), kPitch, kWidth, kHeight,
                                        musaMemcpyDeviceToHost));
  EXPECT_EQ(host, back);
  std::vector<char> all = device.download();
  for (size_t y = 0; y < kHeight; ++y) {
    ASSERT_EQ(all[y * kPitch + kWidth], 1) << y;
    ASSERT_EQ(all[y * kPitch + kPitch - 1], 1) << y;
  }
  // Within one image, sides that interleave and sides that overlap.
  ASSERT_MUSA(musaSuccess, musaMemcpy2D(device.get() + 200, kPitch, device.get(), kPitch, 200, kHeight,
                                        musaMemcpyDeviceToDevice));
  std::vector<char> shifted = device.download();
  for (size_t y = 0; y < kHeight; y += 997) EXPECT_EQ(shifted[y * kPitch + 399], all[y * kPitch + 199]) << y;
}

TEST_F(Memory2DTest, BoxesRoundTrip) {
  musaExtent extent = make_musaExtent(20, 3, 4);
  musaPitchedPtr device;
  ASSERT_MUSA(musaSuccess, musaMalloc3D(&device, extent));
  std::vector<char> host(20 * 3 * 4), back(20 * 3 * 4);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 120);
  musaMemcpy3DParms up = {};
  up.srcPtr = make_musaPitchedPtr(host.data(), 20, 20, 3);
  up.dstPtr = device;
  up.extent = extent;
  up.kind = musaMemcpyHostToDevice;
  EXPECT_MUSA(musaSuccess, musaMemcpy3D(&up));
  musaMemcpy3DParms down = {};
  down.srcPtr = device;
  down.dstPtr = make_musaPitchedPtr(back.data(), 20, 20, 3);
  down.extent = extent;
  down.kind = musaMemcpyDeviceToHost;
  EXPECT_MUSA(musaSuccess, musaMemcpy3D(&down));
  EXPECT_EQ(back, host);
  EXPECT_MUSA(musaSuccess, musaMemset3D(device, 9, extent));
  EXPECT_MUSA(musaSuccess, musaMemcpy3DAsync(&down, nullptr));
  EXPECT_EQ(back, std::vector<char>(back.size(), 9));
  down.srcArray = reinterpret_cast<musaArray_t>(&down);
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaMemcpy3D(&down));
  EXPECT_MUSA(musaErrorInvalidValue, musaMemcpy3D(nullptr));
  EXPECT_MUSA(musaSuccess, musaFree(device.ptr));
}

TEST_F(Memory2DTest, BoxesBetweenDevices) {
  musaExtent extent = make_musaExtent(16, 2, 2);
  musaPitchedPtr first, second;
  ASSERT_MUSA(musaSuccess, musaMalloc3D(&first, extent));
  ASSERT_MUSA(musaSuccess, musaMemset3D(first, 4, extent));
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  ASSERT_MUSA(musaSuccess, musaMalloc3D(&second, extent));
  musaMemcpy3DPeerParms copy = {};
  copy.srcPtr = first;
  copy.srcDevice = 0;
  copy.dstPtr = second;
  copy.dstDevice = 1;
  copy.extent = extent;
  EXPECT_MUSA(musaSuccess, musaMemcpy3DPeer(&copy));
  std::vector<char> row(16);
  EXPECT_MUSA(musaSuccess, musaMemcpy(row.data(), static_cast<char*>(second.ptr) + 3 * second.pitch, 16,
                                      musaMemcpyDeviceToHost));
  EXPECT_EQ(row, std::vector<char>(16, 4));
  EXPECT_MUSA(musaSuccess, musaFree(first.ptr));
  EXPECT_MUSA(musaSuccess, musaFree(second.ptr));
}

}  // namespace
}  // namespace musashim::test
