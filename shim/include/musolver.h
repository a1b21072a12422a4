/* All parts of muSOLVER that are here, as programs for the vendor's SDK include them. */
#include "musolverDn.h"
#include "musolverRf.h"
#include "musolverSp.h"
