/* <math.h> without the names that belong to device intrinsics.
 *
 * glibc declares a twin with two leading underscores for every function of math.h,
 * although no program can link against it. Eleven of them are CUDA intrinsics, which
 * device code has as functions of its own: here they get another name.
 */
#ifndef MUSASHIM_CRT_MATH_HEADER_H
#define MUSASHIM_CRT_MATH_HEADER_H

#define __cosf __musa_hidden_cosf
#define __exp10f __musa_hidden_exp10f
#define __expf __musa_hidden_expf
#define __log10f __musa_hidden_log10f
#define __log2f __musa_hidden_log2f
#define __logf __musa_hidden_logf
#define __powf __musa_hidden_powf
#define __sincosf __musa_hidden_sincosf
#define __sinf __musa_hidden_sinf
#define __tanf __musa_hidden_tanf
#define __tanhf __musa_hidden_tanhf

#include <math.h>

#undef __cosf
#undef __exp10f
#undef __expf
#undef __log10f
#undef __log2f
#undef __logf
#undef __powf
#undef __sincosf
#undef __sinf
#undef __tanf
#undef __tanhf

#endif
