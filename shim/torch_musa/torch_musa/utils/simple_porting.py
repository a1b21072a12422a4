"""Ports a folder of CUDA sources text by text, by the vendor's torch_musa's interface: build scripts and torchada call and change it.

    python -m torch_musa.utils.simple_porting --cuda-dir-path DIR      writes DIR_musa

musaport is the better tool: it knows names from text. Here each rule replaces its text wherever that stands, longer ones first,
in all lines but those that begin as a comment or name cub/. `mapping/` has rules for PyTorch's names.
"""
import argparse
import json
import logging
import os
import pathlib
import shutil

LOGGER = logging.getLogger('torch_musa.simple_porting')
EXT_REPLACED_MAPPING = {'cuh': 'muh', 'cu': 'mu'}
_MAPPINGS = pathlib.Path(__file__).resolve().parent / 'mapping'


def _given(value, empty):
    """A value, or JSON of it as on the command line."""
    return json.loads(value) if isinstance(value, str) else value or empty


class SimplePorting:
    """Ports `cuda_dir_path` into a new folder beside it, whose name ends in _musa.

    ignore_dir_paths: folders that are left out; mapping_rule: {text: its replacement}, more than those of `mapping_dir_path`'s
    files, or in their place with drop_default_mapping. Lists and rules may be JSON."""

    def __init__(self, cuda_dir_path=None, ignore_dir_paths=None, mapping_rule=None, drop_default_mapping=False, mapping_dir_path=None):
        self.cuda_dir_path = os.path.realpath(cuda_dir_path or 'cuda')
        self.musa_dir_path = f'{self.cuda_dir_path}_musa'
        self.ignore_dir_paths = ignore_dir_paths
        self.mapping_rule = mapping_rule
        self.mapping_dir_path = mapping_dir_path
        self.drop_default_mapping = drop_default_mapping
        shutil.rmtree(self.musa_dir_path, ignore_errors=True)
        os.makedirs(self.musa_dir_path)

    def load_replaced_mapping(self):
        """Makes `mapping_rule` a list of pairs, the longest text first."""
        rules = dict(_given(self.mapping_rule, {}))
        if self.drop_default_mapping:
            if not rules:
                raise ValueError('drop_default_mapping without a mapping_rule: nothing would be ported')
        else:
            for path in sorted(pathlib.Path(self.mapping_dir_path or _MAPPINGS).glob('*.json')):
                if path.name != 'general.json':
                    rules = {**json.loads(path.read_text(encoding='utf-8')), **rules}
        self.mapping_rule = sorted(rules.items(), key=lambda rule: len(rule[0]), reverse=True)

    def process_ignore_dir_paths(self):
        self.ignore_dir_paths = [os.path.realpath(path) for path in _given(self.ignore_dir_paths, [])]

    def change_filename(self, name):
        stem, dot, ending = name.rpartition('.')
        return f'{stem}{dot}{EXT_REPLACED_MAPPING.get(ending, ending)}'

    def modify_file(self, cuda_filepath, musa_filepath):
        """Ports one file; they may be the same. A file that is no text is copied."""
        try:
            text = pathlib.Path(cuda_filepath).read_text(encoding='utf-8')
        except UnicodeDecodeError:
            if cuda_filepath != musa_filepath:
                shutil.copyfile(cuda_filepath, musa_filepath)
            return
        pathlib.Path(musa_filepath).write_text(''.join(map(self._ported, text.splitlines(keepends=True))), encoding='utf-8')

    def _ported(self, line):
        if line.startswith(('*', '/')) or 'cub/' in line:
            return line
        for text, replacement in self.mapping_rule:
            line = line.replace(text, replacement)
        return line

    def run(self):
        self.load_replaced_mapping()
        self.process_ignore_dir_paths()
        for root, _, files in list(os.walk(self.cuda_dir_path)):
            if os.path.realpath(root) in self.ignore_dir_paths:
                continue
            target = os.path.normpath(os.path.join(self.musa_dir_path, os.path.relpath(root, self.cuda_dir_path)))
            os.makedirs(target, exist_ok=True)
            for name in files:
                self.modify_file(os.path.join(root, name), os.path.join(target, self.change_filename(name)))
                LOGGER.info('ported %s', os.path.join(root, name))


def _main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--cuda-dir-path', default='cuda/')
    parser.add_argument('--ignore-dir-paths', default='[]')
    parser.add_argument('--mapping-rule', default='{}')
    parser.add_argument('--drop-default-mapping', action='store_true')
    parser.add_argument('--mapping-dir-path')
    SimplePorting(**vars(parser.parse_args())).run()


if __name__ == '__main__':
    _main()
