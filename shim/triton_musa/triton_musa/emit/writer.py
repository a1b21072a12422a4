"""C++ text in scopes: declarations stand at the start of their scope, so that jumps within it pass no initialisation."""
from contextlib import contextmanager

from triton_musa.emit.index import Index

_MANY_TURNS = 64
_LEAST_INNER = 8  # fewer elements in a row: one loop over all


def rolled(head, turns):
    """A loop's head. Of one with many turns copies of the body, beyond a vector's, are compiled longer than they run shorter."""
    return f'#pragma clang loop unroll(disable)\n{head}' if turns >= _MANY_TURNS else head


class Writer:
    def __init__(self):
        self.scopes = [([], [])]
        self.names_given = 0
        self.place = None

    def fresh(self, prefix):
        self.names_given += 1
        return f'{prefix}{self.names_given}'

    def line(self, text):
        self.scopes[-1][1].append(text)

    def at(self, place):
        """What follows comes from (file, line) of Python's."""
        if place and place != self.place:
            self.place = place
            file = place[0].replace('\\', '\\\\').replace('"', '\\"')
            self.line(f'#line {place[1]} "{file}"')

    def declare(self, code, prefix='v', count=None):
        """The name of a new variable; an array with a count of elements."""
        name = self.fresh(prefix)
        self.scopes[-1][0].append(f'{code} {name};' if count is None else f'alignas(64) {code} {name}[{count}];')
        return name

    @contextmanager
    def block(self, head=''):
        self.scopes.append(([], []))
        yield
        declarations, lines = self.scopes.pop()
        self.line(f'{head} {{')
        for text in declarations + lines:
            self.line(text)
        self.line('}')

    @contextmanager
    def loop(self, shape):
        """Over all elements of a tensor; gives (Index, Reads)."""
        wide = [size for size in shape if size != 1]
        if len(wide) > 2 and wide[-1] < _LEAST_INNER:
            name = self.fresh('i')
            count = 1
            for size in shape:
                count *= size
            with self.block(rolled(f'for (unsigned {name} = 0; {name} < {count}u; ++{name})', count)):
                yield Index(shape, None, name), {}
            return
        names = ['0' if size == 1 else self.fresh('i') for size in shape]
        with self.nest([(name, size) for name, size in zip(names, shape) if size != 1]):
            yield Index(shape, names), {}

    @contextmanager
    def nest(self, loops):
        """Loops within each other: (name, count) from the outermost."""
        if not loops:
            with self.block():
                yield
            return
        (name, size), *rest = loops
        with self.block(rolled(f'for (int {name} = 0; {name} < {size}; ++{name})', size)):
            if not rest:
                yield
                return
            with self.nest(rest):
                yield

    def text(self):
        declarations, lines = self.scopes[0]
        return '\n'.join(declarations + lines)
