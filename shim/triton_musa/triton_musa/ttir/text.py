"""Pieces of MLIR's text: parts at the outermost level, attributes."""
import re

_OPEN, _CLOSE = '([{<', ')]}>'


def outermost(text):
    """(place, letter) of what is within no bracket and no string; brackets themselves are not told."""
    depth, place = 0, 0
    while place < len(text):
        letter = text[place]
        if letter == '"':
            place = end_of_string(text, place)
            continue
        if letter == '-' and text[place:place + 2] == '->':
            if depth == 0:
                yield place, '->'
            place += 2
            continue
        if letter in _OPEN:
            depth += 1
        elif letter in _CLOSE:
            depth -= 1
        elif depth == 0:
            yield place, letter
        place += 1


def end_of_string(text, place):
    """Behind the string that starts at place."""
    place += 1
    while text[place] != '"':
        place += 2 if text[place] == '\\' else 1
    return place + 1


def end_of_brackets(text, place):
    """Behind the bracket that closes the one at place."""
    depth = 0
    while True:
        letter = text[place]
        if letter == '"':
            place = end_of_string(text, place)
            continue
        if text[place:place + 2] == '->':
            place += 2
            continue
        depth += letter in _OPEN
        depth -= letter in _CLOSE
        place += 1
        if depth == 0:
            return place


def split(text, separator=','):
    """Parts between separators at the outermost level, without blanks about them."""
    cuts = [place for place, letter in outermost(text) if letter == separator]
    parts = [text[begin:end] for begin, end in zip([0] + [cut + len(separator) for cut in cuts], cuts + [len(text)])]
    return [part.strip() for part in parts if part.strip()]


def split_types(text):
    """(what is before the types, the types) of an operation's text."""
    for place, letter in outermost(text):
        if letter == ':' and text[place - 1:place + 2] == ' : ':
            return text[:place - 1], text[place + 2:]
        if letter == ':' and text[place:place + 2] == ': ' and place == 0:
            return '', text[2:]
    return text, ''


def unquote(text):
    """The string that a literal of MLIR's stands for."""
    def plain(match):
        return match[1] if match[1] in '"\\' else chr(int(match[1], 16))
    return re.sub(r'\\([0-9A-Fa-f]{2}|["\\])', plain, text[1:-1])


def parse_attributes(text):
    """A dictionary of `a = 1 : i32, b`: values as their text without the type, True for those that have none."""
    attributes = {}
    for part in split(text):
        name, mark, value = part.partition(' = ')
        if not mark:
            attributes[name] = True
        elif value.startswith('"'):
            attributes[name] = unquote(value[:end_of_string(value, 0)])
        elif value.startswith('array<'):
            attributes[name] = [int(item) for item in re.findall(r'-?\d+', value.partition(':')[2])]
        else:
            value = value.split(' : ')[0]
            attributes[name] = {'true': True, 'false': False}.get(value, int(value) if re.fullmatch(r'-?\d+', value) else value)
    return attributes
