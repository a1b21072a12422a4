"""Finds the names that C and C++ headers declare for their users, without compiling them.

Taken are macros, functions, types, enumerators and members of records. Parameters, template
parameters and the local names of function bodies are left out: no program can use them.
"""
import glob
import os
import re

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r'|^[ \t]*\#[ \t]*\w+|\d[\w.]*|[A-Za-z_]\w*|::|->|\.\.\.|[^\sA-Za-z_\d]', re.S | re.M)
RECORDS = {'struct', 'union', 'class'}
TAGS = RECORDS | {'enum', 'namespace'}
KEYWORDS = set('''alignas alignof asm auto bool break case catch char char16_t char32_t class concept const consteval constexpr
    constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private
    protected public register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while defined __attribute__ __inline__ __inline __restrict__ __restrict __asm__ __volatile__ __declspec _Pragma
    override final and or not xor bitand bitor compl __asm __forceinline __extension__ _Static_assert __typeof__ __signed__'''.split())


def declarations(text):
    """Yields (name, 'global' | 'member') for what `text` declares, and for the types it mentions on the way."""
    text = re.sub(r'\\\r?\n', ' ', text)
    text = re.sub(r'(^[ \t]*#[ \t]*define[ \t]+\w+)[^\n]*', r'\1', text, flags=re.M)
    text = re.sub(r'^[ \t]*#[ \t]*(?!define)\w+[^\n]*', '', text, flags=re.M)
    scopes, parens, tag, define = [], 0, None, False
    called = False  # the current statement had a bracket: its brace opens a function body
    previous = ''
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token.startswith(('//', '/*')):
            continue
        if token.lstrip().startswith('#'):
            define = True
            continue
        if define:
            define = False
            yield token, 'global'
            continue
        body = any(scope == 'body' for scope, _ in scopes)
        if token == '(':
            parens, called = parens + 1, True
        elif token == ')':
            parens = max(0, parens - 1)
        elif token == '{':
            kind = tag or ('block' if previous.startswith('"') or not (called or previous == '=') else 'body')
            scopes.append((kind, parens))
            tag, parens, called = None, 0, False
        elif token == '}':
            if scopes:
                parens = scopes.pop()[1]
            tag, called = None, False
        elif token == ';':
            tag, called = None, False
        elif token in TAGS:
            tag = 'record' if token in RECORDS else token
            called = False
        elif re.match(r'[A-Za-z_]', token) and not body and token not in KEYWORDS:
            in_record = bool(scopes) and scopes[-1][0] == 'record'
            pointer = parens == 1 and previous == '*' and match.start() and text[match.start() - 1] == '*'
            if parens == 0 or (pointer and not (scopes and scopes[-1][0] == 'enum')):
                yield token, 'member' if in_record else 'global'
        previous = token


def declared_in(include_folders, patterns):
    """{name: 'global' | 'member'} over the headers that match, a global name winning."""
    names = {}
    for folder in include_folders:
        for pattern in patterns:
            for path in glob.glob(os.path.join(folder, pattern), recursive=True):
                with open(path, encoding='latin-1') as file:
                    for name, kind in declarations(file.read()):
                        if names.get(name) != 'global':
                            names[name] = kind
    return names
