// Texture and surface references: what binding writes to devices, when, and its errors.
#include <surface_types.h>
#include <texture_types.h>

#include <thread>

#include "../support.h"

extern "C" {
void __musaRegisterTexture(void** handle, void* hostVar, char* deviceName, const char* name, int type,
                           int normalized, int ext);
void __musaRegisterSurface(void** handle, void* hostVar, char* deviceName, const char* name, int type,
                           int ext);
}

namespace musashim::test {
namespace {

// A program of its own, with references that device code has or has not.
class ReferenceTest : public RuntimeTest {
 protected:
  ReferenceTest() {
    __musaRegisterTexture(program_.handle(), &texture, nullptr, "reference", musaTextureType1D, 0, 0);
    __musaRegisterTexture(program_.handle(), &notOnDevice, nullptr, "nowhere", musaTextureType2D, 1, 0);
    __musaRegisterSurface(program_.handle(), &surface, nullptr, "nowhereElse", musaSurfaceType2D, 0);
    texture.channelDesc = notOnDevice.channelDesc = kBytes;
  }

  // What device code would fetch through on the current device.
  static musaTextureObject_t objectOnDevice() {
    textureReference copy = {};
    EXPECT_MUSA(musaSuccess, musaMemcpyFromSymbol(&copy, texture, sizeof copy));
    return copy.musashimObject;
  }
  static musaError_t bind(const Buffer<char>& memory) {
    return musaBindTexture(nullptr, &texture, memory.get(), &kBytes, memory.bytes());
  }

  static constexpr musaChannelFormatDesc kBytes = {8, 0, 0, 0, musaChannelFormatKindUnsigned};
  static inline textureReference texture = {}, notOnDevice = {};
  static inline surfaceReference surface = {};

 private:
  RegisteredBinary program_{{220, 310}};
};

TEST_F(ReferenceTest, BindingMakesAnObjectOnItsDevice) {
  Buffer<char> memory(256);
  EXPECT_EQ(objectOnDevice(), 0u);
  ASSERT_MUSA(musaSuccess, bind(memory));
  musaResourceDesc resource = {};
  ASSERT_MUSA(musaSuccess, musaGetTextureObjectResourceDesc(&resource, objectOnDevice()));
  EXPECT_EQ(resource.resType, musaResourceTypeLinear);
  EXPECT_EQ(resource.res.linear.devPtr, memory.get());
  EXPECT_EQ(resource.res.linear.sizeInBytes, 256u);
  EXPECT_MUSA(musaSuccess, musaSetDevice(1));
  EXPECT_EQ(objectOnDevice(), 0u);
  EXPECT_MUSA(musaSuccess, musaSetDevice(0));
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
  EXPECT_EQ(objectOnDevice(), 0u);
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
}

// The settings are those of the time of binding; linear memory has no use for them.
TEST_F(ReferenceTest, SettingsAreReadWhenBinding) {
  musaArray_t array = nullptr;
  ASSERT_MUSA(musaSuccess, musaMallocArray(&array, &kBytes, 8, 8));
  Buffer<char> memory(256);
  texture.filterMode = musaFilterModeLinear;
  EXPECT_MUSA(musaSuccess, bind(memory));
  EXPECT_MUSA(musaErrorInvalidFilterSetting, musaBindTextureToArray(&texture, array, &kBytes));
  texture.filterMode = musaFilterModePoint;
  texture.normalized = 1;
  texture.addressMode[1] = musaAddressModeMirror;
  ASSERT_MUSA(musaSuccess, musaBindTextureToArray(&texture, array, &kBytes));
  texture.normalized = 0;
  musaTextureDesc settings = {};
  ASSERT_MUSA(musaSuccess, musaGetTextureObjectTextureDesc(&settings, objectOnDevice()));
  EXPECT_EQ(settings.normalizedCoords, 1);
  EXPECT_EQ(settings.addressMode[0], musaAddressModeWrap);
  EXPECT_EQ(settings.addressMode[1], musaAddressModeMirror);
  EXPECT_EQ(settings.readMode, musaReadModeElementType);
  texture = {};
  texture.channelDesc = kBytes;
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
  EXPECT_MUSA(musaSuccess, musaFreeArray(array));
}

// A new binding waits for kernels that may fetch through the old one.
TEST_F(ReferenceTest, RebindingWaitsForKernels) {
  Buffer<char> first(256), second(256);
  ASSERT_MUSA(musaSuccess, bind(first));
  musaStream_t stream = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  SpinFlag flag;
  ASSERT_MUSA(musaSuccess, flag.startOn(stream));
  std::atomic<bool> raised{false};
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    raised = true;
    flag.raise();
  });
  EXPECT_MUSA(musaSuccess, bind(second));
  EXPECT_TRUE(raised);
  later.join();
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
}

