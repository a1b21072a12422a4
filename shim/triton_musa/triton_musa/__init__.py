"""Triton's backend for MUSA devices: Triton finds it by its entry point and compiles kernels for tensors on "musa" with it."""
import importlib.abc
import importlib.metadata
import importlib.util
import pathlib
import sys

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


class _Language(importlib.abc.MetaPathFinder):
    """Finds `triton.language.extra.musa` in this package: Triton looks for it in its own folder alone."""
    name = 'triton.language.extra.musa'
    folder = pathlib.Path(__file__).resolve().parent / 'language/musa'

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.folder / '__init__.py', submodule_search_locations=[str(self.folder)])


_check_version()
sys.meta_path.append(_Language())
