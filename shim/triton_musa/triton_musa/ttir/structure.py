"""Operations, blocks and values."""


class Value:
    """A result of an operation, or an argument of a block."""
    __slots__ = ('type', 'operation', 'block', 'users')

    def __init__(self, type_, operation=None, block=None):
        self.type, self.operation, self.block = type_, operation, block
        self.users = []  # (operation, place among its operands)


class Block:
    """label: as `bb1`, None for the first of a region that has but one."""
    __slots__ = ('label', 'arguments', 'operations', 'region')

    def __init__(self, label, region):
        self.label, self.region = label, region
        self.arguments, self.operations = [], []


class Region:
    __slots__ = ('blocks', 'operation')

    def __init__(self, operation):
        self.blocks, self.operation = [], operation


class Operation:
    """header: its text without results, types and location. successors: (label, values) of each block it goes to."""

    def __init__(self, name, block):
        self.name, self.block = name, block
        self.results, self.operands, self.regions, self.successors = [], [], [], []
        self.attributes, self.header, self.location = {}, '', None
        self.position, self.is_offset = 0, False

    @property
    def result(self):
        return self.results[0]

    def walk(self):
        """Itself and all within, in the order of the text."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for operation in block.operations:
                    yield from operation.walk()
