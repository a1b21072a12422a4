#!/bin/sh
# Compiles a MUSA source the way mcc's two passes do, without mcc.
#   device_pass.sh device|host CLANG++ STANDARD INCLUDE_DIR[:INCLUDE_DIR...] PRELUDE INPUT OUTPUT [OPTION...]
set -eu
pass=$1 clang=$2 standard=$3 include=$4 prelude=$5 input=$6 output=$7
shift 7
includes=$(echo "$include" | sed 's/^/-I/; s/:/ -I/g')

macros="-U__HIP__ -U__HIPCC__ -D__MUSACC__= -D__MUSA__=1 -D__CUDA__=1"
case $output in
  *.ll) emit="-emit-llvm" device_emit="-emit-llvm" ;;
  *) emit="" device_emit="-emit-obj" ;;
esac

if [ "$pass" = host ]; then
  [ -z "$emit" ] || emit="-S $emit"
  exec "$clang" -x hip --cuda-host-only -nogpuinc --rocm-path=none -nogpulib -fdeclspec "-std=$standard" $macros \
    -Wall -Wextra -Werror $includes -include "$prelude" "$@" ${emit:--c} "$input" -o "$output"
fi

# The system's include folders, from the driver.
folders=$("$clang" '-###' -x hip --cuda-host-only -nogpuinc --rocm-path=none -nogpulib /dev/null 2>&1 | tr ' ' '\n' | tr -d '"' |
  awk '/^-internal-/ { option = $0; getline folder; pair = option " " folder; if (!seen[pair]++) print pair }')
resources=$("$clang" -print-resource-dir)
exec "$clang" -cc1 -triple x86_64-pc-linux-gnu -aux-triple x86_64-pc-linux-gnu -fcuda-is-device \
  -fcuda-allow-variadic-functions -fhip-new-launch-api -fdeclspec -fcxx-exceptions -fexceptions \
  -fgnuc-version=4.2.1 -mrelocation-model pic -pic-level 2 -ffp-contract=fast-honor-pragmas \
  -resource-dir "$resources" $folders "-std=$standard" $macros -D__MUSA_ARCH__=310 \
  -DMUSASHIM_DEVICE_COMPILER=1 -Wall -Wextra -Werror $includes -include "$prelude" \
  -O2 -x hip "$@" $device_emit "$input" -o "$output"
