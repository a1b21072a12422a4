"""Variables that only some threads ever define: set under a condition, used under the same one behind barriers,
warp operations and loops. For the others they are undefined, and must not be taken from those."""
from scope import BLOCK
from tree import Node

# (declaration, what it is set to, how it is used); {x}: the variable, {a}: a value
KINDS = [
    ("unsigned {x};", "{x} = {a};", "v0 ^= {x};"),
    ("unsigned {x};", "{x} = atomicAdd(&some[tid], {a} & 15u);", "v1 += {x};"),
    ("unsigned long long {x};", "{x} = q + {a};", "q ^= {x} >> 3;"),
    ("float {x};", "{x} = (float)({a} & 0xfffu);", "f = (float)((unsigned)f & 0xffffu) + {x};"),
    ("double {x};", "{x} = (double)({a} >> 8);", "g = (double)((unsigned)g >> 1) + {x};"),
    ("bool {x};", "{x} = ({a} & 4u) != 0;", "if ({x}) v2 += 5u;"),
    ("unsigned char {x};", "{x} = (unsigned char){a};", "v3 += {x};"),
    ("unsigned short {x};", "{x} = (unsigned short){a};", "v0 += {x};"),
    ("const unsigned* {x};", "{x} = in + ({a} & 1023u);", "v1 ^= *{x};"),
    ("const unsigned* {x};", "{x} = &uni[param & 15u];", "v2 += *{x};"),
    ("unsigned* {x};", "{x} = &some[tid]; *{x} = {a};", "*{x} += 7u; v2 ^= *{x};"),
    ("unsigned* {x};", "{x} = &p[{a} & 7];", "*{x} += 3u; v3 ^= *{x};"),
    ("Private {x};", "{x} = s; {x}.a = {a};", "v1 += {x}.a; s.b += {x}.b;"),
    ("unsigned {x}[3];", "{x}[0] = {a}; {x}[1] = v0; {x}[2] = lane;", "v3 += {x}[v1 % 3u];"),
]


class PartialStatements:
    def __init__(self, random, expressions, name, threads):
        self.random, self.expressions, self.name, self.threads = random, expressions, name, threads

    def condition(self, scope):
        """Of a thread, the same each time: (what stands before, the condition)."""
        one = self.random.choice([0, 0, 0, self.threads - 1, self.random.randrange(self.threads)])
        roll = self.random.randrange(8)
        if roll < 3:
            return "", f"tid == {one}u"
        if roll == 3:
            return "", f"threadIdx.x == {self.random.choice([0, 0, 3])}"
        if roll == 4:
            return "", f"tid < {self.random.choice([1, 2, 32, 33])}u"
        if roll == 5:
            return "", f"lane == {self.random.choice([0, 5])}u"
        if roll == 6:
            return "", "(in[thread & 1023] & 1u) != 0"
        holds = self.name("only")
        return f"const bool {holds} = {self.expressions.condition(scope)};", holds

    def statement(self, scope, body):
        """`body(scope)`: statements for those who are together in `scope`."""
        return self.random.choice([self.straight, self.straight, self.loop])(scope, body)

    def some(self, scope):
        chosen = [(self.name("x"), kind) for kind in self.random.sample(KINDS, self.random.randint(1, 3))]
        declared = "\n".join(kind[0].format(x=x) for x, kind in chosen)
        return declared, lambda: "\n".join(kind[1].format(x=x, a=self.expressions.value(scope, 2)) for x, kind in chosen), \
            "\n".join(kind[2].format(x=x) for x, kind in chosen)

    def straight(self, scope, body):
        before, condition = self.condition(scope)
        declared, define, use = self.some(scope)
        inner = scope.inside(BLOCK, returns=False, exits=None)
        again = f"if ({condition}) {{ {define()} }}" if self.random.random() < 0.3 else ""
        return Node(f"{{ {before}\n{declared}\nif ({condition}) {{\n{define()}\n}}", body(inner),
                    f"if ({condition}) {{\n{use}\n}}\n{again}", body(inner), f"if ({condition}) {{\n{use}\n}}\n}}")

    def loop(self, scope, body):
        """Defined in some round, used in it and in later ones."""
        before, condition = self.condition(scope)
        declared, define, use = self.some(scope)
        i, first = self.name("i"), self.random.randrange(3)
        inner = scope.inside(BLOCK, loops=scope.loops + 1, returns=False, exits=None)
        inner.readable.append(i)
        return Node(f"""{{ {before}
            {declared}
            for (unsigned {i} = 0; {i} < 4u; ++{i}) {{
            if ({i} == {first}u && {condition}) {{
            {define()}
            }}""", body(inner), f"if ({i} >= {first}u && {condition}) {{\n{use}\n}}\n}} }}")