TEST_F(ReferenceTest, OffsetsOfMisalignedMemory) {
  Buffer<char> memory(4096);
  size_t offset = 1;
  EXPECT_MUSA(musaErrorInvalidTextureBinding, musaGetTextureAlignmentOffset(&offset, &texture));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture(nullptr, &texture, memory.get() + 1, &kBytes, 16));
  ASSERT_MUSA(musaSuccess, musaBindTexture(&offset, &texture, memory.get() + 1027, &kBytes, 16));
  EXPECT_EQ(offset, 3u);
  musaResourceDesc resource = {};
  ASSERT_MUSA(musaSuccess, musaGetTextureObjectResourceDesc(&resource, objectOnDevice()));
  EXPECT_EQ(resource.res.linear.devPtr, memory.get() + 1024);
  EXPECT_EQ(resource.res.linear.sizeInBytes, 19u);
  offset = 0;
  EXPECT_MUSA(musaSuccess, musaGetTextureAlignmentOffset(&offset, &texture));
  EXPECT_EQ(offset, 3u);
  ASSERT_MUSA(musaSuccess, musaBindTexture(&offset, &texture, memory.get() + 2, &kBytes, UINT_MAX));
  ASSERT_MUSA(musaSuccess, musaGetTextureObjectResourceDesc(&resource, objectOnDevice()));
  EXPECT_EQ(resource.res.linear.sizeInBytes, 4096u);
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
}

TEST_F(ReferenceTest, MoreThanTheAllocationIsBoundToItsEnd) {
  Buffer<char> memory(512);
  ASSERT_MUSA(musaSuccess, musaBindTexture(nullptr, &texture, memory.get() + 256, &kBytes, 1024));
  musaResourceDesc resource = {};
  ASSERT_MUSA(musaSuccess, musaGetTextureObjectResourceDesc(&resource, objectOnDevice()));
  EXPECT_EQ(resource.res.linear.devPtr, memory.get() + 256);
  EXPECT_EQ(resource.res.linear.sizeInBytes, 256u);
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
}

TEST_F(ReferenceTest, ReferencesThatDeviceCodeDoesNotUse) {
  Buffer<char> memory(256);
  size_t offset = 7;
  EXPECT_MUSA(musaSuccess, musaBindTexture(&offset, &notOnDevice, memory.get(), &kBytes, 256));
  EXPECT_EQ(offset, 0u);
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&notOnDevice));
  musaArray_t array = nullptr;
  ASSERT_MUSA(musaSuccess, musaMallocArray(&array, &kBytes, 8, 8, musaArraySurfaceLoadStore));
  EXPECT_MUSA(musaSuccess, musaBindSurfaceToArray(&surface, array, &kBytes));
  EXPECT_MUSA(musaSuccess, musaBindSurfaceToArray(&surface, array, &kBytes));
  EXPECT_MUSA(musaSuccess, musaFreeArray(array));
}

