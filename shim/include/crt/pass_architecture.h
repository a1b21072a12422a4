/* Functions that one architecture alone has, and arguments that are refused. Such a function is a template of
 * the architecture; a macro of its name gives that, so that only sources that use it depend on what they are
 * compiled for.
 */
#ifndef MUSASHIM_CRT_PASS_ARCHITECTURE_H
#define MUSASHIM_CRT_PASS_ARCHITECTURE_H

/* 0 in the pass over host code, which knows no architecture. */
#ifdef MUSASHIM_DEVICE_COMPILER
#define MUSASHIM_ARCH_OF_PASS __MUSA_ARCH__
#else
#define MUSASHIM_ARCH_OF_PASS 0
#endif
/* On a function template of the architecture: `kArch` alone has it. */
#define MUSASHIM_ONLY_ON(kHas, name)                                                                     \
  __attribute__((diagnose_if(kArch != 0 && kArch != kHas,                                                \
                             "this is an instruction of " name " alone; say so by --offload-arch=" name, \
                             "error")))
#define MUSASHIM_REFUSED_IF(condition, text) __attribute__((diagnose_if(condition, text, "error")))

#endif
