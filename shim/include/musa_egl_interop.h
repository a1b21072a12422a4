/* The runtime with EGL: emulated devices draw nothing. The calls are errors where they stand. */
#include "crt/graphics_interop.h"
