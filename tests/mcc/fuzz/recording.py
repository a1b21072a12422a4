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
# Compiles the programs here with nvcc, runs each three times on the first GPU and writes recorded.txt: what was the same
# each time. All that threads gave is in *.dump.
cd "$(dirname "$0")" || exit 1
nvcc=${NVCC:-nvcc}
ls f*.cu | xargs -P "${JOBS:-$(nproc)}" -I {} "$nvcc" -std=c++17 -O3 -w -DFUZZ_CUDA "-arch=${ARCH:-native}" -I . {} -o {}.run
for program in f*.cu.run; do
  for run in 1 2 3; do FUZZ_DUMP=1 timeout 60 ./$program > $program.$run.dump || echo "$program fails"; done
done
{
  echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $($nvcc --version | grep -o 'release [0-9.]*'), $(date +%F)"
  cat *.dump | grep '^k' | sort | uniq -c | awk '$1 == 3 { print $2, $3 }' | sort | join - sources.txt
} > recorded.txt
echo "$(grep -c '^k' recorded.txt) of $(wc -l < sources.txt) recorded"
"""


def source_hash(kernel):
    with open(os.path.join(HERE, "functions.h")) as file:
        functions = file.read()
    return f"{zlib.crc32((program([kernel]) + functions).encode()):08x}"


def emit(kernels, per_file, folder):
    """Programs of `per_file` kernels, and record.sh, which makes recorded.txt of them."""
    os.makedirs(folder, exist_ok=True)
    for number, start in enumerate(range(0, len(kernels), per_file)):
        with open(os.path.join(folder, f"f{number:02}.cu"), "w") as file:
            file.write(program(kernels[start:start + per_file]))
    for header in HEADERS:
        shutil.copy(os.path.join(HERE, header), folder)
    with open(os.path.join(folder, "sources.txt"), "w") as file:
        file.writelines(sorted(f"{kernel.name} {source_hash(kernel)}\n" for kernel in kernels))
    script = os.path.join(folder, "record.sh")
    with open(script, "w") as file:
        file.write(SCRIPT)
    os.chmod(script, 0o755)


class Recording:
    """Takes the place of a way to build and run (toolchain.py)."""
    name = "recorded"

    def __init__(self, path):
        with open(path) as file:
            lines = [line.split() for line in file if line.startswith("k")]
        self.results = {name: result for name, result, _ in lines}
        self.sources = {name: source for name, _, source in lines}

    def of(self, kernels):
        """What the kernels gave; of one that was not recorded as it is, that it was not."""
        return {kernel.name: self.results[kernel.name] if self.sources.get(kernel.name) == source_hash(kernel)
                else "another kernel was recorded" for kernel in kernels}
