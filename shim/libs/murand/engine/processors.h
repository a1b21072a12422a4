// Loops over neighbouring lanes are compiled for several levels of processors; the loader takes the one that
// fits.
#pragma once

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define MUSASHIM_RAND_LEVELS __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MUSASHIM_RAND_LEVELS  // sanitizers are not ready when the loader asks
#endif
