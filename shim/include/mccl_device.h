/* MCCL's device API: communication that kernels start, on windows of memory that ranks register together
 * (mcclCommWindowRegister) and with a device communicator (mcclDevCommCreate). At the level of NCCL 2.28.9;
 * ranks of this host reach each other's memory (LSA), there is no multicast. */
#ifndef MCCL_DEVICE_H_
#define MCCL_DEVICE_H_

#include "mccl_device/core.h"

#if defined(__cplusplus)
#include "mccl_device/teams.h"
#if defined(__MUSACC__)
#include "mccl_device/barrier.h"
#endif
#endif

#endif
