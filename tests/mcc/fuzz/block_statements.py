"""Statements in which the threads of a block work together: all living threads reach them."""
from math import gcd

from tree import Node


class BlockStatements:
    def __init__(self, random, expressions, reuse, name, threads):
        self.random, self.expressions, self.name, self.threads = random, expressions, name, threads
        self.reuse = reuse

    hands_on = False  # loops with barriers hand values on from variable to variable
    waiting = None  # statements that poll: in the place of those that count on the order of lanes and warps

    def statement(self, scope):
        if self.hands_on and self.random.random() < 0.5:
            return self.handing_on(scope)
        others = self.reuse if self.waiting is None else self.waiting
        return self.random.choice([self.exchange, self.exchange, self.tree_reduction, self.scan, self.count,
                                   self.votes, self.votes, self.broadcast, self.parted, self.call,
                                   self.barrier] + [others.statement] * 4)(scope)

    def array(self):
        return self.random.choice(["byBlock", "dynamic"])

    def permuted(self):
        factor = self.random.choice([f for f in (1, 3, 5, 7, 11, 13) if gcd(f, self.threads) == 1])
        return f"(tid * {factor}u + {self.random.randrange(self.threads)}u) % n"

    def barrier(self, scope):
        return Node("__syncthreads();")

    def exchange(self, scope):
        array, old = self.array(), self.name("old")
        return Node(f"""{array}[{self.permuted()}] = {self.expressions.value(scope)};
            __syncthreads();
            const unsigned {old} = {array}[{self.expressions.value(scope, 2)} % n];
            __syncthreads();
            {self.random.choice(scope.writable)} += {old};""")

    def tree_reduction(self, scope):
        array, step = self.array(), self.name("step")
        top = 1 << (self.threads - 1).bit_length()
        return Node(f"""{array}[tid] = {self.expressions.value(scope)};
            __syncthreads();
            for (unsigned {step} = {top // 2}u; {step} > 0; {step} >>= 1) {{
            if (tid < {step} && tid + {step} < n) {array}[tid] += {array}[tid + {step}];
            __syncthreads(); }}
            {self.random.choice(scope.writable)} ^= {array}[0];
            __syncthreads();""")

    def scan(self, scope):
        array, step, add = self.array(), self.name("step"), self.name("add")
        return Node(f"""{array}[tid] = {self.expressions.value(scope)};
            __syncthreads();
            for (unsigned {step} = 1; {step} < n; {step} *= 2) {{
            const unsigned {add} = tid >= {step} ? {array}[tid - {step}] : 0u;
            __syncthreads();
            {array}[tid] += {add};
            __syncthreads(); }}
            {self.random.choice(scope.writable)} += {array}[n - 1 - tid];
            __syncthreads();""")

    def count(self, scope):
        return Node(f"""if ({self.expressions.condition(scope)}) atomicAdd(&counters[{self.expressions.value(scope, 1)} & 3], 3u);
            __syncthreads();
            {self.random.choice(scope.writable)} += counters[{self.random.randrange(4)}];
            __syncthreads();""")

    def votes(self, scope):
        op = self.random.choice(["count", "and", "or"])
        zero = "" if op == "count" else " != 0"
        name = self.name("vote")
        node = Node(f"const unsigned {name} = (unsigned)(__syncthreads_{op}({self.expressions.condition(scope)}){zero});",
                    f"{self.random.choice(scope.writable)} += {name};")
        scope.uniform.append(name)
        return node

    def broadcast(self, scope):
        name = self.name("shared")
        node = Node(f"""if (tid == {self.random.randrange(self.threads)}u) broadcastPlace = {self.expressions.value(scope)};
            __syncthreads();
            const unsigned {name} = broadcastPlace;
            __syncthreads();""")
        scope.uniform.append(name)
        return node

    # Barriers that lanes of one warp meet at different places: defined here, not on a GPU.
    parts_lanes = False

    def parted(self, scope):
        """A barrier that threads meet at different places; warps of a GPU may, lanes of a warp may not."""
        array, old = self.array(), self.name("old")
        write = f"{array}[tid] = {self.expressions.value(scope)};"
        read = f"{self.expressions.value(scope, 1)} % n"
        v = self.random.choice(scope.writable)
        condition = self.expressions.condition(scope) if self.parts_lanes \
            else self.expressions.test(self.expressions.of_group(scope))
        return Node(f"""{{ unsigned {old};
            if ({condition}) {{
            {write}
            __syncthreads();
            {old} = {array}[{read}]; }} else {{
            {array}[tid] = {self.expressions.value(scope, 1)};
            __syncthreads();
            {old} = {array}[({read}) / 2u] * 3u; }}
            __syncthreads();
            {v} ^= {old}; }}""")

    def handing_on(self, scope):
        """Values that a loop hands on from variable to variable: along a row, in a circle, or those at the end go on being used."""
        array, step, new, kept = self.array(), self.name("step"), self.name("new"), self.name("kept")
        names = [self.name("hand") for _ in range(self.random.randint(2, 4))]
        value = lambda: self.expressions.value(scope, 1)
        last = self.random.choice([new, new, kept, names[0], f"{names[0]} + {new}", f"{new} * 3u"])
        ahead = self.random.random() < 0.5   # the new value is known in another region than that of the end
        take = f"{new} = {array}[{self.permuted()}] + {value()};"
        # The values before the round, handed on one after the other; now and then only some of the rounds.
        moves = "".join(f"{to} = {of}; " for to, of in zip(names, names[1:] + ["first" if last == names[0] else last]))
        moves = f"const unsigned first = {names[0]}; {moves}" if last == names[0] else moves
        if self.random.random() < 0.3:
            moves = f"if ({self.expressions.uniform(scope)} & 1u) {{ {moves} }}"
        if self.random.random() < 0.2:
            moves += f"{self.random.choice(names)} = {self.random.choice(names)};"
        return Node(f"""{{ unsigned {kept} = {value()}, {", ".join(f"{name} = {self.expressions.value(scope)}" for name in names)};
            for (unsigned {step} = 0; {step} < ({self.expressions.uniform(scope)} & 3u) + 2u; ++{step}) {{
            unsigned {new} = {value()} + {step};
            {array}[tid] = {self.random.choice(names)};
            __syncthreads();
            {take if ahead else f"{kept} += {array}[{self.permuted()}];"}
            __syncthreads();
            {"" if ahead else f"{new} += {array}[tid];"}
            {self.random.choice(scope.writable)} += {" ^ ".join(names)};
            {f"{kept} = {new} / 3u;" if self.random.random() < 0.5 else ""}
            {moves} }}
            {self.random.choice(scope.writable)} ^= {" + 3u * ".join(names)} + {kept};
            __syncthreads(); }}""")

    def call(self, scope):
        """Barriers in functions."""
        if not scope.calls:
            return self.exchange(scope)
        return Node(f"{self.random.choice(scope.writable)} += {self.random.choice(self.synchronising)}"
                    f"({self.array()}, tid, n, {self.expressions.value(scope, 2)}, {self.expressions.uniform(scope)} & 3u);")

    # Their last argument is uniform. Those after the first two keep a kernel from being inlined whole.
    synchronising = ["rotate", "rotate"]
    all_synchronising = ["rotate", "rotateApart", "rotateOften", "rotateBy[1]"]
