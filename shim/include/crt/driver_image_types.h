/* Arrays, textures and surfaces: the driver API's types (part of musa.h).
 *
 * Names as in the vendor's header, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_IMAGE_TYPES_H
#define MUSASHIM_CRT_DRIVER_IMAGE_TYPES_H

typedef struct MUmipmappedArray_st* MUmipmappedArray;
typedef unsigned long long MUtexObject_v1;
typedef MUtexObject_v1 MUtexObject;
typedef unsigned long long MUsurfObject_v1;
typedef MUsurfObject_v1 MUsurfObject;

typedef enum MUarray_format_enum {
  MU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  MU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  MU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  MU_AD_FORMAT_SIGNED_INT8 = 0x08,
  MU_AD_FORMAT_SIGNED_INT16 = 0x09,
  MU_AD_FORMAT_SIGNED_INT32 = 0x0a,
  MU_AD_FORMAT_HALF = 0x10,
  MU_AD_FORMAT_FLOAT = 0x20,
  /* Compressed blocks, planes and normalised integers: no array has them here. */
  MU_AD_FORMAT_BC1_UNORM = 0x91,
  MU_AD_FORMAT_BC1_UNORM_SRGB = 0x92,
  MU_AD_FORMAT_BC2_UNORM = 0x93,
  MU_AD_FORMAT_BC2_UNORM_SRGB = 0x94,
  MU_AD_FORMAT_BC3_UNORM = 0x95,
  MU_AD_FORMAT_BC3_UNORM_SRGB = 0x96,
  MU_AD_FORMAT_BC4_UNORM = 0x97,
  MU_AD_FORMAT_BC4_SNORM = 0x98,
  MU_AD_FORMAT_BC5_UNORM = 0x99,
  MU_AD_FORMAT_BC5_SNORM = 0x9a,
  MU_AD_FORMAT_BC6H_UF16 = 0x9b,
  MU_AD_FORMAT_BC6H_SF16 = 0x9c,
  MU_AD_FORMAT_BC7_UNORM = 0x9d,
  MU_AD_FORMAT_BC7_UNORM_SRGB = 0x9e,
  MU_AD_FORMAT_NV12 = 0xb0,
  MU_AD_FORMAT_UNORM_INT8X1 = 0xc0,
  MU_AD_FORMAT_UNORM_INT8X2 = 0xc1,
  MU_AD_FORMAT_UNORM_INT8X4 = 0xc2,
  MU_AD_FORMAT_UNORM_INT16X1 = 0xc3,
  MU_AD_FORMAT_UNORM_INT16X2 = 0xc4,
  MU_AD_FORMAT_UNORM_INT16X4 = 0xc5,
  MU_AD_FORMAT_SNORM_INT8X1 = 0xc6,
  MU_AD_FORMAT_SNORM_INT8X2 = 0xc7,
  MU_AD_FORMAT_SNORM_INT8X4 = 0xc8,
  MU_AD_FORMAT_SNORM_INT16X1 = 0xc9,
  MU_AD_FORMAT_SNORM_INT16X2 = 0xca,
  MU_AD_FORMAT_SNORM_INT16X4 = 0xcb
} MUarray_format;

typedef struct MUSA_ARRAY_DESCRIPTOR_st {
  size_t Width; /* elements */
  size_t Height;
  MUarray_format Format;
  unsigned int NumChannels; /* 1, 2 or 4 */
} MUSA_ARRAY_DESCRIPTOR;

#define MUSA_ARRAY3D_LAYERED 0x01 /* Depth counts layers */
#define MUSA_ARRAY3D_SURFACE_LDST 0x02
#define MUSA_ARRAY3D_CUBEMAP 0x04 /* Depth counts faces, six a cube */
#define MUSA_ARRAY3D_TEXTURE_GATHER 0x08

typedef struct MUSA_ARRAY3D_DESCRIPTOR_st {
  size_t Width;
  size_t Height;
  size_t Depth;
  MUarray_format Format;
  unsigned int NumChannels;
  unsigned int Flags;
} MUSA_ARRAY3D_DESCRIPTOR;

typedef enum MUaddress_mode_enum {
  MU_TR_ADDRESS_MODE_WRAP = 0,
  MU_TR_ADDRESS_MODE_CLAMP = 1,
  MU_TR_ADDRESS_MODE_MIRROR = 2,
  MU_TR_ADDRESS_MODE_BORDER = 3
} MUaddress_mode;

