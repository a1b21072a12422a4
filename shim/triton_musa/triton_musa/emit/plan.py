"""Which tensors become arrays, and which are computed within the loops that use them."""
from triton_musa.emit import kinds

_REPEATED = object()  # stands for more uses than one


_OFFSET_ARITHMETIC = ('arith.addi', 'arith.subi', 'arith.muli', 'arith.extsi')


def _mark_offset(value):
    """Marks the sums and products that a pointer's offset is computed by. They do not overflow, as Triton assumes as well where it
    joins accesses to neighbours."""
    operation = value.operation
    if operation is None or operation.is_offset or not (operation.name in _OFFSET_ARITHMETIC or kinds.is_view(operation)):
        return
    operation.is_offset = True
    for operand in operation.operands:
        _mark_offset(operand)


class Plan:
    """arrays: the values that are written into an array where they are defined. sites: for each tensor, the loops that read it,
    as (operation, place)."""

    def __init__(self, function):
        operations = []
        for position, operation in enumerate(function.walk()):
            operation.position = position
            operations.append(operation)
        for operation in operations:
            if operation.name == 'tt.addptr':
                _mark_offset(operation.operands[1])
        self.cost, self.arrays, self.sites = {}, set(), {}
        for operation in operations:
            self._forward(operation)
        for operation in reversed(operations):
            for value in operation.results:
                self._backward(operation, value)
            for region in operation.regions:
                for block in region.blocks:
                    for value in block.arguments:
                        self.sites[value] = self._sites(value)

    def _forward(self, operation):
        if not kinds.is_lazy(operation):
            return
        own = kinds.own_cost(operation)
        total = None if own is None else own + sum(self.cost.get(value) or 0 for value in operation.operands)
        self.cost[operation.result] = total if total is not None and total <= kinds.MOST_REPEATED else None

    def _sites(self, value):
        sites = set()
        for user, place in value.users:
            if kinds.is_lazy(user) and not (user.results[0] in self.arrays) and user.results[0].type.shape:
                for result in user.results:
                    sites |= self.sites[result]
                if user.name == 'tt.broadcast':
                    sites.add(_REPEATED)
            elif kinds.is_lazy(user) or user.name not in kinds.OWN_LOOPS:
                sites.add((user, 0))
            else:
                sites.add((user, place))
        return sites

    def _backward(self, operation, value):
        sites = self.sites[value] = self._sites(value)
        if not value.type.shape or not kinds.is_lazy(operation) or kinds.is_view(operation) or not sites:
            return
        if operation.name != 'tt.load' and self.cost[value] is not None:
            return
        if len(sites) > 1 or _REPEATED in sites:
            self.arrays.add(value)
            return
        site = next(iter(sites))[0]
        if site.block is not operation.block or (operation.name == 'tt.load' and self._written_between(operation, site)):
            self.arrays.add(value)

    def _written_between(self, operation, site):
        inside = False
        for other in operation.block.operations:
            if other is operation:
                inside = True
            elif other is site:
                return bool(site.regions) and kinds.writes(site)
            elif inside and kinds.writes(other):
                return True
        return True

    def places(self, value):
        """The sites of a value without the mark of repetition."""
        return [site for site in self.sites.get(value, ()) if site is not _REPEATED]
