// MUSASHIM_CLONES("arch=...", "default"): a function is compiled for each of several processors, and the
// loader takes the one that fits.
#pragma once

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define MUSASHIM_CLONES(...) __attribute__((target_clones(__VA_ARGS__)))
#else
#define MUSASHIM_CLONES(...)  // sanitizers are not ready when the loader asks
#endif
