"""A fixed sample of tests: which ones are in it depends on their names alone, and a larger sample has all of a smaller one."""
import hashlib
import os

SIZE = int(os.environ.get('SAMPLE', '100'))


def sample(names):
    """SIZE of the names; the environment's SAMPLE."""
    return sorted(sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:SIZE])
