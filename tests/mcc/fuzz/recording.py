"""What a real GPU gives for generated kernels: writes them as CUDA programs, and reads what these gave.

A recording is a text file with a line for each kernel: its name, the hash of its results, and that of its source, so that
a kernel that the generator now makes otherwise is not compared with another one's results."""
import os
import shutil
import zlib

from generator import program
from toolchain import HERE

HEADERS = ["harness.h", "functions.h", "cuda_names.h"]
SCRIPT = """#!/bin/bash
# Compiles the programs here with nvcc and runs each kernel five times on the first GPU, each kernel in a process of its
# own, and writes recorded.txt: what was the same each time. unrecorded.txt has the others, with what they gave.
cd "$(dirname "$0")" || exit 1
export LC_ALL=C NVCC=${NVCC:-nvcc} ARCH=${ARCH:-native} FUZZ_TIMES=5 FUZZ_COUNT=1
ls f*.cu | xargs -P "${JOBS:-$(nproc)}" -I {} "$NVCC" -std=c++17 -O3 -w -DFUZZ_CUDA "-arch=$ARCH" -I . {} -o {}.run
run() {  # program, number of the kernel in it, its name
  seen=$(FUZZ_FIRST=$2 timeout -s KILL "${SECONDS_EACH:-5}" "./$1.run" 2>&1)
  status=$?
  different=$(echo "$seen" | sort -u)
  if [[ $status == 0 && $(echo "$seen" | wc -l) == $FUZZ_TIMES && $(echo "$different" | wc -l) == 1 ]]; then
    echo "$different" > "$3.same"
  else
    echo "$3 status $status:" $different > "$3.other"
  fi
}
export -f run
rm -f ./*.same ./*.other
xargs -P "${TOGETHER:-8}" -L 1 bash -c 'run "$@"' run < kernels.txt
{
  echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $($NVCC --version | grep -o 'release [0-9.]*'), $(date +%F)"
  find . -name '*.same' -exec cat {} + | sort | join - sources.txt
} > recorded.txt
find . -name '*.other' -exec cat {} + | sort > unrecorded.txt
echo "$(grep -c '^k' recorded.txt) of $(wc -l < sources.txt) recorded"
"""


def source_hash(kernel):
    with open(os.path.join(HERE, "functions.h")) as file:
        functions = file.read()
    return f"{zlib.crc32((program([kernel]) + functions).encode()):08x}"


def emit(kernels, per_file, folder):
    """Programs of `per_file` kernels, and record.sh, which makes recorded.txt of them."""
    os.makedirs(folder, exist_ok=True)
    rows = []
    for number, start in enumerate(range(0, len(kernels), per_file)):
        together = kernels[start:start + per_file]
        with open(os.path.join(folder, f"f{number:02}.cu"), "w") as file:
            file.write(program(together))
        rows += [f"f{number:02}.cu {i} {kernel.name}\n" for i, kernel in enumerate(together)]
    with open(os.path.join(folder, "kernels.txt"), "w") as file:
        file.writelines(rows)
    for header in HEADERS:
        shutil.copy(os.path.join(HERE, header), folder)
    with open(os.path.join(folder, "sources.txt"), "w") as file:
        file.writelines(sorted(f"{kernel.name} {source_hash(kernel)}\n" for kernel in kernels))
    script = os.path.join(folder, "record.sh")
    with open(script, "w") as file:
        file.write(SCRIPT)
    os.chmod(script, 0o755)


class Recording:
    name = "recorded"

    def __init__(self, path):
        with open(path) as file:
            lines = [line.split() for line in file if line.startswith("k")]
        self.results = {name: result for name, result, _ in lines}
        self.sources = {name: source for name, _, source in lines}

    def seeds(self):
        return sorted(int(name[1:]) for name in self.results)

    def of(self, kernels):
        """What those gave that were recorded; of one that the generator makes otherwise by now, that it does."""
        return {kernel.name: self.results[kernel.name] if self.sources[kernel.name] == source_hash(kernel)
                else "another kernel was recorded" for kernel in kernels if kernel.name in self.results}
