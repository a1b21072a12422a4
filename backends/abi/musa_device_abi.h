/* The contract between compiled device code and the machine that runs it.
 *
 *   mcc (shim/mcc)          writes device images that follow it
 *   crt headers             call the functions declared in "Device runtime"
 *   backends/cpu            loads the images and runs their blocks
 *
 * An image is an ELF shared object for the host's processor. It exports one
 * symbol, MUSASHIM_IMAGE_SYMBOL, that lists its kernels and variables. Each
 * emulated device loads its own copy, so each has its own variables.
 *
 * Images travel in a clang offload bundle ("__CLANG_OFFLOAD_BUNDLE__"), one
 * entry per architecture with the id "musa-mtgpu-mt-musa-mp_31" (musaInfo's and
 * clang-offload-bundler's form); see offload_bundle.h.
 *
 * Plain C, no includes but <stdint.h>: device headers and the LLVM pass mirror it.
 */
#ifndef MUSASHIM_ABI_MUSA_DEVICE_ABI_H
#define MUSASHIM_ABI_MUSA_DEVICE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MUSASHIM_IMAGE_MAGIC 0x4153554du /* "MUSA" */
#define MUSASHIM_IMAGE_ABI_VERSION 4u
#define MUSASHIM_IMAGE_SYMBOL "__musa_image"

typedef struct MusaDim3 {
  uint32_t x, y, z;
} MusaDim3;

/* What one block needs to run; read-only while it runs. */
typedef struct MusaBlockContext {
  MusaDim3 grid_dim;
  MusaDim3 block_dim;
  MusaDim3 block_idx;
  uint32_t warp_size;             /* 32 or 128: the device's, not the image's */
  uint32_t dynamic_shared_offset; /* bytes from `shared`, a multiple of 16 */
  uint32_t dynamic_shared_bytes;
  uint32_t cooperative; /* 1 when launched cooperatively */
  const void* params;   /* kernel parameters, packed as MusaKernelInfo::params says */
  char* shared;         /* static then dynamic shared memory, 128-byte aligned */
  void* grid_state;     /* the backend's own: one per grid */
  void* block_state;    /* the backend's own: one per block */
} MusaBlockContext;

/* Runs one whole block: every thread of it, to its end. */
typedef void (*MusaBlockFunction)(const MusaBlockContext* block);

/* Runs one thread of a block; the thread index is in __musa_thread. */
typedef void (*MusaThreadFunction)(const MusaBlockContext* block);

/* One source parameter of a kernel: where it lies in the packed buffer. */
typedef struct MusaParamInfo {
  uint32_t offset; /* bytes, aligned as the type asks */
  uint32_t size;   /* sizeof the source type */
} MusaParamInfo;

enum {
  MUSA_KERNEL_NEEDS_FIBERS = 1u << 0, /* has barriers or warp operations */
  MUSA_KERNEL_HAS_FAULT_TRAP = 1u << 1,
  MUSA_KERNEL_SYNCS_GRID = 1u << 2, /* its blocks wait for each other: they must all run at once */
  MUSA_KERNEL_LOOKS_BACK =
      1u << 3, /* blocks wait for others, which may not be far behind: a scan's look-back */
  MUSA_KERNEL_TAKES_TURNS = 1u << 4, /* blocks that wait let others run, at every look */
  MUSA_KERNEL_WAITS_FOR_COUNT =
      1u << 5, /* ... and may wait for one value of a counter: all must look before it grows */
  MUSA_KERNEL_FLUSHES_DENORMALS = 1u << 6,
  /* From here on, __CUDA_ARCH__ as the kernel's source saw it; 0 where that was no CUDA source. */
  MUSA_KERNEL_CUDA_ARCH_SHIFT = 16
};

typedef struct MusaKernelInfo {
  const char* name; /* mangled */
  MusaBlockFunction entry;
  const MusaParamInfo* params;
  uint32_t param_count;
  uint32_t param_bytes; /* size of the packed buffer */
  uint32_t static_shared_bytes;
  uint32_t max_threads; /* __launch_bounds__, 0 when not given */
  uint32_t min_blocks;  /* __launch_bounds__, 0 when not given */
  uint32_t flags;
  MusaBlockFunction wide_entry; /* the same for x86-64-v4 processors; null: none */
} MusaKernelInfo;

enum {
  MUSA_VARIABLE_CONSTANT = 1u << 0,
  /* What lies at `address` is a pointer to the storage; the runtime sets it. */
  MUSA_VARIABLE_MANAGED = 1u << 1
};

typedef struct MusaVariableInfo {
  const char* name; /* mangled */
  void* address;
  uint64_t size; /* bytes at `address` */
  uint32_t flags;
  uint32_t reserved;
} MusaVariableInfo;

