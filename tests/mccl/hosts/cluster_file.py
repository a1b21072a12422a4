"""scripts/cluster as a module."""
import importlib.machinery
import importlib.util
import pathlib

PATH = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "cluster"


def load():
    loader = importlib.machinery.SourceFileLoader("cluster", str(PATH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster", loader))
    loader.exec_module(module)
    return module
