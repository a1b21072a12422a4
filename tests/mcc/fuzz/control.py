"""Control flow around the statements, with the lanes that are there kept in a variable."""
from tree import Node
from scope import ACT, BLOCK, ORDER, WARP

MAX_DEPTH, MAX_LOOPS = 4, 2


class ControlFlow:
    def __init__(self, random, expressions, warp, block, partial, name):
        self.random, self.expressions, self.warp, self.block, self.name = random, expressions, warp, block, name
        self.partial = partial

    def statements(self, scope, count):
        nodes = []
        for _ in range(count):
            node, returned = self.one(scope)
            if returned:
                # Those who have returned are missing from now on.
                scope.returned = True
                if scope.warp_ops:
                    node = Node([node], f"{scope.act} = __ballot_sync({scope.act}, 1);")
            nodes.append(node)
        return nodes

    def body(self, scope, smallest=1, largest=4):
        return self.statements(scope, self.random.randint(smallest, largest))

    def one(self, scope):
        roll = self.random.random()
        if scope.depth < MAX_DEPTH and roll < 0.33:
            return self.nested(scope)
        if scope.together == BLOCK and roll < 0.62:
            return self.block.statement(scope), False
        if scope.warp_ops and roll < 0.8:
            return self.warp.statement(scope), False
        return self.plain(scope), False

    def nested(self, scope):
        if scope.together == BLOCK and scope.loops < MAX_LOOPS and self.random.random() < 0.2:
            return self.partial.statement(scope, lambda inner: self.body(inner, 1, 3)), False
        forms = [self.branch, self.branch, self.branch, self.switch]
        if scope.loops < MAX_LOOPS:
            forms += [self.counted_loop, self.lane_loop, self.free_loop]
        if scope.returns:
            forms.append(self.leave)
        return self.random.choice(forms)(scope)

    # --- One thread's own -------------------------------------------------------------------------

    def plain(self, scope):
        e, v = self.expressions, self.random.choice(scope.writable)
        a = e.value(scope)
        roll = self.random.randrange(9)
        if roll == 0:
            return Node(f"p[{e.value(scope, 1)} & 7] {self.random.choice(['=', '+=', '^='])} {a};")
        if roll == 1:
            return Node(f"q = q * 6364136223846793005ull + {a};")
        if roll == 2:
            return Node(f"f = (float)((unsigned)f & 0xffffu) + (float)({a} & 0xfffu);")
        if roll == 3:
            return Node(f"g = (double)((unsigned)g >> 1) + (double)({a} >> 8);")
        if roll == 4:
            return Node(f"s.{self.random.choice(['a', 'b', 'd[lane % 5u]', 'd[0]'])} += {a};")
        if roll == 5 and scope.exits:
            return Node(f"if ({e.condition(scope)}) {self.random.choice(['break', 'continue'])};")
        if roll == 6:
            local = self.name("t")
            scope.readable.append(local)
            scope.writable.append(local)
            return Node(f"unsigned {local} = {a};")
        return Node(f"{v} {self.random.choice(['=', '+=', '^=', '-='])} {a};")

    # --- Branches ---------------------------------------------------------------------------------

    def uniform_test(self, scope):
        """A condition on which those who are together agree, and who is together behind it."""
        kind = self.random.choice([BLOCK, BLOCK, WARP, ACT, "vote"])
        e = self.expressions
        if kind == "vote" and scope.warp_ops:
            op = self.random.choice(["__any_sync", "__all_sync"])
            return f"{op}({scope.act}, {e.condition(scope)})", ACT
        value = {BLOCK: e.uniform, WARP: e.of_warp}.get(kind, e.of_group)(scope)
        return e.test(value), ACT if kind == "vote" else kind

    def branch(self, scope):
        if self.random.random() < 0.5:
            test, together = self.uniform_test(scope)
            first, second = scope.inside(together), scope.inside(together)
            nodes = [f"if ({test}) {{", self.body(first)]
            if self.random.random() < 0.5:
                nodes += ["} else {", self.body(second)]
            return Node(*nodes, "}"), first.returned or second.returned
        if not scope.warp_ops:
            first, second = scope.inside(ACT), scope.inside(ACT)
            return Node(f"if ({self.expressions.condition(scope)}) {{", self.body(first), "} else {",
                        self.body(second), "}"), first.returned or second.returned
        return self.parting_branch(scope)

    def parting_branch(self, scope):
        test, constant = self.expressions.condition(scope), None
        if self.random.random() < 0.4:
            test, constant = self.expressions.lanes()
            if "0xffffffffu" not in scope.masks:
                constant = None
        holds, mask, other = self.name("c"), self.name("m"), self.name("m")
        masks = [mask] if constant is None else [mask, f"0x{constant:08x}u"]
        others = [other] if constant is None else [other, f"0x{constant ^ 0xffffffff:08x}u"]
        first = scope.inside(ACT, act=mask, masks=masks)
        second = scope.inside(ACT, act=other, masks=others)
        return Node(f"""{{ const bool {holds} = {test};
            unsigned {mask} = __ballot_sync({self.warp.mask(scope)}, {holds}), {other} = {scope.act} & ~{mask};
            if ({holds}) {{""", self.body(first), "} else {", self.body(second, 0, 3), "} }"), \
            first.returned or second.returned

    def switch(self, scope):
        ways = self.random.randint(2, 5)
        if self.random.random() < 0.4 or not scope.warp_ops:
            uniform = scope.warp_ops or self.random.random() < 0.5
            value = self.expressions.uniform(scope) if uniform else self.expressions.value(scope, 2)
            inner = [scope.inside(BLOCK if uniform else ACT, exits=None) for _ in range(ways)]
            parts = [f"switch (({value}) % {ways + 1}u) {{"]
            for i, arm in enumerate(inner):
                parts += [f"case {i}: {{", self.body(arm, 1, 3), self.random.choice(["} break;", "} break;", "} [[fallthrough]];"])]
            parts += ["default: break; }"]
            return Node(*parts), any(arm.returned for arm in inner)
        mask, value = self.name("m"), self.name("k")
        inner = [scope.inside(ACT, act=mask, masks=[mask], exits=None) for _ in range(ways)]
        parts = [f"""{{ const unsigned {value} = {self.expressions.value(scope, 2)} % {ways}u;
            unsigned {mask} = __match_any_sync({self.warp.mask(scope)}, {value});
            switch ({value}) {{"""]
        for i, arm in enumerate(inner):
            parts += [f"case {i}: {{" if i < ways - 1 else "default: {", self.body(arm, 1, 3), "} break;"]
        return Node(*parts, "} }"), any(arm.returned for arm in inner)

    # --- Loops -----------------------------------------------------------------------------------

    def counted_loop(self, scope):
        """All who are together go round equally often."""
        e, i = self.expressions, self.name("i")
        kind = self.random.choice([BLOCK, BLOCK, WARP, ACT])
        trips = {BLOCK: e.uniform, WARP: e.of_warp, ACT: e.of_group}[kind](scope)
        inner = scope.inside(kind, loops=scope.loops + 1, exits=None)
        inner.readable.append(i)
        if ORDER[inner.together] == ORDER[BLOCK]:
            inner.uniform.append(i)
        body = self.body(inner)
        if self.random.random() < 0.3:
            body.insert(self.random.randrange(len(body) + 1),
                        Node(f"if ({e.test(e.uniform(scope))}) {self.random.choice(['break', 'continue'])};"))
        head = self.random.choice([
            f"{{ const unsigned {i}_end = ({trips}) & 3u; for (unsigned {i} = 0; {i} <= {i}_end; ++{i}) {{",
            f"{{ for (unsigned {i} = 1u + (({trips}) & 3u); {i} != 0; --{i}) {{" if kind != BLOCK else
            f"{{ for (unsigned {i} = 0; {i} < (({trips}) & 3u) + 1u && {i} < 4u; ++{i}) {{",
        ])
        return Node(head, body, "} }"), inner.returned

    def lane_loop(self, scope):
        """Lanes leave one after another; those who stay work together."""
        if not scope.warp_ops:
            return self.free_loop(scope)
        c, here, mask = self.name("c"), self.name("h"), self.name("m")
        inner = scope.inside(ACT, loops=scope.loops + 1, act=mask, masks=[mask], exits=None)
        body = self.body(inner)
        leaving = self.random.choice([None, "break", "continue"])
        if leaving is not None:
            out = self.name("out")
            fix = f"{mask} &= ~{out}; {here} &= ~{out};" if leaving == "break" else f"{mask} &= ~{out};"
            going = scope.inside(ACT, loops=scope.loops + 1, act=out, masks=[out], exits=None, returns=False)
            node = Node(f"""{{ const bool {out}c = {self.expressions.condition(scope)};
                unsigned {out} = __ballot_sync({mask}, {out}c);
                if ({out}c) {{""", self.body(going, 0, 2), f"{leaving}; }}", f"{fix} }}")
            # Who returned or went on below is missing in the mask that those who stay would use.
            if not inner.returned:
                body.insert(self.random.randrange(len(body) + 1), node)
        return Node(f"""{{ unsigned {c} = {self.expressions.value(scope, 2)} % 4u, {here} = {scope.act};
            for (;;) {{
            {here} = __ballot_sync({here}, {c} != 0);
            if ({c} == 0) break;
            --{c};
            unsigned {mask} = {here};""", body, "} }"), inner.returned

    def free_loop(self, scope):
        """Every thread for itself: leaves, goes on and returns where it likes."""
        c = self.name("c")
        inner = scope.inside(ACT, loops=scope.loops + 1, exits="any", warp_ops=False)
        trips = f"{self.expressions.value(scope, 2)} % {self.random.randint(2, 9)}u"
        form = self.random.randrange(3)
        heads = [f"{{ for (unsigned {c} = {trips}; {c} != 0; --{c}) {{",
                 f"{{ unsigned {c} = {trips}; while ({c}-- != 0) {{",
                 f"{{ unsigned {c} = {trips}; do {{"]
        tails = ["} }", "} }", f"}} while ({c}-- != 0 && {c} < 9u); }}"]
        inner.readable.append(c)
        body = self.body(inner, 1, 5)
        return Node(heads[form], body, tails[form]), inner.returned

    # --- The end of a thread --------------------------------------------------------------------

    def leave(self, scope):
        end = "finish(out, thread, {{v0, v1, v2, v3}, q, f, g}, p, s); return;"
        if self.random.random() < 0.6:
            return self.plain(scope), False
        if self.random.random() < 0.3:
            test, _ = self.uniform_test(scope)
            if not test.startswith("__"):
                return Node(f"if ({test} && ({self.expressions.uniform(scope)} & 3u) == 0) {{ {end} }}"), True
        if not scope.warp_ops:
            return Node(f"if ({self.expressions.condition(scope)}) {{ {end} }}"), True
        test = self.random.choice([self.expressions.condition(scope), self.expressions.lanes()[0]])
        return Node(f"if ({test}) {{ {end} }}"), True