typedef struct MusaImageInfo {
  uint32_t magic;       /* MUSASHIM_IMAGE_MAGIC */
  uint32_t abi_version; /* MUSASHIM_IMAGE_ABI_VERSION */
  uint32_t arch;        /* __MUSA_ARCH__ it was compiled for, 0 when it fits all:
                           which devices it is for is what the bundle's entry says */
  uint32_t kernel_count;
  const MusaKernelInfo* kernels;
  uint32_t variable_count;
  uint32_t cpu_level; /* its code is for x86-64-vN processors: N; 0: for any */
  const MusaVariableInfo* variables;
} MusaImageInfo;

/* ---- Device runtime (libmusadevrt): what compiled device code may call ---- */

/* The thread that runs now on this host thread. Thread-local with the
 * initial-exec model: one instruction to reach. Barrier-free kernels set
 * thread_idx only where a callee that was not inlined reads it. */
typedef struct MusaThreadState {
  MusaDim3 thread_idx;
  uint32_t linear_idx; /* x fastest */
  const MusaBlockContext* block;
  void* fiber; /* the device runtime's own */
} MusaThreadState;

#ifndef MUSASHIM_DEVICE_COMPILER
extern __thread MusaThreadState __musa_thread __attribute__((tls_model("initial-exec")));

/* What a grid must write, in bytes, to write it past the caches, by streaming stores. */
extern uint64_t __musa_past_caches_bytes;

/* How many bytes behind what they read this processor is best asked for more: by blocks that read one behind
 * the other and work on their own memory in between, and by warps that read on and on. */
extern uint64_t __musa_blocks_onward_bytes;
extern uint64_t __musa_warps_onward_bytes;

/* Not 0 where the processor fetches ahead what follows an instruction's last reads, well for a few of them.
 */
extern uint64_t __musa_follows_instructions;

/* Runs `thread` once for every thread of the block, each on a fiber of its own. */
void __musa_run_fibers(const MusaBlockContext* block, MusaThreadFunction thread);

/* Runs the block, whose kernel is checked (musa_check_abi.h), by `run`; by `run_ordered`, which has a fiber
 * for each thread, where MUSASHIM_SCHEDULE says in what order threads run. */
void __musa_run_checked(const MusaBlockContext* block, MusaBlockFunction run, MusaBlockFunction run_ordered);

/* __syncthreads and its reductions. All live threads of the block take part. */
void __musa_syncthreads(void);
int32_t __musa_syncthreads_count(int32_t predicate);
int32_t __musa_syncthreads_and(int32_t predicate);
int32_t __musa_syncthreads_or(int32_t predicate);

/* Barriers that have numbers: PTX's bar.sync, bar.arrive and bar.red. A thread first tells that it has come,
 * then may wait for the phase of which it is told. `count`: threads that the barrier waits for, a multiple of
 * 32, or 0 for the block's. What waiting gives is how many have come, above 16 bits of those of them whose
 * predicate was true. */
uint32_t __musa_barrier_arrive(uint32_t id, uint32_t count, uint32_t predicate, uint32_t thread,
                               uint32_t threads);
uint32_t __musa_barrier_wait(uint32_t id, uint32_t phase);
/* Squads have barriers of their own, too: MUSA_BARRIER_OF_SQUAD (matrix_layout.h). */

/* Barriers of copies, of numbers below MUSA_COPY_BARRIERS. A phase is over when so many warps have come and as many
 * bytes are copied as are expected; __musa_barrier_wait(MUSA_BARRIER_OF_COPIES + id, phase) waits while the last bit
 * of the phase is the given one. */
void __musa_copy_barrier_set(uint32_t id, uint32_t warps, uint32_t phase, uint32_t threads);
void __musa_copy_barrier_expect(uint32_t id, uint32_t bytes);
void __musa_copy_barrier_complete(uint32_t id, uint32_t bytes);
void __musa_copy_barrier_arrive(uint32_t id);
uint32_t __musa_copy_barrier_phase(uint32_t id); /* its last bit */

/* A barrier of all live threads of the grid. Every block takes part, and the launch is
 * cooperative; else a fault. The kernel has MUSA_KERNEL_SYNCS_GRID. */
void __musa_grid_sync(void);

/* Warp operations. Masks have 32 bits (the vendor's headers) and stand for every
 * group of 32 lanes of a 128-lane warp alike. `value` is moved as raw bits. */
void __musa_syncwarp(uint32_t mask);
uint32_t __musa_activemask(void);
/* A convergence point: where mcc has the lanes of a warp wait for each other because the source counts on
 * their moving together. Lanes that are behind go first: `rank` says where the point stands in its function,
 * in an order in which a loop comes before what follows it. On fibers nothing where MUSASHIM_SCHEDULE asks
 * for an order of threads. */
