"""Triton's tutorials on musa, from their CUDA form by musaport (tests/torch_musa/triton/tutorials.toml): needs a checkout of Triton in third_party/triton."""
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import types

import pytest

triton = pytest.importorskip('triton')
ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCE = ROOT / 'third_party/triton/python/tutorials'
TUTORIALS = tomllib.loads((ROOT / 'tests/torch_musa/triton/tutorials.toml').read_text())['tutorial']


@pytest.fixture(scope='module')
def ported(tmp_path_factory):
    if not SOURCE.is_dir():
        pytest.skip('no checkout of Triton in third_party/triton')
    folder = tmp_path_factory.mktemp('tutorials')
    for one in TUTORIALS:
        shutil.copy(SOURCE / one['file'], folder)
    subprocess.run([ROOT / 'build/sdk/bin/musaport', '--in-place', '--no-backup', '--no-record', '--summary', 'none', folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


@pytest.fixture
def reduced(monkeypatch):
    """Without benchmarks, and with the first of what is tuned."""
    import triton.runtime.autotuner
    import triton.testing
    monkeypatch.setitem(sys.modules, 'tabulate', types.SimpleNamespace(tabulate=lambda rows, **_: rows))  # prints tables
    monkeypatch.setattr(triton.testing.Mark, 'run', lambda *_, **__: None)
    tuner = triton.runtime.autotuner.Autotuner
    prune = tuner.prune_configs
    monkeypatch.setattr(tuner, 'prune_configs', lambda self, values: prune(self, values)[:1])


@pytest.mark.parametrize('tutorial', TUTORIALS, ids=lambda one: one['file'][:2])
def test_tutorial(ported, reduced, monkeypatch, capsys, tutorial):
    path = ported / tutorial['file']
    text = path.read_text()
    if 'end' in tutorial:
        text, found, _ = text.partition(tutorial['end'])
        assert found, tutorial['end']
    for before, after in tutorial.get('change', []):
        assert before in text, f'{before}: no longer in {path.name}'
        text = text.replace(before, after)
    path.write_text(text + '\n' + tutorial.get('also', ''))
    monkeypatch.chdir(ported)
    # A module of its own, as Triton reads the kernels' lines from the file.
    spec = importlib.util.spec_from_file_location(f'tutorial_{path.name[:2]}', path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    said = capsys.readouterr().out
    assert '❌' not in said, said
    for expression in tutorial.get('says', []):
        assert re.search(expression, said), said
