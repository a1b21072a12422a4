"""Expands the rewrite records of ptx.yml to one row per opcode."""
import itertools
import re

CPP = {'u8': 'unsigned char', 's8': 'signed char', 'b8': 'unsigned char', 'u16': 'unsigned short', 's16': 'short',
       'b16': 'unsigned short', 'u32': 'unsigned int', 's32': 'int', 'b32': 'unsigned int', 'u64': 'unsigned long long',
       's64': 'long long', 'b64': 'unsigned long long', 'f32': 'float', 'f64': 'double', 'f16': '__half', 'f16x2': '__half2', 'bf16': '__mt_bfloat16',
       'bf16x2': '__mt_bfloat162', 'pred': 'bool', 'void': 'void'}


def _fill(text, chosen):
    """Replaces $x, ${x}, $x.key and $x.cpp until nothing is left to replace; $d, $c and $1 stay if no variable has the name."""
    def one(match):
        name, part = match.group(1) or match.group(2), match.group(3) or match.group(4)
        if name not in chosen:
            return match.group(0)
        key, value = chosen[name]
        return key if part == '.key' else CPP[value] if part == '.cpp' else str(value)
    while True:
        changed = re.sub(r'\$(?:([a-z]+)|\{([a-z]+)(\.key)?\})(\.key|\.cpp)?', one, text)
        if changed == text:
            return text
        text = changed


def expand(records):
    """[(opcode, to, [in], becomes, note, reads carry)] in the order of the records."""
    rows = []
    for record in records:
        names = list(record.get('vars', {}))
        choices = []
        for name in names:
            values = record['vars'][name]
            choices.append(list(values.items()) if isinstance(values, dict) else [(value, value) for value in values])
        for combination in itertools.product(*choices):
            chosen = dict(zip(names, combination))
            opcode = re.sub(r'\$([a-z]+)', lambda m: str(chosen[m.group(1)][0]), record['op'])
            to = _fill(record.get('to', ''), chosen)
            if to.startswith('atom.'):
                to = '' if opcode.startswith('red') else to[5:]
            sources = [_fill(str(source), chosen) for source in record['in']]
            becomes = _fill(record['becomes'], chosen)
            rest = (record.get('note', ''), bool(record.get('carry')))
            rows.append((opcode, to, sources, becomes, *rest))
            if record.get('maskless'):
                meeting = becomes.replace(f'${len(sources)}', '__activemask()')
                rows.append((opcode.replace('.sync', ''), to, sources[:-1], meeting, *rest))
    return rows
