"""What scripts for CUDA do beside layers and collectives: whole ones (scripts/), ported by musaport, and single ways, beside the CPU."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import torch
import torch.nn as nn
from test_distributed import free_port
from test_ported_script import SDK
from torch.utils.checkpoint import checkpoint

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope='module')
def ported(tmp_path_factory):
    folder = tmp_path_factory.mktemp('musa') / 'scripts'
    result = subprocess.run([SDK / 'bin/musaport', HERE / 'scripts', '-o', folder], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder


def run(*command, **environment):
    result = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=600, env={**os.environ, 'OMP_NUM_THREADS': '1', **environment})
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def test_cnn(ported, tmp_path):
    losses = {}
    for name, more in (('cpu', ['--device', 'cpu']), ('device', []), ('amp', ['--amp'])):
        run(ported / 'train_cnn.py', '--out', tmp_path / name, *more)
        losses[name] = torch.tensor(json.loads((tmp_path / name).read_text()))
    torch.testing.assert_close(losses['device'], losses['cpu'], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(losses['amp'], losses['cpu'], rtol=2e-2, atol=2e-2)


def test_transformer(ported, tmp_path):
    said = run('-m', 'torch.distributed.run', '--nproc-per-node', '2', '--master-port', str(free_port()), ported / 'train_transformer.py',
               CHECKPOINT=str(tmp_path / 'checkpoint'))
    losses = json.loads(re.search(r'losses (\[.*\])', said)[1])
    assert len(losses) == 8 and losses[-1] < losses[0]


def test_dropout_draws_from_the_device():
    ones, before = torch.ones(1000, device='musa'), torch.get_rng_state()
    torch.musa.manual_seed(5)
    first = nn.functional.dropout(ones)
    torch.musa.manual_seed(5)
    assert torch.equal(nn.functional.dropout(ones), first) and not torch.equal(nn.functional.dropout(ones), first)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize('reentrant', [True, False])
def test_checkpoints_draw_again_what_was_drawn(reentrant):
    x = torch.ones(1000, device='musa', requires_grad=True)
    y = checkpoint(nn.functional.dropout, x, use_reentrant=reentrant)
    y.sum().backward()
    assert torch.equal(x.grad, y)


def layers():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))


@pytest.mark.skipif(not torch.__version__.startswith('2.15.'), reason='asks torch.cuda for streams in older PyTorch, as 2.9')
def test_data_parallel():
    x = torch.randn(6, 8)
    ours, theirs = nn.DataParallel(layers().musa(), device_ids=[0, 1, 2]), layers()
    for model, given in ((ours, x.musa()), (theirs, x)):
        model(given).square().sum().backward()
    torch.testing.assert_close(ours(x).cpu(), theirs(x))  # scattered from the CPU, too
    for a, b in zip(ours.parameters(), theirs.parameters()):
        torch.testing.assert_close(a.grad.cpu(), b.grad)


def test_compile():
    x = torch.randn(3, 8)
    if torch.__version__.startswith('2.15.'):
        compiled = torch.compile(layers().musa())(x.musa())
    else:
        with pytest.warns(UserWarning, match='Inductor has code for musa devices since'):
            compiled = torch.compile(layers().musa())(x.musa())
    torch.testing.assert_close(compiled.cpu(), layers()(x))


def test_flexible_attention():
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    q, k, v = (torch.randn(1, 2, 16, 8) for _ in range(3))
    mask = create_block_mask(lambda batch, head, row, column: row >= column, 1, 1, 16, 16, device='musa')
    expected = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(flex_attention(q.musa(), k.musa(), v.musa(), block_mask=mask).cpu(), expected, rtol=1e-4, atol=1e-5)


def test_encoder_with_padding():
    torch.manual_seed(1)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2).eval()
    x, padding = torch.randn(2, 5, 16), torch.tensor([[False, False, False, False, True], [False] * 5])
    with torch.no_grad():
        expected = encoder(x, src_key_padding_mask=padding)
        ours = encoder.musa()(x.musa(), src_key_padding_mask=padding.musa()).cpu()
    torch.testing.assert_close(ours[~padding], expected[~padding], rtol=1e-4, atol=1e-5)


def test_default_types():
    code = '''
import torch
torch.set_default_tensor_type('torch.musa.DoubleTensor')
x = torch.zeros(2)
assert x.is_musa and isinstance(x, torch.musa.DoubleTensor) and not isinstance(x, torch.musa.FloatTensor)
assert x.type() == 'torch.musa.DoubleTensor' and x.type(torch.musa.HalfTensor).dtype == torch.float16
torch.set_default_tensor_type(torch.FloatTensor)
assert not torch.zeros(2).is_musa and torch.ones(2).type('torch.musa.FloatTensor').is_musa
'''
    run('-W', 'ignore', '-c', code)
