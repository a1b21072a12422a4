"""A rank that dies, or stands still, in the middle of a training: all others say so within the timeout, and who it was."""
import datetime
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
import torch.distributed as dist

WORLD, TIMEOUT = 4, 6
TRAINING = textwrap.dedent('''
    import datetime, os, signal, sys, time, torch, torch.distributed as dist
    rank, lost, how, moment, port = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
    torch.musa.set_device(rank)
    store = dist.TCPStore('127.0.0.1', port, is_master=False)
    dist.init_process_group('mccl', store=store, rank=rank, world_size=4, timeout=datetime.timedelta(seconds=6))
    torch.manual_seed(0)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Linear(8, 2)).musa(), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), 0.1)

    def leave(step, now):
        if rank == lost and step == 3 and moment == now:
            print('lost', flush=True)
            os.kill(os.getpid(), {'kill': signal.SIGKILL, 'stop': signal.SIGSTOP}[how])

    begin = time.monotonic()
    try:
        for step in range(1000):
            begin = time.monotonic()
            leave(step, 'forward')
            loss = net(torch.randn(4, 8, device='musa')).square().mean()
            if moment == 'backward':
                net.module[1].weight.register_hook(lambda gradient: leave(step, 'backward'))
            loss.backward()
            leave(step, 'queued')
            optimizer.step()
            torch.musa.synchronize()
            dist.barrier()
    except Exception as error:
        print(f'{type(error).__name__} after {time.monotonic() - begin:.1f} s: {error}', flush=True)
        os._exit(3)
''')


@pytest.mark.parametrize('how, lost, moment', [('kill', 2, 'forward'), ('kill', 0, 'backward'), ('kill', 1, 'queued'), ('stop', 3, 'forward')])
def test_the_others_name_it(tmp_path, how, lost, moment):
    script = tmp_path / 'training.py'
    script.write_text(TRAINING)
    store = dist.TCPStore('127.0.0.1', 0, is_master=True, timeout=datetime.timedelta(seconds=60), wait_for_workers=False)
    ranks = [subprocess.Popen([sys.executable, str(script), str(rank), str(lost), how, moment, str(store.port)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env={**os.environ, 'MUSASHIM_DEVICES': str(WORLD)}) for rank in range(WORLD)]
    try:
        said = {rank: process.communicate(timeout=90)[0] for rank, process in enumerate(ranks) if rank != lost}
        for rank, text in said.items():
            assert f'Ranks that did not come: {lost}\n' in text, f'rank {rank}: {text}'
            line = next(line for line in text.splitlines() if line.startswith('DistBackendError after '))
            assert float(line.split()[2]) < TIMEOUT + 5, line
            assert ranks[rank].returncode == 3
    finally:
        for process in ranks:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            process.wait()
    assert ranks[lost].returncode == -signal.SIGKILL
