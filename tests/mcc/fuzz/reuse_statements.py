"""Shared arrays that the block uses again with no barrier between the last reads and the next writes. By the
book that is a race; on hardware the warps of a block go step by step, and all have read before one has come as far
as the next write. What makes that sure: a read stands right behind its barrier, with an address that is known by
then, and what is written next depends on accesses that wait for each other and for the read (`dwelt`)."""
from tree import Node

# The arrays, each of 256 elements; of what; how an element is made of an unsigned value; and back.
ARRAYS = [("reused", "unsigned", "{}", "{}"), ("reusedDoubles", "double", "(double)({} >> 8)", "(unsigned){}"),
          ("reusedShorts", "unsigned short", "(unsigned short){}", "(unsigned){}"),
          ("reusedWide", "unsigned long long", "((unsigned long long){} << 13)", "(unsigned)({} >> 9)")]


def declarations():
    arrays = " ".join(f"__shared__ {kind} {name}[256];" for name, kind, _, _ in ARRAYS)
    zeros = " = ".join(f"{name}[i]" for name, _, _, _ in ARRAYS)
    return arrays, f"for (unsigned i = tid; i < 256; i += n) {zeros} = 0;"


class ReuseStatements:
    """All living threads of the block reach these statements."""

    def __init__(self, random, expressions, name, threads):
        self.random, self.expressions, self.name, self.threads = random, expressions, name, threads

    def statement(self, scope):
        forms = [self.of_all, self.of_one, self.of_first_warp, self.rounds, self.tree]
        if scope.warp_ops:
            forms += [self.sums, self.sums]
        return self.random.choice(forms)(scope)

    def write(self, array, to, what):
        name, _, make, _ = array
        return f"{name}[{to}] = {make.format(f'({what} + dwelt)')};"

    def reads(self, scope, array, elements):
        """Reads at once the elements (of those of which the array holds values now) and adds them up late."""
        name, kind, _, back = array
        got, v = self.name("got"), self.random.choice(scope.writable)
        at = [f"const unsigned {got}_at{i} = {element};" for i, element in enumerate(elements)]
        read = [f"const {kind} {got}_{i} = {name}[{got}_at{i}];" for i in range(len(elements))]
        total = " + ".join(back.format(f"{got}_{i}") for i in range(len(elements)))
        return "\n".join(at), "\n".join(read), f"dwelt = dwell(in, {total}); {v} {self.random.choice(['+=', '^='])} dwelt;"

    def phase(self, scope, array, write, elements):
        """One use: written, read, left as it is."""
        at, read, use = self.reads(scope, array, elements)
        return f"{at}\nFUZZ_BLOCK_STEP();\n{write}\n__syncthreads();\n{read}\n{use}"

    def elements(self, held):
        """Of an array whose first `held` elements were written."""
        forms = ["0u", f"(tid + {self.random.randrange(1, 256)}u) % {held}", f"{held} - 1u - tid % {held}", f"lane % {held}",
                 f"tid / 32u % {held}", f"(tid ^ {self.random.choice([1, 32, 64, 96])}u) % {held}"]
        return [self.random.choice(forms) for _ in range(self.random.randint(1, 3))]

    def of_all(self, scope):
        array = self.random.choice(ARRAYS)
        return Node("{", self.phase(scope, array, self.write(array, "tid", self.expressions.value(scope, 2)),
                                    self.elements("n")), "}")

    def of_one(self, scope):
        array, element = self.random.choice(ARRAYS), self.random.randrange(4)
        write = f"if (tid == {self.random.randrange(self.threads)}u) " + self.write(array, f"{element}", self.expressions.value(scope, 2))
        return Node("{", self.phase(scope, array, write, [f"{element}u"]), "}")

    def of_first_warp(self, scope):
        array = self.random.choice(ARRAYS)
        write = "if (tid < 32u) " + self.write(array, "tid", self.expressions.value(scope, 2))
        return Node("{", self.phase(scope, array, write, self.elements("32u")), "}")

    def warp_sum(self, scope):
        """(statements, the sum of a group of lanes, as all of them have it)"""
        x, step, act = self.name("x"), self.name("o"), scope.act
        value = self.expressions.value(scope, 2)
        if self.random.random() < 0.4:
            return f"const unsigned {x} = __reduce_add_sync({act}, {value});", x
        return f"""unsigned {x} = {value};
            for (unsigned {step} = 16; {step} > 0; {step} /= 2) {{
            const unsigned {step}y = __shfl_xor_sync({act}, {x}, {step}, 32);
            if ((({act} >> (lane ^ {step})) & 1u) != 0) {x} += {step}y; }}""", x

    def sums(self, scope):
        """By groups of lanes, then of groups; several in a row."""
        parts, array = ["{"], self.random.choice(ARRAYS)
        for _ in range(self.random.randint(1, 3)):
            before, total = self.warp_sum(scope)
            by = self.random.choice(["lane == 0", "lane == 0", f"lane == {self.random.randrange(32)}u"])
            write = f"if ({by}) " + self.write(array, "tid / 32u", total)
            groups = (self.threads + 31) // 32
            at = [f"{i}u" for i in range(min(groups, 8))] if self.random.random() < 0.6 else [f"lane % {groups}u"]
            parts += [f"{{ {before}\n{self.phase(scope, array, write, at)} }}"]
        return Node(*parts, "}")

    def rounds(self, scope):
        array, i = self.random.choice(ARRAYS), self.name("i")
        inner = scope.inside(loops=scope.loops + 1)
        inner.readable.append(i)
        write = self.write(array, "tid", self.expressions.value(inner, 2))
        elements = self.elements("n")
        if self.random.random() < 0.5:
            write = "if (lane == 0) " + self.write(array, "tid / 32u", self.expressions.value(inner, 2))
            elements = [f"lane % {(self.threads + 31) // 32}u"]
        return Node(f"for (unsigned {i} = 0; {i} < {self.random.randint(2, 5)}u; ++{i}) {{",
                    self.phase(inner, array, write, elements), "}")

    def tree(self, scope):
        array, step = self.random.choice(ARRAYS), self.name("step")
        name = array[0]
        at, read, use = self.reads(scope, array, ["0u"])
        top = 1 << (self.threads - 1).bit_length()
        return Node(f"""{{ {at}
            FUZZ_BLOCK_STEP();
            {self.write(array, "tid", self.expressions.value(scope, 2))}
            __syncthreads();
            for (unsigned {step} = {top // 2}u; {step} > 0; {step} >>= 1) {{
            if (tid < {step} && tid + {step} < n) {name}[tid] += {name}[tid + {step}];
            __syncthreads(); }}
            {read}
            {use} }}""")
