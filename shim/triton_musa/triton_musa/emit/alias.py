"""Which values of a loop's next turn are computed in the place of this turn's."""
from triton_musa.emit import kinds

_ELEMENT_BY_ELEMENT = {'tt.dot': 2}  # which operand is read at the place that is written next


def carried(plan, ending, arguments):
    """({value: argument whose array it shares}, {arguments whose new value is written over them at the loop's end})."""
    shared, in_place = {}, set()
    for place, (argument, value) in enumerate(zip(arguments, ending.operands)):
        if not argument.type.shape or value is argument or list(ending.operands).count(value) > 1:
            continue
        operation = value.operation
        if operation is None or operation.block is not ending.block:
            continue
        sites = plan.places(argument)
        if value in plan.arrays or operation.name in _ELEMENT_BY_ELEMENT:
            if operation.name in _ELEMENT_BY_ELEMENT and operation.result.type.element not in ('f32', 'f64', 'i32'):
                continue
            if all(_is_before(site, operation) or _is_own(site, operation, argument) for site in sites):
                shared[value] = argument
        elif kinds.is_elementwise(operation):
            if all(site == (ending, place) or _is_before(site[0], ending) and site[0] is not ending for site in sites) and \
                    _is_plain(value, argument, plan):
                in_place.add(argument)
    return shared, in_place


def _is_before(site, operation):
    user = site[0] if isinstance(site, tuple) else site
    last = max(inner.position for inner in _outer(user, operation.block).walk())
    return last < operation.position


def _outer(user, block):
    """The operation of the block that the user is, or is in."""
    while user.block is not block:
        user = user.block.region.operation
    return user


def _is_own(site, operation, argument):
    user, place = site
    if user is not operation:
        return False
    if operation.name in _ELEMENT_BY_ELEMENT:
        wanted = _ELEMENT_BY_ELEMENT[operation.name]
        return place == wanted and _is_plain(operation.operands[wanted], argument, None)
    return _is_plain(operation.result, argument, None)


def _is_plain(value, argument, plan, seen=None):
    """Whether an element of the value is computed of none but the same element of the argument."""
    seen = set() if seen is None else seen
    if value is argument or value in seen:
        return True
    seen.add(value)
    operation = value.operation
    if operation is None or not kinds.is_lazy(operation) or plan is not None and value in plan.arrays or kinds.is_view(operation):
        return not _reads(value, argument, plan, set())
    return all(_is_plain(operand, argument, plan, seen) for operand in operation.operands)


def _reads(value, argument, plan, seen):
    if value is argument:
        return True
    operation = value.operation
    if value in seen or operation is None or not kinds.is_lazy(operation) or plan is not None and value in plan.arrays:
        return False
    seen.add(value)
    return any(_reads(operand, argument, plan, seen) for operand in operation.operands)
