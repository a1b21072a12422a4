/* Kept for sources that include it by name: the runtime API. */
#include "musa_runtime_api.h"
