/* Arrays, textures and surfaces: the runtime API's types (part of driver_types.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_RUNTIME_IMAGE_TYPES_H
#define MUSASHIM_CRT_RUNTIME_IMAGE_TYPES_H

#define musaArrayDefault 0x00
#define musaArrayLayered 0x01
#define musaArraySurfaceLoadStore 0x02
#define musaArrayCubemap 0x04
#define musaArrayTextureGather 0x08

enum musaChannelFormatKind {
  musaChannelFormatKindSigned = 0,
  musaChannelFormatKindUnsigned = 1,
  musaChannelFormatKindFloat = 2,
  musaChannelFormatKindNone = 3,
  /* Planes, normalised integers and compressed blocks: no array has them here. */
  musaChannelFormatKindNV12 = 4,
  musaChannelFormatKindUnsignedNormalized8X1 = 5,
  musaChannelFormatKindUnsignedNormalized8X2 = 6,
  musaChannelFormatKindUnsignedNormalized8X4 = 7,
  musaChannelFormatKindUnsignedNormalized16X1 = 8,
  musaChannelFormatKindUnsignedNormalized16X2 = 9,
  musaChannelFormatKindUnsignedNormalized16X4 = 10,
  musaChannelFormatKindSignedNormalized8X1 = 11,
  musaChannelFormatKindSignedNormalized8X2 = 12,
  musaChannelFormatKindSignedNormalized8X4 = 13,
  musaChannelFormatKindSignedNormalized16X1 = 14,
  musaChannelFormatKindSignedNormalized16X2 = 15,
  musaChannelFormatKindSignedNormalized16X4 = 16,
  musaChannelFormatKindUnsignedBlockCompressed1 = 17,
  musaChannelFormatKindUnsignedBlockCompressed1SRGB = 18,
  musaChannelFormatKindUnsignedBlockCompressed2 = 19,
  musaChannelFormatKindUnsignedBlockCompressed2SRGB = 20,
  musaChannelFormatKindUnsignedBlockCompressed3 = 21,
  musaChannelFormatKindUnsignedBlockCompressed3SRGB = 22,
  musaChannelFormatKindUnsignedBlockCompressed4 = 23,
  musaChannelFormatKindSignedBlockCompressed4 = 24,
  musaChannelFormatKindUnsignedBlockCompressed5 = 25,
  musaChannelFormatKindSignedBlockCompressed5 = 26,
  musaChannelFormatKindUnsignedBlockCompressed6H = 27,
  musaChannelFormatKindSignedBlockCompressed6H = 28,
  musaChannelFormatKindUnsignedBlockCompressed7 = 29,
  musaChannelFormatKindUnsignedBlockCompressed7SRGB = 30
};

struct musaChannelFormatDesc {
  int x, y, z, w; /* bits of each component */
  enum musaChannelFormatKind f;
};

/* References are in texture_types.h and surface_types.h. */
struct textureReference;
struct surfaceReference;

#define musaTextureType1D 0x01
#define musaTextureType2D 0x02
#define musaTextureType3D 0x03
#define musaTextureTypeCubemap 0x0C
#define musaTextureType1DLayered 0xF1
#define musaTextureType2DLayered 0xF2
#define musaTextureTypeCubemapLayered 0xFC

#define musaSurfaceType1D 0x01
#define musaSurfaceType2D 0x02
#define musaSurfaceType3D 0x03
#define musaSurfaceTypeCubemap 0x0C
#define musaSurfaceType1DLayered 0xF1
#define musaSurfaceType2DLayered 0xF2
#define musaSurfaceTypeCubemapLayered 0xFC

enum musaSurfaceBoundaryMode {
  musaBoundaryModeZero = 0,  /* reads give 0, writes are dropped */
  musaBoundaryModeClamp = 1, /* the nearest place inside */
  musaBoundaryModeTrap = 2   /* the kernel fails */
};
enum musaSurfaceFormatMode { musaFormatModeForced = 0, musaFormatModeAuto = 1 };

enum musaResourceType {
  musaResourceTypeArray = 0,
  musaResourceTypeMipmappedArray = 1,
  musaResourceTypeLinear = 2,
  musaResourceTypePitch2D = 3
};

struct musaResourceDesc {
  enum musaResourceType resType;
  union {
    struct {
      musaArray_t array;
    } array;
    struct {
      musaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      struct musaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct musaChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
  } res;
};

enum musaTextureAddressMode {
  musaAddressModeWrap = 0,
  musaAddressModeClamp = 1,
  musaAddressModeMirror = 2,
  musaAddressModeBorder = 3
};
enum musaTextureFilterMode { musaFilterModePoint = 0, musaFilterModeLinear = 1 };
enum musaTextureReadMode { musaReadModeElementType = 0, musaReadModeNormalizedFloat = 1 };

struct musaTextureDesc {
  enum musaTextureAddressMode addressMode[3];
  enum musaTextureFilterMode filterMode;
  enum musaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum musaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};

struct musaResourceViewDesc {
  int format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
};

#endif /* MUSASHIM_CRT_RUNTIME_IMAGE_TYPES_H */
