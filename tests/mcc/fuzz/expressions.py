"""Expressions of unsigned values, free of undefined behaviour in C++ and CUDA."""

BINARY = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} ^ {b}", "{a} & {b}", "{a} | {b}", "{a} >> ({b} & 31)",
          "{a} << ({b} & 31)", "{a} / ({b} | 1u)", "{a} % ({b} | 1u)", "({a} < {b} ? {b} : {a})",
          "__umulhi({a}, {b})", "(({a} & 64u) != 0 ? {b} : {a} + 3u)"]
UNARY = ["~{a}", "(unsigned)((int){a} >> 3)", "(unsigned)__popc({a})", "__brev({a})",
         "(unsigned)__clz((int){a})", "(unsigned)__ffs((int){a})", "(unsigned)(q >> ({a} & 31))",
         "(unsigned)(unsigned char){a}", "p[{a} & 7]", "in[{a} & 1023]", "(unsigned)s.d[{a} % 5u]"]


# Bytes that are read as bool: any but 0 is true.
BOOLS = ["(boolOf(in)[{a} & 4095u] ? {b} : {a})", "(unsigned)(!boolOf(in)[{a} & 4095u] || ({b} & 1u) != 0)",
         "(boolAt(p, {a} & 31u) ? {a} : 7u)", "(boolOf(s.d)[{a} % 5u] ? 1u : 0u)",
         "(boolAt(s.d, {a} % 5u) && boolOf(uni)[{b} & 63u] ? {a} : {b})"]


class Expressions:
    def __init__(self, random, functions, bools=False):
        self.random, self.bools = random, bools
        self.functions = functions  # names of device functions of two values

    def constant(self):
        return f"{self.random.choice([0, 1, 2, 3, 5, 7, 31, 32, 255, self.random.getrandbits(32)])}u"

    def value(self, scope, depth=3):
        """Of a thread."""
        roll = self.random.random()
        if depth == 0 or roll < 0.2:
            return self.leaf(scope)
        a, b = self.value(scope, depth - 1), self.value(scope, depth - 1)
        if self.bools and roll < 0.27:
            return self.random.choice(BOOLS).format(a=a, b=b)
        if roll < 0.65:
            return "(" + self.random.choice(BINARY).format(a=a, b=b) + ")"
        if roll < 0.93 or not scope.calls:
            return "(" + self.random.choice(UNARY).format(a=a) + ")"
        return f"{self.random.choice(self.functions)}({a}, {b})"

    def leaf(self, scope):
        roll = self.random.random()
        if roll < 0.6 and scope.readable:
            return self.random.choice(scope.readable)
        if roll < 0.8:
            return self.random.choice(["tid", "lane", "s.a", "threadIdx.x", "threadIdx.y", "(unsigned)s.b"])
        if roll < 0.9:
            return self.uniform(scope, 0)
        return self.constant()

    def uniform(self, scope, depth=1):
        """The same for all threads of the block; the compiler may know or not."""
        if depth > 0:
            a, b = self.uniform(scope, depth - 1), self.uniform(scope, depth - 1)
            return "(" + self.random.choice(BINARY[:6]).format(a=a, b=b) + ")"
        known = ["blockIdx.x", "n", "param", f"uni[{self.random.randrange(16)}]", "uni[blockIdx.x & 15]",
                 "in[(blockIdx.x * 7u + param) & 1023]"]
        return self.random.choice(known + scope.uniform * 2)

    def of_warp(self, scope):
        return f"(({self.uniform(scope)}) + wid * {self.random.choice([1, 3, 5])}u)"

    def of_group(self, scope):
        return f"(({self.uniform(scope)}) + tid / 32u * {self.random.choice([1, 3])}u)"

    def test(self, value):
        return self.random.choice(["({} & 1u) != 0", "{} % 3u == 0", "({} & 6u) != 2u", "({} & 255u) < 150u",
                                   "(int){} > 1000"]).format(value)

    def condition(self, scope):
        return self.test(self.value(scope, 2))

    def lanes(self):
        """A condition on the lane with the mask of the lanes where it holds."""
        k = self.random.randrange(1, 32)
        return self.random.choice([
            (f"lane < {k}u", (1 << k) - 1),
            (f"lane >= {k}u", 0xffffffff ^ ((1 << k) - 1)),
            ("(lane & 1u) != 0", 0xaaaaaaaa),
            ("(lane & 2u) == 0", 0x33333333),
            ("lane % 4u == 3u", 0x88888888),
            (f"lane == {k}u", 1 << k),
        ])
