"""A plugin of pytest: writes what becomes of each test as a line of JSON, so that a run that dies can go on behind it.

--record FILE; --known FILE has names of tests that are not run again, --choose REGEX those that are; --gone MODULE.NAME,... functions that
the tests' PyTorch had and this one has not: those that ask about CUDA say no, those that have another name now are NAME=NEW."""
import importlib
import json
import pathlib
import re


def pytest_addoption(parser):
    for option in ('--record', '--known', '--choose', '--gone'):
        parser.addoption(option, default='')


class Recorder:
    def __init__(self, config):
        self.file = open(config.getoption('--record'), 'a')
        self.choose = config.getoption('--choose')
        known = config.getoption('--known')
        self.known = set(pathlib.Path(known).read_text().splitlines()) if known else set()

    def write(self, **line):
        print(json.dumps(line), file=self.file, flush=True)

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.known and re.search(self.choose, item.nodeid)]

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(test=report.nodeid, outcome='failed', reason=what(report.longreprtext))

    def pytest_runtest_logstart(self, nodeid):
        self.write(begun=nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == 'call' or report.outcome != 'passed':
            skipped = report.outcome == 'skipped' and isinstance(report.longrepr, tuple)
            reason = report.longrepr[2] if skipped else what(report.longreprtext)
            expected = hasattr(report, 'wasxfail')  # it fails everywhere
            self.write(test=report.nodeid, outcome='skipped' if expected else report.outcome, reason=report.wasxfail if expected else reason)


def what(text):
    """What was raised: of pytest's lines that begin with E, the first; or what a rank of a test raised, which is the last that names an error."""
    said = [line[1:].strip() for line in text.splitlines() if line.startswith('E ') and line[1:].strip()]
    if said and 'exited with error code' in said[0]:
        said = [line for line in said if re.match(r'[\w.]*(Error|Exception)\b', line)][-1:] or said
    return (said or text.strip().splitlines() or [''])[0][:300]


def pytest_configure(config):
    if config.getoption('--record'):
        config.pluginmanager.register(Recorder(config))
    for name in filter(None, config.getoption('--gone').split(',')):
        module, _, function = name.rpartition('.')
        function, _, new = function.partition('=')
        loaded = importlib.import_module(module)
        setattr(loaded, function, getattr(loaded, new) if new else lambda: False)
