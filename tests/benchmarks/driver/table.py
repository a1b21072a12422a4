"""The kernels and the ways each is written."""
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / 'kernels'
SHAPES = ROOT / 'shapes'


@dataclasses.dataclass(frozen=True)
class Kernel:
    name: str
    folder: str
    defines: tuple = ()
    memory_bound: bool = False   # compared with the OpenMP version by the stricter bar
    shuffles: bool = False       # Debian's PoCL has no sub-groups
    fast_math: bool = False      # the `best` version is built with -ffast-math and vector math functions
    room: pathlib.Path = KERNELS

    @property
    def path(self):
        return self.room / self.folder


@dataclasses.dataclass(frozen=True)
class Variant:
    """One program of a kernel: `column` is what it counts for, `toolchain` what builds it."""
    column: str
    toolchain: str
    source: pathlib.Path
    environment: tuple = ()
    mode: str = ''

    @property
    def name(self):
        parts = [self.column] + [part for part in (self.toolchain, self.mode) if part not in ('mcc', 'opencl', '')]
        return '-'.join(parts)


TABLE = [
    Kernel('saxpy', 'saxpy', memory_bound=True),
    Kernel('matmul16', 'matmul', ('TILE=16',)),
    Kernel('matmul32', 'matmul', ('TILE=32',)),
    Kernel('reduce_shared', 'reduce_shared', memory_bound=True),
    Kernel('reduce_shuffle', 'reduce_shuffle', memory_bound=True, shuffles=True),
    Kernel('transpose', 'transpose', memory_bound=True),
    Kernel('stencil', 'stencil', memory_bound=True),
    Kernel('histogram', 'histogram'),
    Kernel('scan', 'scan', memory_bound=True),
    Kernel('scan_lookback', 'scan_lookback', memory_bound=True, shuffles=True),
    Kernel('nbody', 'nbody', fast_math=True),
    Kernel('mandelbrot', 'mandelbrot'),
    Kernel('softmax', 'softmax', fast_math=True),
    Kernel('layer_norm', 'layer_norm', memory_bound=True, shuffles=True),
    Kernel('spmv', 'spmv', memory_bound=True),
    Kernel('black_scholes', 'black_scholes', fast_math=True),
]

# Shapes that programs have and the kernels above lack, each beside plain OpenMP only.
MORE_SHAPES = [
    Kernel('arc_tangent', 'arc_tangent', room=SHAPES),
    Kernel('background', 'background', room=SHAPES),
    Kernel('cosine', 'cosine', room=SHAPES),
    Kernel('decision_tree', 'decision_tree', room=SHAPES),
    Kernel('hashing', 'hashing', room=SHAPES),
    Kernel('kalman', 'kalman', room=SHAPES),
    Kernel('laplace', 'laplace', memory_bound=True, room=SHAPES),
    Kernel('lattice', 'lattice', room=SHAPES),
    Kernel('number_transform', 'number_transform', room=SHAPES),
    Kernel('perplexity', 'perplexity', room=SHAPES),
    Kernel('quantise', 'quantise', memory_bound=True, room=SHAPES),
    Kernel('rotary', 'rotary', memory_bound=True, room=SHAPES),
    Kernel('sobol', 'sobol', room=SHAPES),
    Kernel('structures', 'structures', ('LAYOUT=0',), memory_bound=True, room=SHAPES),
    Kernel('structures_arrays', 'structures', ('LAYOUT=1',), memory_bound=True, room=SHAPES),
]

POCL_METHODS = ('loopvec', 'workitemrepl', 'auto')
HOST_COMPILERS = ('gcc', 'clang')


def variants(kernel, columns, tools):
    """The programs of a kernel for the wanted columns, as far as sources and tools are there."""
    found = []
    if 'ours' in columns:
        found.append(Variant('ours', 'mcc', kernel.path / 'ours.mu'))
    for column in ('split', 'openmp', 'best'):
        source = kernel.path / f'{column}.cpp'
        if column in columns and source.exists():
            found += [Variant(column, compiler, source) for compiler in HOST_COMPILERS if compiler in tools]
    source = kernel.path / 'pocl.cpp'
    if 'pocl' in columns and 'opencl' in tools and source.exists():
        found += [Variant('pocl', 'opencl', source, (('POCL_WORK_GROUP_METHOD', method),), method)
                  for method in POCL_METHODS]
    return found
