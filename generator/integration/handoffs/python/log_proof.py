#!/usr/bin/env python3
"""Checks the hashes of a proof of the registry's transparency log, without a network, for Python 3.8 or newer.

    python3 python/log_proof.py PROOF [EXPRESSION LANGUAGE [CODE]]
        PROOF is a file; with CODE, the expression must never have had another

The standard library has no Ed25519, so this is one half: that the expressions are in the release, and
the release in the tree of the checkpoint. It does not check who signed the checkpoint; anybody can make
a proof that this program accepts. node/log-proof.mjs checks both halves.
Exit codes: 0 the hashes are right, 1 a line says what contradicts what, 2 wrong usage.
"""
import sys

# Only the standard library is imported: no file in this folder may take the place of a module.
if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]

import base64
import binascii
import hashlib
import json
import re
import unicodedata

ENTRY_MEMBERS = [
    "bindings", "bundleSha256", "contentSha256", "indexRootSha256", "origin", "previous", "reassigned",
    "registry", "registryVersion", "schema", "sumsSha256",
]


class ProofError(Exception):
    """What contradicts what, in one line."""


def sha256(data):
    return hashlib.sha256(data).digest()


def decode(text):
    """Base64 in its only canonical form; None for any other text."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def encode(data):
    return base64.b64encode(data).decode()


def number(text):
    if not re.fullmatch("0|[1-9][0-9]{0,15}", text, re.ASCII) or int(text) >= 2**53:
        raise ProofError("A number of the proof is not decimal, or not below 2^53")
    return int(text)


def parse_proof(text):
    """The extra data, the index, the path, and the checkpoint of c2sp.org/tlog-proof."""
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    if lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise ProofError('The proof does not begin with "c2sp.org/tlog-proof@v1"')
    extra = decode(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
    index = lines.pop(0) if lines else ""
    path = [decode(line) for line in lines]
    if extra is None or not index.startswith("index ") or any(one is None or len(one) != 32 for one in path):
        raise ProofError("The proof is not lines of extra, index and hashes in base64")
    return extra, number(index[6:]), path, note


def parse_checkpoint(note):
    """The origin, the size and the root of the tree (c2sp.org/tlog-checkpoint)."""
    lines = note.rpartition("\n\n")[0].split("\n")
    root = decode(lines[2]) if len(lines) > 2 else None
    if root is None or len(root) != 32 or lines[0] == "":
        raise ProofError("The checkpoint is not lines of origin, size and root")
    return lines[0], number(lines[1]), root


def records(data):
    """Each after its length, a big-endian number of two bytes."""
    found = []
    while data:
        length = int.from_bytes(data[:2], "big")
        if len(data) < 2 + length:
            raise ProofError("The extra data of the proof is cut short")
        found.append(data[2 : 2 + length])
        data = data[2 + length :]
    return found


def root_of(leaf, index, size, path):
    """RFC 9162, 2.1.3.2: the root that a path leads to."""
    wrong = ProofError(f"The path of index {index} is not one of a tree of size {size}")
    if index >= size:
        raise wrong
    first, last = index, size - 1
    root = sha256(b"\0" + leaf)
    for part in path:
        if last == 0:
            raise wrong
        if first % 2 == 1 or first == last:
            root = sha256(b"\1" + part + root)
            while first % 2 == 0 and first != 0:
                first, last = first // 2, last // 2
        else:
            root = sha256(b"\1" + root + part)
        first, last = first // 2, last // 2
    if last != 0:
        raise wrong
    return root


def require_root(leaf, index, tree, path, of):
    size, due = tree
    root = encode(root_of(leaf, index, size, path))
    if root != due:
        raise ProofError(f"The path of index {index} leads to {root}, not to {due} of {of}")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def canonical(data, members, what):
    """An object of RFC 8785 with these members, in order."""
    try:
        value = json.loads(data.decode())
        same = {name: value[name] for name in members}
        if compact(same) == data:
            return value
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise ProofError(f"{what} is not canonical JSON of {', '.join(members)}")


def parse_binding(data):
    binding = canonical(data, ["codes", "expression", "language"], "The binding")
    codes, expression, language = binding["codes"], binding["expression"], binding["language"]
    shaped = isinstance(codes, list) and codes and all(isinstance(one, list) and len(one) == 2 for one in codes)
    texts = [expression, "" if language is None else language, *(part for one in codes for part in one)] if shaped else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ProofError("The binding does not have codes, an expression and a language")
    if unicodedata.normalize("NFC", expression) != expression:
        raise ProofError(f"The binding of {quote(expression)} is not in Unicode NFC")
    return binding


def key_of(expression, language):
    return sha256(expression.encode() + b"\0" + (language or "").lower().encode())


def verify(text):
    """The origin and size of the log, the entry of the release, and its bindings with their places."""
    extra, index, path, note = parse_proof(text)
    origin, size, root = parse_checkpoint(note)
    statement, *rest = records(extra) or [b""]
    require_root(statement, index, (size, encode(root)), path, "the checkpoint")
    entry = canonical(statement, ENTRY_MEMBERS, "The entry")
    bindings = canonical(compact(entry["bindings"]), ["count", "root"], "The tree of the bindings")
    tree = (number(str(bindings["count"])), bindings["root"])
    found = []
    for leaf, place in zip(rest[::2], rest[1::2]):
        at = int.from_bytes(place[:8], "big")
        hashes = [place[i : i + 32] for i in range(8, len(place), 32)]
        if len(place) % 32 != 8:
            raise ProofError("The proof holds a binding without its place in the tree")
        require_root(leaf, at, tree, hashes, f"the bindings of {entry['registryVersion']}")
        found.append((at, parse_binding(leaf)))
    if len(rest) % 2 == 1:
        raise ProofError("The proof holds a binding without its place in the tree")
    return origin, size, entry, found


def answer(entry, found, expression, language, code):
    """The bindings of what was asked; none if its neighbours show that it was never bound."""
    text = unicodedata.normalize("NFC", expression)
    asked = [one for _, one in found if (one["expression"], (one["language"] or "").lower()) == (text, language.lower())]
    for binding in asked:
        if code is not None and [one for one, _ in binding["codes"]] != [code]:
            raise ProofError(f"{history(binding)}, not {code} alone")
    if not asked:
        require_gap(found, key_of(text, language), entry["bindings"]["count"], f"{quote(text)} in {language}")
        if code is not None:
            raise ProofError(f"{quote(text)} was never bound to {code} or any code")
    return asked


def require_gap(found, key, count, name):
    """Leaves are in the order of their keys, so nothing is between two neighbours."""
    places = [at for at, _ in found]
    keys = [key_of(one["expression"], one["language"]) for _, one in found]
    pair = len(places) == 2 and places[1] == places[0] + 1 and keys[0] < key < keys[1]
    edge = len(places) == 1 and ((places[0] == 0 and key < keys[0]) or (places[0] == count - 1 and key > keys[0]))
    if count > 0 and not pair and not edge:
        raise ProofError(f"The proof is not about {name}")


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def history(binding):
    had = ", then ".join(f"{code} from {version}" for code, version in binding["codes"])
    return f"{quote(binding['expression'])} in {binding['language'] or 'no language'} has meant {had}"


def main(arguments):
    if len(arguments) not in (1, 3, 4):
        print("Use python/log_proof.py PROOF [EXPRESSION LANGUAGE [CODE]]", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8", newline="") as file:
            origin, size, entry, found = verify(file.read())
        asked = arguments[1:] + [None] * (4 - len(arguments))
        bindings = answer(entry, found, *asked) if len(arguments) > 1 else [one for _, one in found]
    except (ProofError, OSError, UnicodeError) as error:
        print(error, file=sys.stderr)
        return 1
    lines = [f"{entry['registry']} {entry['registryVersion']} is in {origin}, which has {size} releases"]
    lines += [history(binding) for binding in bindings]
    if len(arguments) > 1 and not bindings:
        lines.append(f"{quote(arguments[1])} in {arguments[2]} was never bound to a code")
    lines.append("Checked: every hash. Not checked: who signed the checkpoint; node/log-proof.mjs checks that too")
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
