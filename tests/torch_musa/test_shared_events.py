"""Events that another process waits for."""
import multiprocessing
import time

import pytest
import torch


def waiter(handle, pipe):
    event = torch.musa.Event.from_ipc_handle(1, handle)
    assert event.device == torch.device('musa', 1)
    pipe.send('opened')
    pipe.recv()
    stream = torch.musa.Stream(1)
    event.wait(stream)
    stream.synchronize()
    event.synchronize()
    pipe.send(event.query())


def test_another_process_waits():
    spawn = multiprocessing.get_context('spawn')
    with torch.musa.device(1):
        event, stream = torch.musa.Event(interprocess=True), torch.musa.Stream()
        x = torch.rand(700, 700, device='musa')
        graph = torch.musa.MUSAGraph()
        with torch.musa.graph(graph, stream=stream):
            for _ in range(20):
                x = x @ x
        handle = event.ipc_handle()
        assert isinstance(handle, bytes) and len(handle) == 64
        here, there = spawn.Pipe()
        process = spawn.Process(target=waiter, args=(handle, there))
        process.start()
        assert here.recv() == 'opened'
        with torch.musa.stream(stream):
            graph.replay()  # about a second
        event.record(stream)
        assert not event.query()
        here.send('recorded')
        start = time.monotonic()
        assert here.recv() is True
        answered = time.monotonic()
        stream.synchronize()
        assert answered - start > (time.monotonic() - start) / 2 and event.query()
    process.join(60)
    assert process.exitcode == 0


def test_what_is_refused():
    with pytest.raises(ValueError, match='has no time'):
        torch.musa.Event(enable_timing=True, interprocess=True)
    with pytest.raises(RuntimeError, match='interprocess=True'):
        torch.musa.Event().ipc_handle()
    with pytest.raises(ValueError, match='64 bytes, this one 3'):
        torch.musa.Event.from_ipc_handle(0, b'abc')
    shared = torch.musa.Event(interprocess=True)
    with pytest.raises(ValueError, match='no times'):
        shared.elapsed_time(shared)
    with pytest.raises(RuntimeError, match='does not match'):
        shared.record(torch.musa.Stream(2))
