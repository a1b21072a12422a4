"""Reads a module of Triton's IR as MLIR prints it: an operation a line, regions in braces."""
import re

from triton_musa.errors import Unsupported
from triton_musa.ttir.locations import Locations
from triton_musa.ttir.structure import Block, Operation, Region, Value
from triton_musa.ttir.text import end_of_brackets, end_of_string, outermost, parse_attributes, split, split_types, unquote
from triton_musa.ttir.types import Type, parse_type

_VALUE = re.compile(r'%[\w$.-]+(?:#\d+)?')
_CASTS_TO = re.compile(r'^(.*) to (\S.*)$')


def parse(text):
    """(functions by name, Locations) of a module's text."""
    return _Parser(text).module()


def _without_locations(line):
    """(the line without `loc(...)`, the last of them)."""
    last, place = None, line.find('loc(')
    while place >= 0:
        # Not in a string: those of device_print may hold anything.
        if line.count('"', 0, place) - line.count('\\"', 0, place) - line.count('\\22', 0, place) & 1 or place == 0:
            if place:
                place = line.find('loc(', place + 1)
                continue
        if place and line[place - 1] != ' ':
            place = line.find('loc(', place + 1)
            continue
        end = end_of_brackets(line, place + 3)
        last = line[place + 4:end - 1]
        line = line[:max(place - 1, 0)] + line[end:]
        place = line.find('loc(')
    return line, last


