"""Ports, builds, runs and judges cases."""

import time
from concurrent.futures import ThreadPoolExecutor

from . import compare, expectations, functions, observations
from .compare import CaseResult
from .process import runProgram

_LOG_KEPT = 8000


class Runner:
    """`sdk` has lacks(case), portAndBuild(case) and command(case); `environmentOf(case)` chooses the device."""

    def __init__(self, sdk, expectationRoot, differences, environmentOf, timeout, maxDevices, allowUnrecorded=False,
                 launcher=(), traced=False):
        self._sdk = sdk
        self._expectationRoot = expectationRoot
        self._differences = differences
        self._environmentOf = environmentOf
        self._timeout = timeout
        self._maxDevices = maxDevices
        self._allowUnrecorded = allowUnrecorded
        self._launcher = list(launcher)
        self._traced = traced

    def runAll(self, cases, jobs, onResult=lambda result: None):
        """Results in the order of `cases`; `onResult` hears of each as it comes."""
        results = []
        with ThreadPoolExecutor(max(1, jobs)) as pool:
            for result in pool.map(self.runCase, cases):
                onResult(result)
                results.append(result)
        return results

    def runCase(self, case):
        start = time.monotonic()
        result = self._applyCaseDifference(case, self._judge(case))
        return CaseResult(**{**vars(result), "seconds": time.monotonic() - start})

    def _judge(self, case):
        if case.devices > self._maxDevices:
            return CaseResult(case.name, "skipped", f"needs {case.devices} devices")
        if lacking := self._sdk.lacks(case):
            return CaseResult(case.name, "skipped", lacking)
        expectation = expectations.load(self._expectationRoot, case.name)
        status, log = self._sdk.portAndBuild(case)
        if status:
            return CaseResult(case.name, status, log=log[-_LOG_KEPT:])
        environment = {**self._environmentOf(case), **(functions.TRACED if self._traced else {})}
        outcome = runProgram(self._launcher + self._sdk.command(case), self._timeout, environment)
        log = (outcome.stderr + log)[-_LOG_KEPT:]
        try:
            seen = observations.parse(case.name, outcome.stdout)
        except observations.ObservationError as error:
            return CaseResult(case.name, "failed", str(error), log=log)
        if expectation is None:
            status = "skipped" if self._allowUnrecorded and outcome.succeeded else "unrecorded"
            return CaseResult(case.name, status, f"no expectation; it showed {len(seen)} observations", log=log)
        compared = compare.compareObservations(expectation, self._differences, seen)
        common = {"observations": compared, "log": log, "machine": expectation.machine}
        if self._traced:
            common["functions"] = functions.called(case, outcome.stderr)
        if outcome.status == "timed-out":
            return CaseResult(case.name, "timed-out", f"after {self._timeout:g} s", **common)
        if outcome.describe() != expectation.exit:
            return CaseResult(case.name, "crashed", f"{outcome.describe()} instead of {expectation.exit}", **common)
        bad = [result for result in compared if not result.good]
        detail = f"{len(bad)} of {len(compared)} observations" if bad else ""
        return CaseResult(case.name, "failed" if bad else "passed", detail, **common)

    def _applyCaseDifference(self, case, result):
        difference = self._differences.ofCase(case.name)
        if difference is None or result.status == "skipped":
            return result
        if result.status == difference.outcome:
            return CaseResult(**{**vars(result), "status": "failed as listed", "detail": difference.reason})
        detail = f"listed as {difference.outcome}, but {result.status}: {result.detail}"
        return CaseResult(**{**vars(result), "status": "failed", "detail": detail})
