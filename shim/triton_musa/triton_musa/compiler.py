"""The compiler's class that Triton asks for: TTIR, then MUSA C++, then an image."""
import functools
import hashlib
import pathlib
from dataclasses import dataclass
from typing import Optional, Tuple

from triton import knobs
from triton._C.libtriton import ir, passes
from triton.backends.compiler import BaseBackend, GPUTarget, Language

from triton_musa import toolkit
from triton_musa.emit.module import source
from triton_musa.errors import Unsupported


@dataclass(frozen=True)
class MUSAOptions:
    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 32
    maxnreg: Optional[int] = None
    ir_override: Optional[str] = None
    enable_fp_fusion: bool = True
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    supported_fp8_dtypes: Tuple[str, ...] = ('fp8e4b8', 'fp8e4nv', 'fp8e5', 'fp8e5b16')
    deprecated_fp8_dot_operand_dtypes: Tuple[str, ...] = ()
    default_dot_input_precision: str = 'tf32'
    allowed_dot_input_precisions: Tuple[str, ...] = ('tf32', 'tf32x3', 'ieee', 'bf16x3', 'bf16x6')
    max_num_imprecise_acc_default: int = 0
    extern_libs: Optional[tuple] = None
    debug: bool = False
    backend_name: str = 'musa'
    sanitize_overflow: bool = True
    arch: Optional[str] = None
    instrumentation_mode: str = ''
    fpsan_homomorphic_casts: bool = False  # Triton names it with every launch

    def __post_init__(self):
        if self.num_warps <= 0 or self.num_warps & (self.num_warps - 1):
            raise AssertionError('num_warps must be a power of 2')
        if self.num_ctas != 1:
            raise ValueError('num_ctas greater than 1 is not supported on musa, which has no clusters of blocks')
        if self.instrumentation_mode:
            raise ValueError(f'instrumentation_mode={self.instrumentation_mode!r} is not supported on musa; racecheck and the checks of '
                             'memory of the SDK work on Triton kernels, too')

    def hash(self):
        key = '_'.join(f'{name}-{value}' for name, value in sorted(self.__dict__.items()))
        return hashlib.sha256(key.encode()).hexdigest()


def _least_dot(left, right):
    """The least sizes (m, n, k) of a dot's operands."""
    return 1, 1, 1


@functools.lru_cache(maxsize=None)
def _own_files():
    digest = hashlib.sha256()
    folder = pathlib.Path(__file__).resolve().parent
    for path in sorted([*folder.glob('**/*.py'), *folder.glob('include/*')]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class MUSABackend(BaseBackend):
    binary_ext = 'mubin'

    @staticmethod
    def supports_target(target: GPUTarget):
        return target.backend == 'musa'

    def hash(self):
        return f'{_own_files()}-{toolkit.version()}-{self.target.arch}'

    def get_target_name(self, options):
        return f'musa:{self.target.arch}'

    def parse_options(self, options):
        known = {name: options[name] for name in MUSAOptions.__dataclass_fields__ if options.get(name) is not None}
        known.setdefault('arch', f'mp_{self.target.arch}')
        known['warp_size'] = self.target.warp_size
        fused = getattr(knobs.language, 'fp_fusion_enabled', None)
        if fused is not None:
            known['enable_fp_fusion'] = fused(known.get('enable_fp_fusion', True))
        elif 'enable_fp_fusion' not in known:
            known['enable_fp_fusion'] = knobs.language.default_fp_fusion
        if isinstance(known.get('extern_libs'), dict):
            known['extern_libs'] = tuple(sorted(known['extern_libs'].items()))
        return MUSAOptions(**known)

    def pack_metadata(self, metadata):
        return metadata.num_warps, metadata.num_ctas, metadata.shared

    def get_codegen_implementation(self, options):
        return {'min_dot_size': _least_dot}

    def get_module_map(self):
        from triton.language.extra.musa import libdevice
        return {'triton.language.extra.libdevice': libdevice}

    def load_dialects(self, context):
        """None beyond Triton's own."""

    def add_stages(self, stages, options, language):
        if language != Language.TRITON:
            raise Unsupported('Gluon kernels are not supported on musa: they name the layouts of other devices')
        stages['ttir'] = lambda module, metadata: self._ttir(module)
        stages['mu'] = lambda module, metadata: self._source(module, metadata)
        stages['mubin'] = lambda text, metadata: self._image(text, metadata, options)

    @staticmethod
    def _ttir(module):
        manager = ir.pass_manager(module.context)
        manager.enable_debug()
        passes.common.add_inliner(manager)
        if hasattr(passes.ttir, 'add_rewrite_tensor_pointer'):  # block pointers, which Triton has until 3.8
            passes.ttir.add_rewrite_tensor_pointer(manager)
        passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
        passes.common.add_canonicalizer(manager)
        passes.ttir.add_combine(manager)
        passes.ttir.add_reorder_broadcast(manager)
        passes.common.add_cse(manager)
        passes.ttir.add_triton_licm(manager)
        passes.common.add_symbol_dce(manager)
        passes.ttir.add_loop_unroll(manager)
        manager.run(module, 'make_ttir')
        return module

    @staticmethod
    def _source(module, metadata):
        text, metadata['name'], metadata['shared'] = source(module.str() if hasattr(module, 'str') else str(module), metadata['num_warps'])
        return text

    def _image(self, text, metadata, options):
        arguments = [f'--gpu-architecture=mp_{self.target.arch}', f'-I{toolkit.INCLUDE}', '-O3', '-w', '-lineinfo']
        if not options.enable_fp_fusion:
            arguments.append('-fmad=false')
        return toolkit.compile_source(text, metadata['name'], arguments)
