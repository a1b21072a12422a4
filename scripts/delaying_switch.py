#!/usr/bin/env python3
"""A switch that keeps each frame for a while, for kernels without netem: scripts/cluster starts it.

    delaying_switch.py DELAY PORT...      # DELAY: 1ms, 500us

It reads the ports' frames as they are, large ones that the interfaces have yet to cut included, and so does with few of
them. It says "ready" and ends when its input does.
"""
import collections
import ctypes
import select
import socket
import sys
import time

SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING, PR_SET_TIMERSLACK = 263, 15, 23, 29
HEADER = 10  # of virtio: checksums and segments that are still to be made
MOST = HEADER + 14 + 65600
BROADCAST = b"\xff" * 6


def seconds(text):
    for unit, scale in (("us", 1e-6), ("ms", 1e-3), ("s", 1)):
        if text.endswith(unit):
            return float(text[:-len(unit)]) * scale
    return float(text) * 1e-3


def openPort(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    port.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    port.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        port.setsockopt(socket.SOL_SOCKET, option, 64 << 20)
    port.bind((name, 0))
    port.setblocking(False)
    return port


def main():
    delay, ports = seconds(sys.argv[1]), [openPort(name) for name in sys.argv[2:]]
    ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0)
    where = {}  # address -> port
    waiting = collections.deque()  # (when, frame, ports), in order: all wait as long
    poll = select.poll()
    for port in ports:
        poll.register(port, select.POLLIN)
    poll.register(sys.stdin, select.POLLIN)
    byFd = {port.fileno(): port for port in ports}
    print("ready", flush=True)
    while True:
        left = None if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        # poll() counts milliseconds: the last one is slept.
        events = poll.poll(None if left is None else int(left * 1000))
        if not events and left and left < 0.001:
            time.sleep(left)
        for fd, _ in events:
            if fd == sys.stdin.fileno():
                return
            port = byFd[fd]
            for _ in range(64):
                try:
                    frame = port.recv(MOST)
                except (BlockingIOError, OSError):
                    break
                to, source = frame[HEADER:HEADER + 6], frame[HEADER + 6:HEADER + 12]
                where[source] = port
                one = where.get(to)
                targets = [one] if one else [other for other in ports if other is not port]
                waiting.append((time.monotonic() + delay, frame, targets))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, frame, targets = waiting.popleft()
            for target in targets:
                try:
                    target.send(frame)
                except OSError:
                    pass  # as a switch whose buffers are full does


if __name__ == "__main__":
    main()
