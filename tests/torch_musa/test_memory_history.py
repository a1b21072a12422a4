"""What the allocator did, in the form that PyTorch's memory viewer reads."""
import pickle

import pytest
import torch
from torch.cuda import _memory_viz


@pytest.fixture
def recording():
    torch.musa.empty_cache()
    yield torch.musa.memory._record_memory_history
    torch.musa.memory._record_memory_history(None)


def take(count):
    return torch.empty(count, dtype=torch.uint8, device='musa')


def test_what_is_taken_and_given_back(recording):
    recording(clear_history=True, stacks='python')
    kept, gone = take(1000), take(3 << 20)
    address = gone.data_ptr()
    del gone
    torch.musa.empty_cache()
    found = torch.musa.memory._snapshot()
    actions = [(one['action'], one['size']) for one in found['device_traces'][0]]
    assert [one for one in actions if one[1] == 1000] == [('alloc', 1000)]
    assert [name for name, size in actions if size == 3 << 20] == ['alloc', 'free_requested', 'free_completed']
    assert ('segment_alloc', 20 << 20) in actions and ('segment_free', 20 << 20) in actions
    assert {one['addr'] for one in found['device_traces'][0] if one['size'] == 3 << 20} == {address}
    times = [one['time_us'] for one in found['device_traces'][0]]
    assert times == sorted(times)
    taken = next(one for one in found['device_traces'][0] if (one['action'], one['size']) == ('alloc', 1000))
    assert [frame['name'] for frame in taken['frames'][:2]] == ['take', 'test_what_is_taken_and_given_back']
    assert taken['frames'][0]['filename'] == __file__ and taken['frames'][0]['line'] > 1
    block = next(block for segment in found['segments'] for block in segment['blocks'] if block['address'] == kept.data_ptr())
    assert block['frames'][0]['name'] == 'take' and block['state'] == 'active_allocated'
    assert len(found['device_traces']) == torch.musa.device_count()


def test_the_viewer_reads_it(recording, tmp_path):
    recording(clear_history=True)
    kept = take(5000)
    path = tmp_path / 'snapshot.pickle'
    torch.musa.memory._dump_snapshot(str(path))
    found = pickle.loads(path.read_bytes())
    assert 'a[0:4.9KiB]' in _memory_viz.trace(found) and 'total_allocated: ' in _memory_viz.segsum(found)
    assert '<html>' in _memory_viz.trace_plot(found).lower() and '<html>' in _memory_viz.segment_plot(found).lower()
    del kept


def test_the_last_are_kept(recording):
    recording(clear_history=True, max_entries=4, context=None)
    for _ in range(5):
        take(700)
    trace = torch.musa.memory._snapshot()['device_traces'][0]
    assert len(trace) == 4 and trace[-1]['action'] == 'free_completed' and not any(one['frames'] for one in trace)


def test_state_alone(recording):
    recording('state', clear_history=True)
    kept = take(900)
    found = torch.musa.memory._snapshot(0)
    assert not any(found['device_traces'])
    assert any(block['frames'] for segment in found['segments'] for block in segment['blocks'] if block['address'] == kept.data_ptr())


def test_memory_that_is_out(recording):
    recording(clear_history=True)
    with pytest.raises(torch.OutOfMemoryError):
        take(1 << 50)
    last = torch.musa.memory._snapshot()['device_traces'][0][-1]
    assert last['action'] == 'oom' and last['size'] >= 1 << 50 and last['device_free'] > 0


@pytest.mark.parametrize('what', [{'enabled': 'no'}, {'context': 'no'}, {'stacks': 'no'}])
def test_settings_that_are_not_there(what):
    with pytest.raises(ValueError, match='expected'):
        torch.musa.memory._record_memory_history(**what)
