"""What kinds of operations there are: which are computed where their result is used, and what a repetition costs."""
import functools

# Another index into what there is, or nothing to read at all.
VIEWS = {'tt.splat', 'tt.make_range', 'tt.expand_dims', 'tt.broadcast', 'tt.reshape', 'tt.trans', 'tt.join', 'tt.split',
         'arith.constant', 'ub.poison'}

# An element of the result for an element of each operand; tt.load reads memory, so it is not moved across a write.
_TRITON = {'tt.addptr', 'tt.bitcast', 'tt.fp_to_fp', 'tt.int_to_ptr', 'tt.ptr_to_int', 'tt.clampf', 'tt.mulhiui', 'tt.precise_sqrt',
           'tt.precise_divf', 'tt.approx_divf', 'tt.extern_elementwise', 'tt.load'}

WRITES = {'tt.store', 'tt.atomic_rmw', 'tt.atomic_cas', 'tt.atomic_store', 'tt.atomic_load', 'tt.atomic_poll', 'tt.call', 'ttg.barrier',
          'gpu.barrier', 'tt.barrier'}

# Operands that are each read in a loop of their own: what two of them need is needed twice.
OWN_LOOPS = {'scf.yield', 'scf.condition', 'scf.for', 'scf.while', 'cf.br', 'cf.cond_br', 'tt.dot', 'tt.dot_scaled', 'tt.cat', 'tt.print',
             'tt.gather', 'tt.histogram'}

_CHEAP = {'arith.addi': 1, 'arith.subi': 1, 'arith.muli': 1, 'arith.andi': 1, 'arith.ori': 1, 'arith.xori': 1, 'arith.cmpi': 1,
          'arith.extsi': 1, 'arith.extui': 1, 'arith.trunci': 1, 'arith.select': 1, 'arith.shli': 2, 'arith.shrsi': 2, 'arith.shrui': 2,
          'arith.index_cast': 1, 'tt.addptr': 1, 'arith.minsi': 1, 'arith.maxsi': 1, 'arith.divsi': 3, 'arith.remsi': 3, 'arith.divui': 3,
          'arith.remui': 3, 'tt.bitcast': 1, 'tt.int_to_ptr': 1, 'tt.ptr_to_int': 1}
MOST_REPEATED = 16


def is_view(operation):
    return operation.name in VIEWS


def is_elementwise(operation):
    return operation.name.startswith(('arith.', 'math.')) and operation.name not in VIEWS or operation.name in _TRITON


def is_lazy(operation):
    return len(operation.results) == 1 and is_elementwise(operation) or is_view(operation)


def own_cost(operation):
    """Of computing an element again; None for what is computed once."""
    if is_view(operation):
        return 0
    result = operation.result.type
    return _CHEAP.get(operation.name) if result.is_integer or result.is_pointer else None


@functools.lru_cache(maxsize=None)
def writes(operation):
    """Whether it, or what is within, may change memory."""
    return any(inner.name in WRITES for inner in operation.walk())
