"""Modules that were ported stand in for PyTorch's own: those beside this file, under ported/, in this process and all that it starts."""
import importlib.abc
import importlib.util
import pathlib
import sys

PORTED = pathlib.Path(__file__).resolve().parent / 'ported'


class Ported(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        file = PORTED / (name.replace('.', '/') + '.py')
        return importlib.util.spec_from_file_location(name, file) if file.is_file() else None


sys.meta_path.insert(0, Ported())
