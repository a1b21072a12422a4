/* The driver with OpenGL: emulated devices draw nothing. The calls are errors where they stand. */
#if defined(__has_include)
#if __has_include(<GL/gl.h>) /* which CUDA's headers bring along */
#include <GL/gl.h>
#endif
#endif
#include "crt/graphics_interop.h"
