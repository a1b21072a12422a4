"""A plugin of pytest: writes what becomes of each test as a line of JSON, so that a run that dies can go on behind it.

--record FILE; --known FILE has names of tests that are not run again, --choose REGEX those that are; --claims FOLDER: of the processes with the
same one each takes the next test that none has taken, in an order by hashes of names, until the time --until (seconds since the epoch); --whole 1: reasons with all
that was raised; --gone MODULE.NAME,... functions that
the tests' PyTorch had and this one has not: those that ask about CUDA say no, those that have another name now are NAME=NEW."""
import hashlib
import importlib
import json
import pathlib
import re
import time

from _pytest.runner import runtestprotocol


def pytest_addoption(parser):
    for option in ('--record', '--known', '--choose', '--claims', '--until', '--whole', '--gone'):
        parser.addoption(option, default='')


class Recorder:
    def __init__(self, config):
        self.file = open(config.getoption('--record'), 'a')
        self.choose = config.getoption('--choose')
        known = config.getoption('--known')
        self.known = set(pathlib.Path(known).read_text().splitlines()) if known else set()
        self.claims = config.getoption('--claims') and pathlib.Path(config.getoption('--claims'))
        self.until = float(config.getoption('--until') or 'inf')
        self.reason = whole if config.getoption('--whole') else what

    def write(self, **line):
        print(json.dumps(line), file=self.file, flush=True)

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.known and re.search(self.choose, item.nodeid)]
        if self.claims:
            items.sort(key=lambda item: hashed(item.nodeid))

    def pytest_runtest_protocol(self, item):
        if not self.claims:
            return None
        if self.claim(item.nodeid):
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
            runtestprotocol(item, nextitem=None)  # which one is next is not known
            item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def claim(self, test):
        """Whether no other process has taken the test, and there is time left."""
        if time.time() >= self.until:
            return False
        try:
            (self.claims / hashed(test)).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(test=report.nodeid, outcome='failed', reason=self.reason(report.longreprtext))

    def pytest_runtest_logstart(self, nodeid):
        self.write(begun=nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == 'call' or report.outcome != 'passed':
            skipped = report.outcome == 'skipped' and isinstance(report.longrepr, tuple)
            reason = report.longrepr[2] if skipped else self.reason(report.longreprtext)
            expected = hasattr(report, 'wasxfail')  # it fails everywhere
            self.write(test=report.nodeid, outcome='skipped' if expected else report.outcome, reason=report.wasxfail if expected else reason)


def hashed(name):
    return hashlib.sha256(name.encode()).hexdigest()


def what(text):
    """What was raised: of pytest's lines that begin with E, the first; or what a rank of a test raised, which is the last that names an error."""
    said = [line[1:].strip() for line in text.splitlines() if line.startswith('E ') and line[1:].strip()]
    if said and 'exited with error code' in said[0]:
        said = [line for line in said if re.match(r'[\w.]*(Error|Exception)\b', line)][-1:] or said
    return (said or text.strip().splitlines() or [''])[0][:300]


def whole(text):
    return '\n'.join(line[1:].strip() for line in text.splitlines() if line.startswith('E '))[-3000:] or what(text)


def pytest_configure(config):
    if config.getoption('--record'):
        config.pluginmanager.register(Recorder(config))
    for name in filter(None, config.getoption('--gone').split(',')):
        module, _, function = name.rpartition('.')
        function, _, new = function.partition('=')
        loaded = importlib.import_module(module)
        setattr(loaded, function, getattr(loaded, new) if new else lambda: False)
