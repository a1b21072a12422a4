"""The script that people begin with: an all-reduce for CUDA and NCCL, ported by musaport and run as it is, by itself and by torchrun."""
import os
import pathlib
import re
import subprocess
import sys

import pytest
from test_distributed import free_port

SDK = pathlib.Path(os.environ.get('MUSA_PATH') or pathlib.Path(__file__).resolve().parents[2] / 'build/sdk')
SCRIPT = '''\
import os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world_size):
    dist.init_process_group(backend="nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    tensor = torch.full((4,), float(rank + 1), device=device)
    print(f"[{rank}] before: {tensor.tolist()}", flush=True)
    dist.all_reduce(tensor, op=dist.ReduceOp.SUM)
    torch.cuda.synchronize()
    print(f"[{rank}] after: {tensor.tolist()} on {torch.cuda.get_device_name(rank)}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    if "LOCAL_RANK" in os.environ:
        worker(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
    else:
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ.setdefault("MASTER_PORT", "29500")
        mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
'''


@pytest.fixture(scope='module')
def script(tmp_path_factory):
    source, ported = tmp_path_factory.mktemp('cuda'), tmp_path_factory.mktemp('musa') / 'ported'
    (source / 'all_reduce.py').write_text(SCRIPT)
    result = subprocess.run([SDK / 'bin/musaport', source, '-o', ported, '--strict'], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    text = (ported / 'all_reduce.py').read_text()
    assert 'import torch_musa' in text and 'backend="mccl"' in text and 'cuda' not in text
    return ported / 'all_reduce.py'


@pytest.mark.core
@pytest.mark.parametrize('launcher', [[], ['-m', 'torch.distributed.run', '--nproc-per-node', '4']], ids=['spawn', 'torchrun'])
def test_four_devices(script, launcher):
    port = str(free_port())
    launch = [*launcher, '--master-port', port] if launcher else []
    result = subprocess.run([sys.executable, *launch, script], capture_output=True, text=True, timeout=300, env={**os.environ, 'MASTER_PORT': port})
    assert result.returncode == 0, result.stderr[-3000:]
    for rank in range(4):
        assert f'[{rank}] before: {[rank + 1.0] * 4}' in result.stdout
        assert re.search(rf'\[{rank}\] after: \[10.0, 10.0, 10.0, 10.0\] on MTT', result.stdout), result.stdout