class _Parser:
    def __init__(self, text):
        self.locations = Locations(text)
        self.lines = []
        for line in text.splitlines():
            if not line.startswith('#') and line.strip():
                plain, location = _without_locations(line.strip())
                self.lines.append((plain.strip(), location))
        self.place = 0
        self.values = {}

    def module(self):
        functions = {}
        while self.place < len(self.lines):
            line, _ = self.lines[self.place]
            if line.startswith('tt.func'):
                function = self.operation(None)
                functions[function.attributes['sym_name']] = function
            else:
                self.place += 1
        return functions, self.locations

    def value(self, name):
        return self.values[name]

    def define(self, names, types, operation):
        for name, type_ in zip(names, types):
            value = Value(type_, operation, operation.block)
            operation.results.append(value)
            self.values[name] = value

    def region(self, operation, arguments=()):
        """What follows up to the line that starts with `}`, which it leaves; returns that line."""
        region = Region(operation)
        operation.regions.append(region)
        block = Block(None, region)
        region.blocks.append(block)
        outer = self.values
        self.values = dict(outer)
        self.arguments(block, arguments)
        while not self.lines[self.place][0].startswith('}'):
            line, _ = self.lines[self.place]
            if line.startswith('^'):
                label = re.match(r'\^(\w+)', line)[1]
                if block.operations or block.arguments:
                    block = Block(label, region)
                    region.blocks.append(block)
                block.label = label
                if '(' in line.partition('//')[0]:
                    inner = line[line.index('('):]
                    parts = split(inner[1:end_of_brackets(inner, 0) - 1])
                    self.arguments(block, [part.split(': ', 1) for part in parts])
                self.place += 1
                continue
            block.operations.append(self.operation(block))
        self.values = outer
        closing = self.lines[self.place]
        self.place += 1
        return closing

    def arguments(self, block, pairs):
        for name, type_ in pairs:
            value = Value(type_ if isinstance(type_, Type) else parse_type(type_), None, block)
            block.arguments.append(value)
            self.values[name.strip()] = value

    def operation(self, block):
        line, location = self.lines[self.place]
        self.place += 1
        names = []
        if match := re.match(r'((?:%[\w$.:-]+(?:, )?)+) = ', line):
            for item in match[1].split(', '):
                name, _, count = item.partition(':')
                names += [f'{name}#{place}' for place in range(int(count))] if count else [name]
            line = line[match.end():]
        match = re.match(r'"([\w.]+)"|([\w.]+)', line)
        operation = Operation(match[1] or match[2], block)
        operation.location = location
        rest = line[match.end():].strip()
        special = getattr(self, '_' + operation.name.replace('.', '_'), None)
        if special:
            special(operation, names, rest)
        else:
            self.plain(operation, names, rest)
        for place, value in enumerate(operation.operands):
            value.users.append((operation, place))
        for _, values in operation.successors:
            for value in values:
                value.users.append((operation, len(operation.operands)))
        return operation

    def plain(self, operation, names, rest):
        """An operation without a form of its own; generic ones may have regions."""
        if rest.endswith('({'):
            head = rest[:-2].strip()
            closing = ', {'
            while closing.endswith(', {'):  # a region each
                closing, location = self.region(operation)
            operation.location = location
            rest = head + closing.removeprefix('})')
        before, types = split_types(rest)
        arrows = [place for place, letter in outermost(rest) if letter == '->']
        if not types and arrows:  # no operands
            before, types = rest[:arrows[-1]], rest[arrows[-1]:]
        self.read_attributes(operation, before)
        operation.header = before
        operation.operands = [self.value(name) for name in _VALUE.findall(_without_strings(before))]
        self.define(names, self.result_types(operation, types, before), operation)

    def read_attributes(self, operation, before):
        place = 0
        while place < len(before):
            if before[place] == '"':
                place = end_of_string(before, place)
            elif before[place:place + 2] == '<{':
                end = end_of_brackets(before, place)
                operation.attributes.update(parse_attributes(before[place + 2:end - 2]))
                place = end
            elif before[place] == '{':
                end = end_of_brackets(before, place)
                operation.attributes.update(parse_attributes(before[place + 1:end - 1]))
                place = end
            else:
                place += 1
        for name, value in re.findall(r'(\w+) = (\w+)', re.sub(r'<?\{.*\}>?', '', _without_strings(before))):
            operation.attributes.setdefault(name, int(value) if value.isdigit() else value)

    def result_types(self, operation, types, before):
        name = operation.name
        if not types:
            return [parse_type('i1')] if name == 'arith.constant' else []
        arrows = [place for place, letter in outermost(types) if letter == '->']
        if arrows:
            after = types[arrows[-1] + 2:].strip()
            if after.startswith('('):
                after = after[1:-1]
            found = [parse_type(part) for part in split(after)]
            return found * 2 if name == 'tt.split' else found
        if match := _CASTS_TO.match(types):
            return [parse_type(match[2])]
        parts = [parse_type(part) for part in split(types)]
        if name in ('arith.cmpi', 'arith.cmpf'):
            return [Type('i1', parts[0].shape)]
        if name == 'arith.select':
            return [parts[-1]]
        if name == 'tt.unsplat':
            return [parts[0].scalar()]
        if name == 'tt.load':
            return [Type(parts[0].pointee, parts[0].shape)]
        if name in ('arith.mulsi_extended', 'arith.mului_extended'):
            return [parts[0], parts[0]]
        return parts

    # Operations with forms of their own.

    def _tt_func(self, operation, names, rest):
        match = re.match(r'(public |private )?@("[^"]*"|[\w$.-]+)', rest)
        operation.attributes['sym_name'] = match[2].strip('"')
        operation.attributes['public'] = match[1] == 'public '
        rest = rest[match.end():]
        end = end_of_brackets(rest, 0)
        arguments = []
        for part in split(rest[1:end - 1]):
            name, _, type_ = part.partition(': ')
            arguments.append((name, re.sub(r' \{.*\}$', '', type_)))
        after = rest[end:].split(' attributes ')[0].rstrip('{ ').strip()
        after = after.removeprefix('->').strip()
        if after.startswith('('):
            after = after[1:-1]
        operation.attributes['result_types'] = [parse_type(part) for part in split(after)]
        self.values = {}
        self.region(operation, arguments)

    def _scf_for(self, operation, names, rest):
        operation.attributes['unsigned'] = rest.startswith('unsigned ')
        rest = rest.removeprefix('unsigned ')
        match = re.match(r'(%[\w$.-]+) = (\S+) to (\S+) step (\S+)', rest)
        operands, carried = [match[2], match[3], match[4]], []
        rest = rest[match.end():].strip()
        types = []
        if rest.startswith('iter_args('):
            end = end_of_brackets(rest, len('iter_args'))
            for part in split(rest[len('iter_args('):end - 1]):
                name, _, value = part.partition(' = ')
                carried.append(name)
                operands.append(value)
            rest = rest[end:].strip().removeprefix('->').strip()
            end = end_of_brackets(rest, 0)
            types = [parse_type(part) for part in split(rest[1:end - 1])]
            rest = rest[end:].strip()
        counter = parse_type(rest.removeprefix(':').strip().split(' ')[0]) if rest.startswith(':') else Type('index')
        operation.operands = [self.value(name) for name in operands]
        _, location = self.region(operation, [(match[1], counter), *zip(carried, types)])
        operation.location = location
        self.define(names, types, operation)

    def _scf_if(self, operation, names, rest):
        condition, _, after = rest.partition(' ')
        operation.operands = [self.value(condition)]
        types = []
        if after.startswith('->'):
            after = after[2:].strip()
            types = [parse_type(part) for part in split(after[1:end_of_brackets(after, 0) - 1])]
        closing, location = self.region(operation)
        if closing.startswith('} else'):
            closing, location = self.region(operation)
        operation.location = location
        self.define(names, types, operation)

    def _scf_while(self, operation, names, rest):
        first, values = [], []
        if rest.startswith('('):
            end = end_of_brackets(rest, 0)
            for part in split(rest[1:end - 1]):
                name, _, value = part.partition(' = ')
                first.append(name)
                values.append(value)
            rest = rest[end:].strip()
        rest = rest.removeprefix(':').strip()
        types = rest.rstrip('{ ').strip()
        cut = [place for place, letter in outermost(types) if letter == '->'][-1]
        before, after = types[:cut].strip(), types[cut + 2:].strip()
        inner = [parse_type(part) for part in split(before.removeprefix('(').removesuffix(')'))]
        after = after[1:-1] if after.startswith('(') else after
        operation.operands = [self.value(name) for name in values]
        self.region(operation, list(zip(first, inner)))
        _, location = self.region(operation)
        operation.location = location
        self.define(names, [parse_type(part) for part in split(after)], operation)

    def _cf_br(self, operation, names, rest):
        operation.successors = [self.successor(rest)]

    def _cf_cond_br(self, operation, names, rest):
        condition, first, second = split(rest)
        operation.operands = [self.value(condition)]
        operation.successors = [self.successor(first), self.successor(second)]

    def _tt_print(self, operation, names, rest):
        end = end_of_string(rest, 0)
        operation.attributes['prefix'] = unquote(rest[:end])
        self.read_attributes(operation, rest[end:])
        values, _ = split_types(rest[end:].partition(' : ')[2])
        operation.operands = [self.value(name) for name in _VALUE.findall(values)]

    def successor(self, text):
        match = re.match(r'\^(\w+)', text)
        if not match:
            raise Unsupported(f'a jump to {text} is not understood')
        return match[1], [self.value(name) for name in _VALUE.findall(text.split(' : ')[0])]


def _without_strings(text):
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
