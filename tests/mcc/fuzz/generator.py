"""One kernel from a seed: source text, a launch, nothing that a GPU leaves undefined."""
import random

import waiting_statements
from block_statements import BlockStatements
from control import ControlFlow
from expressions import Expressions
from launches import Launch
from partial_statements import PartialStatements
from reuse_statements import ReuseStatements, declarations
from scope import Scope
from short_kernels import AXES, ShortKernel
from tree import Node
from waiting_statements import WaitingStatements
from warp_statements import WarpStatements

SIZES = [(32, 1, 1), (64, 1, 1), (128, 1, 1), (256, 1, 1), (1, 1, 1), (7, 1, 1), (33, 1, 1), (48, 1, 1),
         (100, 1, 1), (130, 1, 1), (8, 8, 1), (16, 16, 1), (32, 4, 1), (5, 7, 1), (3, 5, 7), (4, 4, 8), (31, 3, 1),
         (1, 64, 1), (1, 33, 1), (1, 1, 32), (1, 8, 4)]
SHORT = 0.2  # of kernels are short ones
LATER = 1000  # Seeds from here on also poll, and read bytes as bool; those before are the kernels that a GPU has run.
LATEST = 2000  # In seeds from here on lanes exchange data also in kernels that poll.
HANDING_ON = 3000  # In seeds from here on loops with barriers hand values on from variable to variable.


class Kernel:
    def __init__(self, seed):
        self.name = f"k{seed}"
        self.random = random.Random(seed)
        self.numbers = {}
        self.size = self.random.choice(SIZES)
        self.threads = self.size[0] * self.size[1] * self.size[2]
        self.blocks = self.random.randint(1, 3)
        self.param = self.random.randrange(100)
        self.isLater, self.isLatest, self.handsOn = seed >= LATER, seed >= LATEST, seed >= HANDING_ON
        self.short = None
        self.parts_lanes = self.random.random() < 0.2
        self.tree = self.generate()
        # A kernel by itself, or an instance of a template.
        self.isTemplate = self.random.random() < 0.25
        kernel = f"{self.name}<3>" if self.isTemplate else self.name
        self.launch = Launch(self.random, self.name, kernel, self.blocks, self.size, self.threads * 4, self.param)

    def unique(self, prefix):
        self.numbers[prefix] = self.numbers.get(prefix, 0) + 1
        return f"{prefix}{self.numbers[prefix]}"

    def generate(self):
        functions = ["mix", "mixApart", "mixOften", "mixBy[param & 1]", "mixBy[tid % 3u]", "virtually"]
        expressions = Expressions(self.random, functions, bools=self.isLater)
        reuse = ReuseStatements(self.random, expressions, self.unique, self.threads)
        block = BlockStatements(self.random, expressions, reuse, self.unique, self.threads)
        if self.random.random() < 0.12:
            block.synchronising = BlockStatements.all_synchronising
        block.parts_lanes = self.parts_lanes
        warp = WarpStatements(self.random, expressions, self.unique)
        if self.isLater and self.random.random() < 0.5:
            block.waiting = WaitingStatements(self.random, expressions, self.unique, self.isLatest)
            if not self.isLatest:
                warp.lanes = None
        scope = Scope()
        longer = [axis for axis, length in zip(AXES, self.size) if length > 1]
        if len(longer) < 2 and self.random.random() < SHORT * 1.6:
            axis = longer[0] if longer else self.random.choice(AXES)
            self.short = ShortKernel(self.random, expressions, scope, axis, self.threads, self.unique)
            return self.short.tree()
        scope.readable = ["v0", "v1", "v2", "v3"]
        scope.writable = list(scope.readable)
        block.hands_on = self.handsOn
        if self.random.random() < (0.7 if self.handsOn else 0.35):  # no warp operation: the block is one unit
            scope.warp_ops = False
        partial = PartialStatements(self.random, expressions, self.unique, self.threads)
        control = ControlFlow(self.random, expressions, warp, block, partial, self.unique)
        return Node(control.statements(scope, self.random.randint(4, 9)))

    def source(self):
        head = "template <int kUnused>\n" if self.isTemplate else ""
        return head + (self.long_source() if self.short is None else self.short.source(self.name, self.tree))

    def long_source(self):
        arrays, zeros = declarations()
        if self.isLater:
            words, start = waiting_statements.declarations()
            arrays, zeros = f"{arrays}\n  {words}", f"{zeros}\n  {start}"
        return f"""__global__ void {self.name}(const unsigned* in, const unsigned* uni, unsigned param, unsigned* out) {{
  __shared__ unsigned byBlock[256], byWarp[256], counters[4], broadcastPlace, some[256];
  {arrays}
  FUZZ_DYNAMIC(unsigned, dynamic);
  const unsigned n = blockDim.x * blockDim.y * blockDim.z;
  const unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned lane = tid & 31u, wid = tid / warpSize, thread = blockIdx.x * n + tid;
  const unsigned group = tid & ~31u;
  unsigned act = n - group >= 32u ? 0xffffffffu : (1u << (n - group)) - 1u;
  unsigned v0 = in[thread & 1023], v1 = tid * 77u, v2 = param, v3 = lane, dwelt = 0;
  unsigned long long q = v0;
  float f = 1;
  double g = lane;
  unsigned p[8] = {{0, 1, 2, 3, 4, 5, 6, 7}};
  Private s = {{tid, 3, 2.0f, {{1, 2, 3, 4, 5}}}};
  byBlock[tid] = dynamic[tid] = byWarp[tid] = some[tid] = tid;
  {zeros}
  for (unsigned i = tid; i < 4; i += n) counters[i] = 0;
  if (tid == 0) broadcastPlace = 9;
  __syncthreads();
{self.tree.render()}
  finish(out, thread, {{{{v0, v1, v2, v3}}, q, f, g}}, p, s);
  (void)act, (void)wid, (void)counters, (void)dwelt;
}}
"""


def program(kernels):
    parts = ['#include "harness.h"\n#include "functions.h"\n']
    parts += [kernel.source() for kernel in kernels]
    parts += [kernel.launch.source() for kernel in kernels]
    launches = ",\n".join("      " + kernel.launch.entry() for kernel in kernels)
    parts.append(f"int main() {{\n  return runAll({{\n{launches}}});\n}}\n")
    return "\n".join(parts)
