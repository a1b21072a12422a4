"""What calls cost, beside CPU PyTorch and Gloo in the same run: speed.py, one thread each. Prints; nothing here passes or fails."""
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

RANKS, MIB = 4, 1 << 20


def median(call, repeats):
    call()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


def operators():
    import torch
    torch.set_num_threads(1)

    def line(name, make, repeats):
        cpu, ours = median(make('cpu'), repeats), median(make('musa'), repeats)
        print(f'{name:24} cpu {cpu:10.2f} us   musa {ours:10.2f} us   {ours / cpu:5.2f}')

    def matmul(device):
        a = torch.rand(512, 512, device=device)
        return lambda: a @ a

    def add(count):
        def make(device):
            a = torch.rand(count, device=device)
            return lambda: a + a
        return make
    line('matmul 512', matmul, 200)
    line('add of 1e6', add(1000000), 500)
    line('add of 4', add(4), 20000)


def rank_of(backend, rank, folder, results):
    import torch
    import torch.distributed as dist
    torch.set_num_threads(1)
    device = 'cpu'
    if backend == 'mccl':
        torch.musa.set_device(rank)
        device = f'musa:{rank}'
    dist.init_process_group(backend, init_method=f'file://{folder}/{backend}', rank=rank, world_size=RANKS)
    x = torch.ones(MIB // 4, device=device)

    def reduce():
        dist.all_reduce(x)
        if backend == 'mccl':
            torch.musa.synchronize()
    time_us = median(reduce, 100)
    if rank == 0:
        results.put(time_us)
    dist.barrier()
    dist.destroy_process_group()


def collectives():
    context = multiprocessing.get_context('spawn')
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for backend in ('gloo', 'mccl'):
            results = context.Queue()
            ranks = [context.Process(target=rank_of, args=(backend, rank, folder, results)) for rank in range(RANKS)]
            for process in ranks:
                process.start()
            figures[backend] = results.get(timeout=300)
            for process in ranks:
                process.join()
    print(f'all-reduce, 4 ranks, 1 MiB: gloo {figures["gloo"]:.0f} us   mccl {figures["mccl"]:.0f} us   '
          f'{figures["gloo"] / figures["mccl"]:.2f} times as fast')


def imports():
    program = 'import time; b = time.perf_counter(); import torch; print(time.perf_counter() - b)'

    def seconds(autoload):
        return float(subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, check=True,
                                    env=dict(os.environ, TORCH_DEVICE_BACKEND_AUTOLOAD=autoload)).stdout)
    # In turn, so that what else the machine does falls on both.
    without, both = (statistics.median(runs) for runs in zip(*((seconds('0'), seconds('1')) for _ in range(7))))
    print(f'import torch {without:.2f} s, with torch_musa {both:.2f} s, {both - without:+.2f} s')


if __name__ == '__main__':
    os.environ.setdefault('MUSASHIM_DEVICES', str(RANKS))
    operators()
    imports()
    collectives()
