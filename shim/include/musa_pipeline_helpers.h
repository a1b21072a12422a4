/* Kept for sources that include it by name: asynchronous copies. */
#include "musa_pipeline_primitives.h"
