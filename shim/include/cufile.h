/* cuFile for sources in the CUDA face that mcc compiles. The host's compiler gets the header of this name beside cuda.h. */
#ifndef MUSASHIM_CUFILE_H
#define MUSASHIM_CUFILE_H

#include "crt/cufile_api.h"

#endif
