/* By this name before MUSA 5.1. */
#include "mudnncxx/mudnn_xmma.h"