typedef enum MUfilter_mode_enum { MU_TR_FILTER_MODE_POINT = 0, MU_TR_FILTER_MODE_LINEAR = 1 } MUfilter_mode;

#define MU_TRSF_READ_AS_INTEGER 0x01
#define MU_TRSF_NORMALIZED_COORDINATES 0x02
#define MU_TRSF_SRGB 0x10
#define MU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define MU_TRSF_SEAMLESS_CUBEMAP 0x40

typedef enum MUresourcetype_enum {
  MU_RESOURCE_TYPE_ARRAY = 0x00,
  MU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x01,
  MU_RESOURCE_TYPE_LINEAR = 0x02,
  MU_RESOURCE_TYPE_PITCH2D = 0x03
} MUresourcetype;

typedef struct MUSA_RESOURCE_DESC_st {
  MUresourcetype resType;
  union {
    struct {
      MUarray hArray;
    } array;
    struct {
      MUmipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      MUdeviceptr devPtr;
      MUarray_format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      MUdeviceptr devPtr;
      MUarray_format format;
      unsigned int numChannels;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags; /* 0 */
} MUSA_RESOURCE_DESC;

typedef struct MUSA_TEXTURE_DESC_st {
  MUaddress_mode addressMode[3];
  MUfilter_mode filterMode;
  unsigned int flags; /* MU_TRSF_* */
  unsigned int maxAnisotropy;
  MUfilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} MUSA_TEXTURE_DESC;

typedef enum MUresourceViewFormat_enum {
  MU_RES_VIEW_FORMAT_NONE = 0x00,
  MU_RES_VIEW_FORMAT_UINT_1X8 = 0x01,
  MU_RES_VIEW_FORMAT_UINT_2X8 = 0x02,
  MU_RES_VIEW_FORMAT_UINT_4X8 = 0x03,
  MU_RES_VIEW_FORMAT_SINT_1X8 = 0x04,
  MU_RES_VIEW_FORMAT_SINT_2X8 = 0x05,
  MU_RES_VIEW_FORMAT_SINT_4X8 = 0x06,
  MU_RES_VIEW_FORMAT_UINT_1X16 = 0x07,
  MU_RES_VIEW_FORMAT_UINT_2X16 = 0x08,
  MU_RES_VIEW_FORMAT_UINT_4X16 = 0x09,
  MU_RES_VIEW_FORMAT_SINT_1X16 = 0x0a,
  MU_RES_VIEW_FORMAT_SINT_2X16 = 0x0b,
  MU_RES_VIEW_FORMAT_SINT_4X16 = 0x0c,
  MU_RES_VIEW_FORMAT_UINT_1X32 = 0x0d,
  MU_RES_VIEW_FORMAT_UINT_2X32 = 0x0e,
  MU_RES_VIEW_FORMAT_UINT_4X32 = 0x0f,
  MU_RES_VIEW_FORMAT_SINT_1X32 = 0x10,
  MU_RES_VIEW_FORMAT_SINT_2X32 = 0x11,
  MU_RES_VIEW_FORMAT_SINT_4X32 = 0x12,
  MU_RES_VIEW_FORMAT_FLOAT_1X16 = 0x13,
  MU_RES_VIEW_FORMAT_FLOAT_2X16 = 0x14,
  MU_RES_VIEW_FORMAT_FLOAT_4X16 = 0x15,
  MU_RES_VIEW_FORMAT_FLOAT_1X32 = 0x16,
  MU_RES_VIEW_FORMAT_FLOAT_2X32 = 0x17,
  MU_RES_VIEW_FORMAT_FLOAT_4X32 = 0x18,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC1 = 0x19,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC2 = 0x1a,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC3 = 0x1b,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC4 = 0x1c,
  MU_RES_VIEW_FORMAT_SIGNED_BC4 = 0x1d,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC5 = 0x1e,
  MU_RES_VIEW_FORMAT_SIGNED_BC5 = 0x1f,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC6H = 0x20,
  MU_RES_VIEW_FORMAT_SIGNED_BC6H = 0x21,
  MU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22
} MUresourceViewFormat;

typedef struct MUSA_RESOURCE_VIEW_DESC_st {
  MUresourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned int firstMipmapLevel;
  unsigned int lastMipmapLevel;
  unsigned int firstLayer;
  unsigned int lastLayer;
  unsigned int reserved[16];
} MUSA_RESOURCE_VIEW_DESC;

#endif
