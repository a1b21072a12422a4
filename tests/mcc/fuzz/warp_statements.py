"""Statements in which lanes of a warp work together. What they give is defined: results of lanes that do
not take part are not used, and all lanes of a mask reach the operation."""
from lane_statements import LaneStatements
from scope import ORDER, WARP
from tree import Node

SHUFFLES = ["__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__shfl_sync"]
TYPES = {"unsigned": "{}", "int": "(int){}", "float": "(float)({} & 0xffffu)", "double": "(double){}",
         "unsigned long long": "((unsigned long long){} << 20 ^ q)", "long long": "(long long)(q - {})"}
BACK = {"unsigned": "{}", "int": "(unsigned){}", "float": "(unsigned){}", "double": "(unsigned){}",
        "unsigned long long": "(unsigned)({0} ^ {0} >> 32)", "long long": "(unsigned)({0} ^ {0} >> 32)"}


class WarpStatements:
    def __init__(self, random, expressions, name):
        self.random, self.expressions, self.name = random, expressions, name
        self.lanes = LaneStatements(random, expressions, name)

    def statement(self, scope):
        lanes = [self.lanes.statement] * 2 if self.lanes is not None else []
        return self.random.choice([self.shuffle, self.shuffle, self.shuffle, self.vote, self.match, self.reduction,
                                   self.butterfly, self.exchange, self.active] + lanes)(scope)

    def mask(self, scope):
        return self.random.choice(scope.masks)

    def shuffle(self, scope):
        form = self.random.randrange(4)
        kind = self.random.choice(list(TYPES))
        value, by, width, source, result = (self.name(x) for x in ("x", "by", "w", "from", "got"))
        if self.random.random() < 0.3:  # different lanes ask for different things
            bits = f"(int)({self.expressions.value(scope, 2)} & 31u)"
        else:
            bits = f"{self.random.choice([0, 1, 2, 3, 4, 8, 15, 16, 31])}"
        widths = [str(1 << self.random.randrange(6)), "32", f"1 << ({self.expressions.uniform(scope)}) % 6u"]
        v = self.random.choice(scope.writable)
        return Node(f"""{{ {kind} {value} = {TYPES[kind].format(self.expressions.value(scope, 2))};
            const int {by} = {bits}, {width} = {self.random.choice(widths)};
            const unsigned {source} = shuffledFrom({form}, lane, {by}, {width});
            {kind} {result} = {SHUFFLES[form]}({self.mask(scope)}, {value}, {by}, {width});
            {v} += (({scope.act} >> {source}) & 1u) != 0 ? {BACK[kind].format(result)} : 17u; }}""")

    def butterfly(self, scope):
        """The usual loop of shuffles."""
        x, offset, other, mask = self.name("x"), self.name("o"), self.name("y"), self.mask(scope)
        form, go = self.random.choice([("__shfl_xor_sync", 2), ("__shfl_down_sync", 1), ("__shfl_up_sync", 0)])
        head = self.random.choice([f"for (unsigned {offset} = 16; {offset} > 0; {offset} /= 2) {{",
                                   f"for (unsigned {offset} = 1; {offset} < 32; {offset} *= 2) {{"])
        return Node(f"""{{ unsigned {x} = {self.expressions.value(scope, 2)};
            {head}
            const unsigned {other} = {form}({mask}, {x}, {offset}, 32);
            if ((({scope.act} >> shuffledFrom({go}, lane, {offset}, 32)) & 1u) != 0) {x} += {other}; }}
            {self.random.choice(scope.writable)} ^= {x}; }}""")

    def vote(self, scope):
        op = self.random.choice(["__ballot_sync", "__all_sync", "__any_sync"])
        test = self.random.choice([self.expressions.condition(scope), self.expressions.lanes()[0], "true"])
        zero = " != 0" if op != "__ballot_sync" else ""
        return Node(f"{self.random.choice(scope.writable)} += (unsigned)({op}({self.mask(scope)}, {test}){zero});")

    def match(self, scope):
        v = self.random.choice(scope.writable)
        value = f"{self.expressions.value(scope, 2)} & {self.random.choice([0, 1, 3, 7])}u"
        if self.random.random() < 0.3:
            value = f"((unsigned long long)({value}) << 33)"
        if self.random.random() < 0.6:
            return Node(f"{v} ^= __match_any_sync({self.mask(scope)}, {value});")
        all_ = self.name("all")
        return Node(f"""{{ int {all_}; const unsigned {all_}m = __match_all_sync({self.mask(scope)}, {value}, &{all_});
            {v} += {all_}m + ({all_} != 0 ? 5u : 0u); }}""")

    def reduction(self, scope):
        op = self.random.choice(["add", "min", "max", "and", "or", "xor"])
        sign = "(int)" if op in ("add", "min", "max") and self.random.random() < 0.5 else ""
        return Node(f"{self.random.choice(scope.writable)} ^= (unsigned)__reduce_{op}_sync({scope.act}, "
                    f"{sign}({self.expressions.value(scope, 2)}));")

    def exchange(self, scope):
        """Through shared memory of the group of lanes."""
        by, source, got, mask = self.name("by"), self.name("from"), self.name("got"), self.mask(scope)
        # On 128 lanes __syncwarp means all groups, which need not be here, nor have the same mask.
        whole = mask == "0xffffffffu" and ORDER[scope.together] >= ORDER[WARP]
        narrow = "" if whole else "if (warpSize == 32) "
        return Node(f"""{narrow}{{ byWarp[tid] = {self.expressions.value(scope, 2)};
            __syncwarp({mask});
            const unsigned {by} = {self.expressions.value(scope, 1)} & 31u, {source} = lane ^ {by};
            const unsigned {got} = (({scope.act} >> {source}) & 1u) != 0 ? byWarp[(tid & ~31u) | {source}] : {by};
            __syncwarp({mask});
            {self.random.choice(scope.writable)} += {got}; }}""")

    def active(self, scope):
        """The caller is one of those that are active, whoever else is."""
        return Node(f"{self.random.choice(scope.writable)} += __activemask() >> lane & 1u;")
