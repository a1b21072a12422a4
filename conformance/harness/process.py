"""Runs a program with a time limit and says how it ended."""

import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass

_OUTPUT_LIMIT = 4 << 20  # bytes kept of each stream


@dataclass(frozen=True)
class Outcome:
    status: str  # "exited", "signalled", "timed-out", "not-started"
    code: int  # exit status or signal number
    stdout: str
    stderr: str

    @property
    def succeeded(self):
        return self.status == "exited" and self.code == 0

    def describe(self):
        if self.status == "exited":
            return f"exit {self.code}"
        if self.status == "signalled":
            try:
                return f"signal {signal.Signals(self.code).name}"
            except ValueError:
                return f"signal {self.code}"
        return self.status


def _readBack(stream):
    stream.seek(0)
    return stream.read(_OUTPUT_LIMIT).decode("utf-8", errors="replace")


def runProgram(arguments, timeout, environment=None, directory=None):
    """Runs `arguments`; `environment` adds to ours. A program that outlives
    `timeout` seconds is ended with all it started. Its output is kept either way."""
    merged = dict(os.environ)
    merged.update(environment or {})
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                [str(argument) for argument in arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=merged,
                cwd=directory,
                start_new_session=True,  # so that its children end with it
            )
        except OSError as error:
            return Outcome("not-started", 0, "", str(error))
        timedOut = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timedOut = True
            _endGroup(process)
        stdout, stderr = _readBack(out), _readBack(err)
    if timedOut:
        return Outcome("timed-out", 0, stdout, stderr)
    if process.returncode < 0:
        return Outcome("signalled", -process.returncode, stdout, stderr)
    return Outcome("exited", process.returncode, stdout, stderr)


def _endGroup(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