void __musa_converge(uint32_t rank);
/* Around a call of a function with convergence points, on fibers: what stands in it has the rank of the call.
 */
void __musa_converge_enter(uint32_t rank);
void __musa_converge_leave(void);
/* A step: the same of the threads of a block, whose warps go about in step. */
void __musa_step(void);
uint64_t __musa_shfl_idx(uint32_t mask, uint64_t value, int32_t lane, int32_t width);
uint64_t __musa_shfl_up(uint32_t mask, uint64_t value, uint32_t delta, int32_t width);
uint64_t __musa_shfl_down(uint32_t mask, uint64_t value, uint32_t delta, int32_t width);
uint64_t __musa_shfl_xor(uint32_t mask, uint64_t value, int32_t lane_mask, int32_t width);
uint32_t __musa_ballot(uint32_t mask, int32_t predicate);
int32_t __musa_all(uint32_t mask, int32_t predicate);
int32_t __musa_any(uint32_t mask, int32_t predicate);
uint32_t __musa_match_any(uint32_t mask, uint64_t value);
uint32_t __musa_match_all(uint32_t mask, uint64_t value, int32_t* predicate);

/* Memory of the block that runs, MUSA_EXCHANGE_BYTES for each 32 of its threads. */
char* __musa_warp_exchange(void);
/* Multiplies the fragments that lie in `words`; one lane calls it, for all (matrix_layout.h). */
void __musa_multiply_matrices(uint64_t product, uint32_t* words);

/* Memory of a squad of the block that runs, MUSA_SQUAD_BYTES (matrix_layout.h). */
char* __musa_squad_memory(uint32_t squad);
/* sums += a b, of whole matrices; one thread calls it for its squad. `a` holds its elements column by column,
 * `b` row by row, without gaps. Products are exact and added one after the other, along k: floats by fused
 * multiply-add, integers without regard to overflow, or saturated at the end. */
void __musa_multiply_whole(uint64_t product, const void* a, const void* b, void* sums);
/* The same of factors in shared memory (MUSA_SHARED_FACTOR), which has so many bytes. */
void __musa_multiply_shared(uint64_t product, uint64_t a, uint64_t b, const char* shared, uint64_t bytes,
                            void* sums);

/* Launches `kernel` of the same image from device code. The grid starts once the launching
 * one has ended, which is complete when all that it launched is. `params` is packed as the
 * kernel's info says and copied. Dimensions as the System V ABI passes a struct of three:
 * x and y in one word. `stream`: null, of musaStreamCreateWithFlags in device code, or one of
 * the numbers below. What is wrong with the launch is what __musa_device_last_error gives. */
enum { MUSA_STREAM_TAIL_LAUNCH = 3, MUSA_STREAM_FIRE_AND_FORGET = 4 };
void __musa_device_launch(const MusaKernelInfo* kernel, const void* params, uint64_t grid_xy, uint32_t grid_z,
                          uint64_t block_xy, uint32_t block_z, uint64_t shared_bytes, uint64_t stream);
/* A musaError_t of this thread's launches; 0 when there is none. `clear`: and forgets it. */
int32_t __musa_device_last_error(int32_t clear);

/* Copies or fills `height` rows of `width` bytes as a launched grid would. musaError_t. */
int32_t __musa_device_copy(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch, uint64_t width,
                           uint64_t height, uint64_t stream);
int32_t __musa_device_fill(void* to, uint64_t pitch, int32_t value, uint64_t width, uint64_t height,
                           uint64_t stream);
/* The number of the device that asks, how many there are, and what they are. 0 for an attribute or a
 * device that does not exist. */
int32_t __musa_device_ordinal(void);
int32_t __musa_device_count(void);
int32_t __musa_device_attribute(int32_t* value, int32_t id, int32_t ordinal);
/* Bytes: of malloc() in kernels, of what printf() holds. */
uint64_t __musa_device_heap_bytes(void);
uint64_t __musa_device_printf_bytes(void);

/* Time: cycles at the device profile's clock rate, and nanoseconds. */
uint64_t __musa_clock64(void);
uint64_t __musa_globaltimer(void);
void __musa_nanosleep(uint32_t nanoseconds);

/* Ends the calling thread: in kernels a return, so that the runtime sees it only in functions of their own.
 */
void __musa_exit_thread(void) __attribute__((noreturn));

/* Buffered output, heap, and faults that become sticky device errors. */
int __musa_vprintf(const char* format, __builtin_va_list arguments);
int __musa_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
void* __musa_malloc(uint64_t bytes);
void __musa_free(void* pointer);
void __musa_trap(void) __attribute__((noreturn));
void __musa_assert_fail(const char* expression, const char* file, unsigned line, const char* function)
    __attribute__((noreturn));
#endif

#ifdef __cplusplus
}
#endif
#endif
