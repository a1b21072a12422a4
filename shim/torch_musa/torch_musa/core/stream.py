"""Streams and events: torch_musa.musa.streams."""
from torch_musa.musa.streams import (Event, ExternalStream, Stream, StreamContext, current_stream, default_stream,  # noqa: F401
                                     get_stream_from_external, set_stream, stream)
