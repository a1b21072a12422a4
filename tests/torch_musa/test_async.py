"""MUSASHIM_TORCH_ASYNC=1: work on tensors is queued, so that a missing synchronisation shows as on a card."""
import os
import subprocess
import sys
import textwrap

import pytest


def run(text, asynchronous='1'):
    """The program's output; its own process, since the variable is read once."""
    environment = dict(os.environ, MUSASHIM_TORCH_ASYNC=asynchronous)
    program = 'import torch\n' + textwrap.dedent(text)
    done = subprocess.run([sys.executable, '-c', program], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


# Holds the stream until `open` is set: by a function of the host's, as a slow kernel would.
GATE = '''
import ctypes, os, threading
runtime = ctypes.CDLL(os.environ["MUSA_PATH"] + "/lib/libmusart.so")
opened = threading.Event()
@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def wait(_):
    opened.wait(60)
def close(stream):
    assert runtime.musaLaunchHostFunc(ctypes.c_void_p(stream.musa_stream), wait, None) == 0
'''


def test_results_are_the_same():
    program = '''
    torch.manual_seed(0)
    x, w = torch.randn(8, 4), torch.randn(4, 3, requires_grad=True)
    def loss(x, w):
        return torch.nn.functional.gelu(x @ w).softmax(1).pow(2).mean() + torch.cat([x, x * 2]).sort(0)[0].sum() * 0
    loss(x, w).backward()
    ours = w.detach().musa().requires_grad_()
    loss(x.musa(), ours).backward()
    print((ours.grad.cpu() - w.grad).abs().max().item() < 1e-6)
    model = torch.nn.Sequential(torch.nn.Conv1d(3, 4, 2), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16, 2))
    batch = torch.randn(5, 3, 5)
    expected = model(batch)
    print((model.musa()(batch.musa()).cpu() - expected).abs().max().item() < 1e-5)
    print(torch.arange(6, device='musa').nonzero().flatten().tolist())
    print(torch.randn(1000, device='musa').std().item() > 0.5)
    '''
    assert run(program)[0:2] == ['True', 'True'] and run(program)[-1] == 'True'


def test_calls_do_not_wait():
    assert run(GATE + '''
x = torch.ones(4, device='musa')
torch.musa.synchronize()
close(torch.musa.current_stream())
y = x * 3
y += 1
print(torch.musa.current_stream().query())
opened.set()
print(y.sum().item())
''') == ['False', '16.0']


def test_a_missing_synchronisation_shows():
    """Another stream reads before the first has written; with an event between them it does not."""
    program = GATE + '''
first, second = torch.musa.Stream(), torch.musa.Stream()
x = torch.zeros(4, device='musa')
torch.musa.synchronize()
close(first)
with torch.musa.stream(first):
    x += 1
SYNC
with torch.musa.stream(second):
    y = x * 10
if "WAITS" == "no":
    second.synchronize()
opened.set()
torch.musa.synchronize()
print(y.sum().item())
'''
    assert run(program.replace('SYNC', '').replace('WAITS', 'no')) == ['0.0']
    assert run(program.replace('SYNC', 'second.wait_stream(first)')) == ['40.0']


def test_pinned_memory_is_read_late():
    assert run(GATE + '''
source = torch.ones(4).pin_memory()
close(torch.musa.current_stream())
x = source.to('musa', non_blocking=True)
source.fill_(7)
opened.set()
print(x.tolist())
''') == ['[7.0,', '7.0,', '7.0,', '7.0]']


def test_what_fails_is_told_at_the_next_wait():
    assert run('''
x = torch.ones(3, device='musa')
y = x.index_select(0, torch.tensor([7], device='musa'))
try:
    torch.musa.synchronize()
    print('nothing')
except RuntimeError as error:
    print('index_select' in str(error), 'MUSASHIM_TORCH_ASYNC=0' in str(error))
print(x.sum().item())
''') == ['True', 'True', '3.0']


@pytest.mark.parametrize('asynchronous', ['0', '1'])
def test_extensions_and_collectives_keep_the_order(asynchronous):
    assert run('''
import torch.distributed as dist, tempfile
dist.init_process_group('mccl', init_method=f'file://{tempfile.mktemp()}', rank=0, world_size=1)
x = torch.ones(1000, device='musa')
for _ in range(20):
    x *= 2
    dist.all_reduce(x)
    x /= 2
print(x.sum().item())
dist.destroy_process_group()
''', asynchronous) == ['1000.0']
