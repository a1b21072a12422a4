"""Triton's backend for MUSA devices: Triton finds it by its entry point and compiles kernels for tensors on "musa" with it."""
import importlib.metadata

_FIRST = (3, 6)
_LAST = (3, 9)


def _check_version():
    try:
        version = importlib.metadata.version('triton')
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(f'triton_musa needs Triton, which is not installed: pip install "triton>={_FIRST[0]}.{_FIRST[1]}"') from None
    release = tuple(int(part) for part in version.split('.')[:2])
    if not _FIRST <= release <= _LAST:
        raise ImportError(f'triton_musa is for Triton {_FIRST[0]}.{_FIRST[1]} to {_LAST[0]}.{_LAST[1]}, and this is {version}; install '
                          'one of those')


_check_version()
