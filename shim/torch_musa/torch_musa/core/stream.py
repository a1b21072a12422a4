"""Streams and events, as torch.cuda's."""
import torch

from torch_musa import _C
from torch_musa.musa.utils import index_of


class Stream(torch.Stream):
    """A stream of a device's; by default a new one of the current device."""

    def __new__(cls, device=None, priority=0, **more):
        if 'stream_id' in more:
            return super().__new__(cls, stream_id=more['stream_id'], device_index=more['device_index'],
                                   device_type=more['device_type'])
        return super().__new__(cls, device=torch.device('musa', index_of(device)), priority=priority)

    @property
    def musa_stream(self):
        """The musaStream_t as a number."""
        return _C.native_stream(self.stream_id, self.device_index)

    cuda_stream = musa_stream  # what code that was ported by names alone asks for

    @property
    def priority(self):
        """0, or below for those that go first."""
        return _C.stream_priority(self.stream_id, self.device_index)

    @staticmethod
    def priority_range():
        """The lowest and the highest priority."""
        return 0, -1

    def wait_stream(self, stream):
        self.wait_event(stream.record_event())

    def wait_event(self, event):
        event.wait(self)

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self):
        self._context = StreamContext(self)
        self._context.__enter__()
        return self

    def __exit__(self, *what):
        self._context.__exit__(*what)


class ExternalStream(Stream):
    """A stream that another library made, by its musaStream_t as a number; it must outlive its use."""

    def __new__(cls, stream_ptr, device=None, **more):
        identity, index = _C.external_stream(stream_ptr, index_of(device))
        return super().__new__(cls, stream_id=identity, device_index=index, device_type=_DEVICE_TYPE)


def get_stream_from_external(data_ptr, device=None):
    """The stream of a musaStream_t that another library made."""
    return ExternalStream(data_ptr, device)


class _Shared:
    """An event that other processes know, by what torch.Event can do."""

    def __init__(self, native):
        self._native = native

    @property
    def device(self):
        return torch.device('musa', self._native.device)

    @property
    def event_id(self):
        return self._native.native

    def record(self, stream):
        self._native.record(stream.stream_id, stream.device_index)

    def wait(self, stream):
        self._native.wait(stream.stream_id, stream.device_index)

    def query(self):
        return self._native.query()

    def synchronize(self):
        self._native.synchronize()

    def elapsed_time(self, other):
        raise ValueError('events between processes have no times')

    def handle(self):
        return self._native.handle()


class Event:
    """A point in a stream. interprocess: another process can wait for it, by ipc_handle() and from_ipc_handle(); it has no time then."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        if interprocess and enable_timing:
            raise ValueError('an event between processes has no time: enable_timing must be False')
        device = _C.current_device()
        self._event = (_Shared(_C.SharedEvent(device)) if interprocess else
                       torch.Event(torch.device('musa', device), enable_timing=enable_timing, blocking=blocking))

    @classmethod
    def from_ipc_handle(cls, device, handle):
        """The event of another process's; handle: the 64 bytes that its ipc_handle() gave."""
        event = cls.__new__(cls)
        event._event = _Shared(_C.SharedEvent(index_of(device), handle))
        return event

    def ipc_handle(self):
        """64 bytes by which another process knows it."""
        if not isinstance(self._event, _Shared):
            raise RuntimeError('the event is not one between processes: make it with interprocess=True')
        return self._event.handle()

    @property
    def device(self):
        return self._event.device

    @property
    def musa_event(self):
        """The musaEvent_t as a number; 0 before it is recorded."""
        return self._event.event_id

    cuda_event = musa_event

    def record(self, stream=None):
        self._event.record(stream if stream is not None else current_stream())

    def wait(self, stream=None):
        self._event.wait(stream if stream is not None else current_stream())

    def query(self):
        return self._event.query()

    def synchronize(self):
        self._event.synchronize()

    def elapsed_time(self, end_event):
        """Milliseconds; both were made with enable_timing and have been recorded."""
        return self._event.elapsed_time(end_event._event)

    def __repr__(self):
        return f'<torch.musa.Event {self._event}>'


def _stream_of(id_and_device):
    return Stream(stream_id=id_and_device[0], device_index=id_and_device[1], device_type=_DEVICE_TYPE)


_DEVICE_TYPE = 20  # PrivateUse1 of c10::DeviceType


def current_stream(device=None):
    return _stream_of(_C.current_stream(index_of(device)))


def default_stream(device=None):
    return _stream_of((0, index_of(device)))


def set_stream(stream):
    if stream is not None:
        _C.set_stream(stream.stream_id, stream.device_index)


class StreamContext:
    """The current stream of a block, and its device."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is None:
            return
        self._device = _C.current_device()
        self._before = _C.current_stream(self.stream.device_index)
        _C.set_device(self.stream.device_index)
        set_stream(self.stream)

    def __exit__(self, *_):
        if self.stream is None:
            return
        _C.set_stream(*self._before)
        _C.set_device(self._device)


def stream(stream):
    """`with torch.musa.stream(s):`"""
    return StreamContext(stream)