TEST_F(ReferenceTest, Errors) {
  Buffer<char> memory(256);
  musaChannelFormatDesc three = {8, 8, 8, 0, musaChannelFormatKindUnsigned},
                        words = {32, 0, 0, 0, musaChannelFormatKindUnsigned};
  textureReference unknown = {};
  surfaceReference unknownSurface = {};
  const textureReference* found = nullptr;
  const surfaceReference* foundSurface = nullptr;
  musaArray_t array = nullptr;
  musaMipmappedArray_t mipmaps = nullptr;
  size_t offset = 0;
  ASSERT_MUSA(musaSuccess, musaMallocArray(&array, &kBytes, 8, 8, musaArraySurfaceLoadStore));
  ASSERT_MUSA(musaSuccess, musaMallocMipmappedArray(&mipmaps, &kBytes, make_musaExtent(8, 8, 0), 3, 0));
  EXPECT_MUSA(musaErrorInvalidTexture, musaBindTexture(nullptr, &unknown, memory.get(), &kBytes, 8));
  EXPECT_MUSA(musaErrorInvalidTexture, musaBindTexture(nullptr, nullptr, memory.get(), &kBytes, 8));
  EXPECT_MUSA(musaErrorInvalidTexture, musaBindTexture2D(nullptr, &unknown, memory.get(), &kBytes, 8, 8, 32));
  EXPECT_MUSA(musaErrorInvalidTexture, musaBindTextureToArray(&unknown, array, &kBytes));
  EXPECT_MUSA(musaErrorInvalidTexture, musaBindTextureToMipmappedArray(&unknown, mipmaps, &kBytes));
  EXPECT_MUSA(musaErrorInvalidTexture, musaUnbindTexture(&unknown));
  EXPECT_MUSA(musaErrorInvalidTexture, musaUnbindTexture(nullptr));
  EXPECT_MUSA(musaErrorInvalidTexture, musaGetTextureAlignmentOffset(&offset, &unknown));
  EXPECT_MUSA(musaErrorInvalidTexture, musaGetTextureReference(&found, &unknown));
  EXPECT_MUSA(musaErrorInvalidTexture, musaGetTextureReference(&found, &surface));
  EXPECT_MUSA(musaErrorInvalidSurface, musaGetSurfaceReference(&foundSurface, &texture));
  EXPECT_MUSA(musaErrorInvalidSurface, musaBindSurfaceToArray(&unknownSurface, array, &kBytes));
  EXPECT_MUSA(musaErrorInvalidValue, musaGetTextureReference(nullptr, &texture));
  EXPECT_MUSA(musaErrorInvalidValue, musaGetSurfaceReference(nullptr, &surface));
  EXPECT_MUSA(musaErrorInvalidValue, musaGetTextureAlignmentOffset(nullptr, &texture));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture(nullptr, &texture, nullptr, &kBytes, 8));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture(nullptr, &texture, memory.get(), nullptr, 8));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture(nullptr, &texture, memory.get(), &kBytes, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture(nullptr, &texture, &unknown, &kBytes, UINT_MAX));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture2D(nullptr, &texture, memory.get(), &kBytes, 8, 8, 24));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTexture2D(nullptr, &texture, memory.get(), nullptr, 8, 8, 32));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTextureToArray(&texture, nullptr, &kBytes));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTextureToArray(&texture, array, nullptr));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindTextureToMipmappedArray(&texture, nullptr, &kBytes));
  EXPECT_MUSA(musaErrorInvalidValue, musaBindSurfaceToArray(&surface, nullptr, &kBytes));
  EXPECT_MUSA(musaErrorInvalidChannelDescriptor, musaBindTexture(nullptr, &texture, memory.get(), &three, 8));
  EXPECT_MUSA(musaErrorInvalidChannelDescriptor, musaBindTextureToArray(&texture, array, &three));
  EXPECT_MUSA(musaErrorInvalidNormSetting, musaBindTexture(nullptr, &notOnDevice, memory.get(), &words, 8));
  EXPECT_MUSA(musaSuccess, musaGetTextureReference(&found, &texture));
  EXPECT_EQ(found, &texture);
  // What failed left nothing bound.
  EXPECT_MUSA(musaErrorInvalidTextureBinding, musaGetTextureAlignmentOffset(&offset, &texture));
  EXPECT_MUSA(musaSuccess, musaBindTextureToMipmappedArray(&texture, mipmaps, &kBytes));
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
  EXPECT_MUSA(musaSuccess, musaFreeArray(array));
  EXPECT_MUSA(musaSuccess, musaFreeMipmappedArray(mipmaps));
}

TEST_F(ReferenceTest, ResetForgetsTheDevicesBindings) {
  size_t offset = 0;
  ASSERT_MUSA(musaSuccess, musaSetDevice(2));
  {
    Buffer<char> memory(256);
    ASSERT_MUSA(musaSuccess, bind(memory));
  }
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  EXPECT_MUSA(musaErrorInvalidTextureBinding, musaGetTextureAlignmentOffset(&offset, &texture));
  EXPECT_EQ(objectOnDevice(), 0u);
  Buffer<char> memory(256);
  ASSERT_MUSA(musaSuccess, bind(memory));
  EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
}

// Threads bind one reference on devices of their own, and on one that they share.
TEST_F(ReferenceTest, ThreadsBind) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2 * kDevices; ++i) {
    threads.emplace_back([i] {
      EXPECT_MUSA(musaSuccess, musaSetDevice(i % kDevices));
      Buffer<char> memory(256);
      for (int round = 0; round < 20; ++round) {
        EXPECT_MUSA(musaSuccess, bind(memory));
        size_t offset = 1;
        const musaError_t error = musaGetTextureAlignmentOffset(&offset, &texture);
        EXPECT_TRUE(error == musaSuccess || error == musaErrorInvalidTextureBinding);
        EXPECT_MUSA(musaSuccess, musaUnbindTexture(&texture));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(objectOnDevice(), 0u);
}

}  // namespace
}  // namespace musashim::test
