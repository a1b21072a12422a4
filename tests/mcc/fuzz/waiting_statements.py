"""Statements in which threads wait for each other by polling: locks, semaphores and barriers of their own, with a barrier of
the block behind. Threads go on by themselves, so all get a turn, whatever the order; sums say nothing of it."""
from tree import Node

PLACES = 3  # of the semaphore


def declarations():
    return ("__shared__ unsigned turns, lockWord, nextTicket, served; __shared__ volatile unsigned serving, underLock; "
            "__shared__ unsigned arrivals;",
            f"if (tid == 0) {{ turns = {PLACES}u; lockWord = nextTicket = serving = served = underLock = arrivals = 0; }}")


class WaitingStatements:
    """All living threads of the block reach these statements."""

    def __init__(self, random, expressions, name, takes_places):
        self.random, self.expressions, self.name = random, expressions, name
        self.forms = [self.semaphore, self.semaphore, self.lock, self.ticket, self.own_barrier]
        if takes_places:
            self.forms += [self.places, self.places]

    def statement(self, scope):
        return self.random.choice(self.forms)(scope)

    def some(self, scope, text):
        """Of all threads, or of some."""
        roll = self.random.random()
        if roll < 0.5:
            return text
        test = self.expressions.lanes()[0] if roll < 0.7 else self.expressions.condition(scope)
        return f"if ({test}) {{ {text} }}"

    def behind(self, scope, text, total):
        v = self.random.choice(scope.writable)
        return Node(f"""{{ {self.some(scope, text)}
            __syncthreads();
            {v} {self.random.choice(['+=', '^='])} {total};
            __syncthreads(); }}""")

    def serve(self, scope):
        return f"atomicAdd(&served, {self.expressions.value(scope, 1)});"

    def semaphore(self, scope):
        """As libcu++ writes it: try, retry the exchange while places are left, else poll the count."""
        mine, old, was = self.name("mine"), self.name("old"), self.name("was")
        take = f"const unsigned {was} = atomicCAS(&turns, {old}, {old} - 1u); if ({was} == {old}) {{ {mine} = true; break; }} {old} = {was};"
        first = f"if ({old} != 0) {{ do {{ {take} }} while (false); }}" if self.random.random() < 0.5 else ""
        retry = f"while (!{mine} && {old} != 0) {{ {take} }}"
        poll = f"while (!{mine} && *(volatile unsigned*)&turns == 0) FUZZ_POLL();" if self.random.random() < 0.7 else ""
        return self.behind(scope, f"""bool {mine} = false;
            while (!{mine}) {{
            FUZZ_POLL();
            unsigned {old} = *(volatile unsigned*)&turns;
            {first}
            {retry}
            {poll} }}
            {self.serve(scope)}
            atomicAdd(&turns, 1u);""", "served")

    def lock(self, scope):
        """What it guards is no atomic."""
        taken = self.random.choice(["atomicCAS(&lockWord, 0u, 1u) != 0", "atomicExch(&lockWord, 1u) != 0"])
        free = self.random.choice(["atomicExch(&lockWord, 0u);", "*(volatile unsigned*)&lockWord = 0;"])
        wait = self.random.choice([f"while ({taken}) FUZZ_POLL();",
                                   f"while ({taken}) {{ while (*(volatile unsigned*)&lockWord != 0) FUZZ_POLL(); }}",
                                   f"do {{ while (*(volatile unsigned*)&lockWord != 0) FUZZ_POLL(); }} while ({taken});"])
        value = self.name("value")
        return self.behind(scope, f"""const unsigned {value} = {self.expressions.value(scope, 2)};
            {wait}
            __threadfence_block();
            underLock = underLock + {value};
            __threadfence_block();
            {free}""", "underLock")

    def ticket(self, scope):
        mine, value = self.name("ticket"), self.name("value")
        return self.behind(scope, f"""const unsigned {value} = {self.expressions.value(scope, 2)};
            const unsigned {mine} = atomicAdd(&nextTicket, 1u);
            while (serving != {mine}) FUZZ_POLL();
            underLock = underLock + {value};
            __threadfence_block();
            serving = {mine} + 1u;""", "underLock + serving")

    def places(self, scope):
        """Each takes a place of its own by an atomic update: who has which, nothing says."""
        base, living, mine, step = self.name("base"), self.name("living"), self.name("place"), self.name("step")
        return Node(f"""{{ const unsigned {base} = *(volatile unsigned*)&arrivals, {step} = {self.expressions.uniform(scope, 1)};
            const unsigned {living} = (unsigned)__syncthreads_count(1), {mine} = atomicAdd(&arrivals, 1u) - {base};
            __syncthreads();
            byBlock[{mine}] = {mine} * 7u + {step};
            __syncthreads();
            {self.random.choice(scope.writable)} += byBlock[tid % {living}];
            __syncthreads(); }}""")

    def own_barrier(self, scope):
        """All come, then read what others wrote before."""
        goal, came, got = self.name("goal"), self.name("came"), self.name("got")
        poll = self.random.choice([f"while ((int)(*(volatile unsigned*)&arrivals - {goal}) < 0) FUZZ_POLL();",
                                   f"for (unsigned {came} = atomicAdd(&arrivals, 0u); (int)({came} - {goal}) < 0; "
                                   f"{came} = *(volatile unsigned*)&arrivals) FUZZ_POLL();"])
        return Node(f"""{{ unsigned {goal} = *(volatile unsigned*)&arrivals;
            {goal} += (unsigned)__syncthreads_count(1);
            byBlock[tid] = {self.expressions.value(scope, 2)};
            __threadfence_block();
            atomicAdd(&arrivals, 1u);
            {poll}
            __threadfence_block();
            const unsigned {got} = *(volatile unsigned*)&byBlock[{self.expressions.value(scope, 1)} % n];
            __syncthreads();
            {self.random.choice(scope.writable)} += {got}; }}""")
