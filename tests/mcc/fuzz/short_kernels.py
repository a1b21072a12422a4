"""Kernels of a few lines that ask for no more than they need: a single index, no block size, nothing at all."""
import re

from tree import Node

# Declared if something needs them; later ones may need earlier ones.
DECLARATIONS = [
    ("n", "const unsigned n = {blockDim};"),
    ("tid", "const unsigned tid = {threadIdx};"),
    ("lane", "const unsigned lane = tid & 31u;"),
    ("thread", "const unsigned thread = {thread};"),
    ("v1", "unsigned v1 = param;"),
    ("v2", "unsigned v2 = in[7];"),
    ("shared", "__shared__ unsigned shared[1024];"),
]
AXES = "xyz"


class ShortKernel:
    """Statements over v0 to v2, of threads along one axis, the only one that is longer than 1."""

    def __init__(self, random, expressions, scope, axis, threads, name):
        self.random, self.expressions, self.axis, self.threads, self.name = random, expressions, axis, threads, name
        scope.readable, scope.writable = ["v0", "v1", "v2"], ["v0"]
        scope.warp_ops = scope.calls = False
        self.scope = scope
        self.ends = None  # what v0 begins with, and the threads that store it

    def value(self, depth):
        while True:
            text = self.expressions.value(self.scope, depth)
            if not re.search(r"\b(p\[|boolAt\(p\b|s\.|q\b|threadIdx)", text):
                return text

    def statement(self):
        roll = self.random.randrange(6)
        if roll == 0:
            return Node(f"if ({self.expressions.test(self.value(1))}) v0 += {self.value(1)};")
        if roll == 1:
            other = f"{self.random.randrange(self.threads)}u"
            return Node(f"""__syncthreads();
                shared[tid] = {self.value(1)};
                __syncthreads();
                v0 ^= shared[(tid + {other}) % n];""")
        if roll == 2:
            i = self.name("i")
            return Node(f"for (unsigned {i} = 0; {i} < (v0 & 3u); ++{i}) v0 += {self.value(1)};")
        return Node(f"v0 {self.random.choice(['=', '+=', '^='])} {self.value(2)};")

    def tree(self):
        return Node([self.statement() for _ in range(self.random.randint(0, 3))])

    def source(self, name, tree):
        if self.ends is None:  # a seed is one kernel, however often its text is asked for
            self.ends = (self.random.choice(["tid", "thread", "param", "in[thread & 1023]", "blockIdx.x"]),
                         self.random.choice([None, "param + 5u", f"{self.threads}u"]))
        first, limit = self.ends
        store = "out[thread * kResults] = v0;"
        if limit is not None:
            store = f"if (thread < {limit}) {store}"
        body = f"  unsigned v0 = {first};\n{tree.render()}\n  {store}\n"
        needed, lines = body, []
        for variable, declaration in reversed(DECLARATIONS):
            if re.search(rf"\b{variable}\b", needed):
                line = declaration.format(blockDim=f"blockDim.{self.axis}", threadIdx=f"threadIdx.{self.axis}",
                                          thread=f"blockIdx.x * blockDim.{self.axis} + threadIdx.{self.axis}")
                lines.insert(0, f"  {line}\n")
                needed += line
        head = f"__global__ void {name}(const unsigned* in, const unsigned* uni, unsigned param, unsigned* out) {{\n"
        return head + "".join(lines) + body + "}\n"
