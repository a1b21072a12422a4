#!/bin/sh
# Compiles for the device and looks at what the code calls.
#   check_calls.sh DEVICE_PASS CLANG++ INCLUDE_DIR PRELUDE SOURCE_DIR OUTPUT_DIR
set -eu
pass=$1 clang=$2 include=$3 prelude=$4 sources=$5 output=$6

calls() { # the symbols that a source's device code leaves undefined
  "$pass" device "$clang" c++17 "$include" "$prelude" "$sources/$1.mu" "$output/$1.calls.ll"
  sed -n 's/^declare .*@\([A-Za-z0-9_.]*\)(.*/\1/p' "$output/$1.calls.ll" | sort -u
}
failed=0
expect() { echo "$2" | grep -qx "$1" || { echo "missing call: $1"; failed=1; }; }
reject() { ! echo "$2" | grep -qx "$1" || { echo "forbidden call: $1"; failed=1; }; }

library=$(calls standard_headers)
for name in __musa_printf __musa_malloc __musa_free __musa_assert_fail __musa_clock64; do expect $name "$library"; done
for name in printf puts putchar malloc free __assert_fail clock abs labs _Znwm _Znam _ZdlPv; do reject $name "$library"; done

all=$(calls everything)
for name in thread_idx_x block_idx_x block_dim_x block_dim_y grid_dim_x syncthreads syncwarp activemask \
            shfl_idx shfl_up shfl_down shfl_xor ballot all any match_any match_all nanosleep trap; do
  expect "__musa_$name" "$all"
done

# Hot float functions are code of ours, which vectorises, under all their names.
for name in expf exp2f exp10f logf log2f log10f sinf cosf sincosf powf tanhf; do reject $name "$all"; done

# Block-shared storage carries the annotation that the compiler's passes look for.
grep -q 'musa.shared' "$output/everything.calls.ll" || { echo "no musa.shared annotation"; failed=1; }
# Collectives stay where they are: convergent, and not without side effects.
attributes=$(sed -n 's/^declare void @__musa_syncthreads() .*#\([0-9]*\)$/\1/p' "$output/everything.calls.ll")
grep "^attributes #$attributes = " "$output/everything.calls.ll" | grep -q convergent ||
  { echo "__musa_syncthreads is not convergent"; failed=1; }
! grep "^attributes #$attributes = " "$output/everything.calls.ll" | grep -qE 'memory\(none\)|willreturn' ||
  { echo "__musa_syncthreads may be removed or moved"; failed=1; }
exit $failed
