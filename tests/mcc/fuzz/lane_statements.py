"""Statements in which lanes of a warp exchange data with no barrier in between, as programs do that count on lanes'
moving together: one load serves all lanes before a store, and lanes that leave a branch or a loop meet the others
where their ways join. In the reference the macros FUZZ_* are barriers; else they are nothing, or fences."""
from scope import ORDER, WARP
from tree import Node


class LaneStatements:
    def __init__(self, random, expressions, name):
        self.random, self.expressions, self.name = random, expressions, name

    def statement(self, scope):
        mask = self.random.choice(scope.masks)
        # On 128 lanes __syncwarp means all groups, which need not be here, nor have the same mask.
        whole = mask == "0xffffffffu" and ORDER[scope.together] >= ORDER[WARP]
        narrow = "" if whole else "if (warpSize == 32) "
        return self.random.choice([self.in_place, self.guarded, self.rounds, self.rounds, self.told])(scope, mask, narrow)

    # --- One load serves all lanes before the store ---------------------------------------------------

    def other(self, scope, by):
        """A lane's number; `by` is a value."""
        return self.random.choice([f"(lane ^ ({by} & 31u))", f"((lane + {by}) & 31u)", f"((lane - {by}) & 31u)",
                                   "(31u - lane)", f"({by} & 31u)"])

    def read(self, scope, source):
        return f"((({scope.act} >> {source}) & 1u) != 0 ? byWarp[(tid & ~31u) | {source}] : 9u)"

    def in_place(self, scope, mask, narrow):
        i, source, got = self.name("i"), self.name("from"), self.name("got")
        by = self.random.choice([f"{self.random.randrange(1, 32)}u", f"(1u << {i})", self.expressions.uniform(scope, 0),
                                 self.expressions.value(scope, 1)])
        update = self.random.choice(["byWarp[tid] = {}", "byWarp[tid] = 3u * {} + lane", "byWarp[tid] += {}"])
        return Node(f"""{narrow}{{ byWarp[tid] = {self.expressions.value(scope, 2)};
            __syncwarp({mask});
            for (unsigned {i} = 0; {i} < {self.random.randrange(1, 6)}u; ++{i}) {{
            const unsigned {source} = {self.other(scope, by)}, {got} = {self.read(scope, source)};
            FUZZ_STEP({mask});
            {update.format(got)};
            __syncwarp({mask}); }}
            {self.random.choice(scope.writable)} ^= byWarp[tid];
            __syncwarp({mask}); }}""")

    def guarded(self, scope, mask, narrow):
        """By some of the lanes, as in a scan."""
        d, c, source, got = self.name("d"), self.name("c"), self.name("from"), self.name("got")
        test, way = self.random.choice([(f"lane >= {d}", f"((lane - {d}) & 31u)"), (f"(lane & {d}) != 0", f"(lane ^ {d})"),
                                        (f"lane + {d} < 32u", f"((lane + {d}) & 31u)"),
                                        (self.expressions.condition(scope), f"(lane ^ {d})")])
        head = self.random.choice([f"for (unsigned {d} = 1; {d} < 32; {d} *= 2) {{",
                                   f"for (unsigned {d} = 16; {d} > 0; {d} /= 2) {{"])
        return Node(f"""{narrow}{{ byWarp[tid] = {self.expressions.value(scope, 2)};
            __syncwarp({mask});
            {head}
            const bool {c} = {test};
            unsigned {source} = {way}, {got} = 0;
            if ({c}) {{ {got} = {self.read(scope, source)};
            FUZZ_SPLIT({mask}, {c})
            byWarp[tid] = byWarp[tid] * 5u + {got}; }}
            __syncwarp({mask}); }}
            {self.random.choice(scope.writable)} += byWarp[tid];
            __syncwarp({mask}); }}""")

    def told(self, scope, mask, narrow):
        """An element for all, that of a lane that is there: it writes, then all read; again and again."""
        i, by, got = self.name("i"), self.name("by"), self.name("got")
        v, element = self.random.choice(scope.writable), f"byWarp[(tid & ~31u) | {by}]"
        who = self.random.choice([f"(unsigned)__ffs({scope.act}) - 1u", f"31u - (unsigned)__clz({scope.act})"])
        total = f"atomicAdd(&{element}, {self.expressions.value(scope, 2)});"
        first, then = ("", total) if self.random.random() < 0.3 else \
            (f"if (lane == {by}) {element} = {self.expressions.value(scope, 2)};", "")
        start = f"if (lane == {by}) {element} = {i};" if then else ""
        return Node(f"""{narrow}{{ const unsigned {by} = {who};
            __syncwarp({mask});
            for (unsigned {i} = 0; {i} < {self.random.randrange(1, 5)}u; ++{i}) {{
            {start} {"FUZZ_FENCE(" + mask + ");" if start else ""}
            {first or then}
            {self.random.choice(["FUZZ_FENCE", "__syncwarp"])}({mask});
            const unsigned {got} = {element};
            FUZZ_STEP({mask});
            {v} = {v} * 3u + {got}; }}
            __syncwarp({mask}); }}""")

    # --- Lanes meet where their ways join -------------------------------------------------------------

    def look(self, scope, target, by=None):
        """A read of what another lane has put there."""
        source = self.name("from")
        by = f"{self.random.randrange(1, 32)}u" if by is None else by
        way = self.random.choice([f"(lane ^ ({by} & 31u))", f"((lane + {by}) & 31u)"])
        return f"const unsigned {source} = {way}; {target} = {target} * 3u + {self.read(scope, source)};"

    def looks(self, scope, target, depth=0):
        kind = self.random.randrange(6 if depth < 2 else 2)
        q = self.name("q")
        condition = self.random.choice([self.expressions.condition(scope), self.expressions.lanes()[0]])
        if kind == 0:
            return f"{{ {self.look(scope, target)} }}"
        if kind == 1:
            return f"{target} += {self.expressions.value(scope, 1)};"
        if kind == 2:
            other = f" else {{ {self.looks(scope, target, depth + 1)} }}" if self.random.random() < 0.5 else ""
            return f"if ({condition}) {{ {self.looks(scope, target, depth + 1)} }}{other}"
        if kind == 3:
            return f"""for (unsigned {q} = 0; {q} < ({self.expressions.value(scope, 1)} & 3u); ++{q}) {{
                {self.looks(scope, target, depth + 1)} {{ {self.look(scope, target, f"({q} + 1u)")} }} }}"""
        if kind == 4:
            leave = self.random.choice(["break", "continue"])
            return f"""for (unsigned {q} = 1; {q} < 16u; {q} *= 2) {{
                if ({self.expressions.test(f"({self.expressions.value(scope, 1)} + {q})")}) {leave};
                {{ {self.look(scope, target, q)} }} }}"""
        return f"""switch (({self.expressions.value(scope, 1)}) & 3u) {{ case 0: {{ {self.look(scope, target)} break; }}
            case 1: {{ {self.looks(scope, target, depth + 1)} break; }} case 2: break;
            default: {{ {self.look(scope, target)} }} }}"""

    def rounds(self, scope, mask, narrow):
        i, r, sum_ = self.name("i"), self.name("r"), self.name("sum")
        count = self.random.randrange(1, 5)
        head = self.random.choice([f"for (unsigned {i} = 0; {i} < {count}u; ++{i}) {{ const unsigned {r} = {i};",
                                   f"for (unsigned {i} = lane; {i} < {count * 32}u; {i} += 32) {{ const unsigned {r} = {i} / 32u;"])
        looks = " ".join(self.looks(scope, sum_) for _ in range(self.random.randrange(1, 3)))
        return Node(f"""{narrow}{{ unsigned {sum_} = 0;
            __syncwarp({mask});
            {head}
            byWarp[tid] = {self.expressions.value(scope, 1)} + {r} * 77u;
            FUZZ_FENCE({mask});
            {looks}
            FUZZ_STEP({mask}); }}
            __syncwarp({mask});
            {self.random.choice(scope.writable)} ^= {sum_}; }}""")
