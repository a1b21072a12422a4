/* muSPARSE under the name that older programs include. */
#include "musparse.h"
