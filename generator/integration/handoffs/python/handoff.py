#!/usr/bin/env python3
"""Handoff of the recipe @RECIPE_ID@ for Python 3.8 or newer; it needs only the standard library.

    python3 python/handoff.py prove
        judges the six fixtures, without a network
    python3 python/handoff.py resolve --live EXPRESSION [LANGUAGE]
        makes one call to @ORIGIN@
"""
import sys

# Only the standard library is imported: no file in this folder may take the place of a module.
if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]

import http.client
import json
import os
import re
import threading
import time
import urllib.parse

RESOLVE_URL = "@RESOLVE_URL@"
# All that the folders of the programs hold, in order.
PROGRAMS = "@PROGRAMS@"
FOLDERS = ["curl", "node", "powershell", "python"]
TIMEOUT_SECONDS = 10
# A longer answer is not read.
ANSWER_MAX_BYTES = 262144
OUTCOMES = ["resolved-valid", "unknown", "ambiguous", "malformed", "request-error", "service-error"]
# Exit codes of `resolve`, by outcome; 2 is wrong usage.
EXIT_CODES = [0, 3, 4, 5, 6, 7]


def classify(expression, response):
    """Judges one exchange: the expression that was sent, and the answer.

    The answer is (status, content type or None, body), or None if no complete answer came. The
    first rule that applies decides, and only `resolved-valid` gives a code. Anything unclear
    assigns nothing: `unknown` and `ambiguous` have the reason and the candidates, best first, which
    are what a person can be asked about.
    """
    if response is None:
        return {"outcome": "service-error"}
    status, content_type, body = response
    if 400 <= status <= 499:
        return {"outcome": "request-error"}
    if status != 200:
        return {"outcome": "service-error"}
    answer = read_json(body) if is_json(content_type) else None
    if not is_resolve_envelope(answer) or answer["data"]["input"]["expression"] != expression:
        return {"outcome": "malformed"}
    data = answer["data"]
    concept = data["concept"]
    if data["status"] == "abstained" and concept is None:
        candidates = [{"code": one["code"], "name": one["name"]} for one in data["candidates"]]
        outcome = "ambiguous" if data["reason"] == "ambiguous_expression" else "unknown"
        return {"outcome": outcome, "reason": data["reason"], "candidates": candidates}
    if data["status"] != "resolved" or data["reason"] is not None or concept is None:
        return {"outcome": "malformed"}
    if concept["code"] == "" or concept["registryVersion"] == "":
        return {"outcome": "malformed"}
    return {"outcome": "resolved-valid", "code": concept["code"], "registryVersion": concept["registryVersion"]}


def is_json(content_type):
    return content_type is not None and content_type.split(";")[0].strip(" \t").lower() == "application/json"


def read_json(body):
    """Reads JSON (RFC 8259) strictly; None for anything else.

    It must be UTF-8 without a byte order mark, duplicate names or half of a surrogate pair.
    """
    if len(body) > ANSWER_MAX_BYTES:
        return None
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=unique_names, parse_constant=refuse, parse_int=float
        )
        # Half of a surrogate pair cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except (ValueError, RecursionError):
        return None


def unique_names(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice")
    return members


def refuse(constant):
    raise ValueError(constant + " is not JSON")


def is_null(value):
    return value is None


def is_string(value):
    return isinstance(value, str)


def is_number(value):
    return isinstance(value, float)


def is_size(value):
    return isinstance(value, float) and value.is_integer() and 1 <= value <= 9007199254740991


def nullable(test):
    return lambda value: value is None or test(value)


def array_of(test):
    return lambda value: isinstance(value, list) and all(test(item) for item in value)


def closed(**members):
    """An object with exactly these members."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == members.keys()
        and all(test(value[name]) for name, test in members.items())
    )


is_resolve_envelope = closed(
    data=closed(
        input=closed(expression=is_string),
        status=is_string,
        reason=nullable(is_string),
        embeddingProfile=nullable(
            closed(name=is_string, modelName=is_string, modelVersion=is_string, dimensions=is_size)
        ),
        concept=nullable(
            closed(code=is_string, name=is_string, definition=is_string, domain=is_string, registryVersion=is_string)
        ),
        candidates=array_of(closed(code=is_string, name=is_string, score=is_number)),
        confidence=nullable(is_number),
        margin=nullable(is_number),
    ),
    error=is_null,
)


is_assignment = closed(outcome=is_string, code=is_string, registryVersion=is_string)
is_abstention = closed(
    outcome=is_string, reason=nullable(is_string), candidates=array_of(closed(code=is_string, name=is_string))
)


def is_classification(value, outcome):
    """Whether a value has the members that `classify` returns with this outcome."""
    test = {"resolved-valid": is_assignment, "unknown": is_abstention, "ambiguous": is_abstention}
    return test.get(outcome, closed(outcome=is_string))(value) and value["outcome"] == outcome


def prove():
    """Prints a line for each fixture; true if all six are as declared, and the programs as well."""
    if programs() != PROGRAMS:
        write("programs: the folders of the kit do not hold exactly " + PROGRAMS)
        return False
    judged = [judge(name) for name in OUTCOMES]
    for name, (_, text) in zip(OUTCOMES, judged):
        write(name + ": " + text)
    return all(as_declared for as_declared, _ in judged)


def programs():
    kit = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
    try:
        held = [folder + "/" + name for folder in FOLDERS for name in os.listdir(os.path.join(kit, folder))]
    except OSError:
        return None
    return " ".join(sorted(held))


def judge(name):
    fixture = read_fixture(name)
    try:
        expected, expression, response = fixture["expected"], fixture["request"]["expression"], fixture["response"]
        if not is_classification(expected, name) or not is_string(expression):
            raise ValueError
        answer = response
        if response is not None:
            if not is_number(response["status"]) or not nullable(is_string)(response["contentType"]):
                raise ValueError
            answer = response["status"], response["contentType"], response["body"].encode("utf-8")
        found, declared = format_classification(classify(expression, answer)), format_classification(expected)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False, "not a fixture of this name"
    return found == declared, describe(expected) if found == declared else found + ", but " + declared + " is declared"


def read_fixture(name):
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "fixtures")
    try:
        with open(os.path.join(folder, name + ".json"), "rb") as file:
            return read_json(file.read())
    except OSError:
        return None


def describe(result):
    if "code" not in result:
        return result["outcome"]
    return " ".join([result["outcome"], ascii_of(result["code"]), ascii_of(result["registryVersion"])])


def ask(request):
    """Makes one call, without a retry, and follows no redirect.

    Returns None if no complete answer comes in time.
    """
    answers = []
    thread = threading.Thread(target=lambda: answers.append(exchange(request)), daemon=True)
    thread.start()
    # The library limits the time of each read, not of the whole call.
    thread.join(TIMEOUT_SECONDS)
    return answers[0] if answers else None


class Response(http.client.HTTPResponse):
    def begin(self):
        super().begin()
        # The library skips only 100; 101 switches the protocol and is not an interim response.
        while 101 < self.status < 200:
            self.headers = self.msg = None
            super().begin()


def exchange(request):
    url = urllib.parse.urlsplit(RESOLVE_URL)
    make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    try:
        connection = make(url.netloc, timeout=TIMEOUT_SECONDS)
        connection.response_class = Response
        body = json.dumps(request).encode("ascii")
        connection.request("POST", url.path, body, {"Content-Type": "application/json", "Accept": "application/json"})
        response = connection.getresponse()
        # With two, it is unclear which one counts.
        types = response.headers.get_all("Content-Type", [])
        content_type = types[0] if len(types) == 1 else None
        # The library accepts a length that is not a number, that is there twice, or that
        # contradicts the chunks.
        lengths = response.headers.get_all("Content-Length", [])
        if len(lengths) > 1 or lengths and (response.chunked or not re.fullmatch("[0-9]+", lengths[0])):
            return None
        # Only the body of a 200 is read.
        if response.status != 200:
            return response.status, content_type, b""
        content = response.read(ANSWER_MAX_BYTES + 1)
        # The library does not report that a body is cut short.
        cut = len(content) <= ANSWER_MAX_BYTES and response.length not in (None, 0)
        return None if cut else (response.status, content_type, content)
    except (OSError, ValueError, http.client.HTTPException):
        return None


def ascii_of(text):
    """The contents of a JSON string, in ASCII."""
    return json.dumps(text)[1:-1]


def format_classification(result):
    """A classification as one line of JSON in ASCII."""
    members = {name: result[name] for name in ["outcome", "code", "registryVersion", "reason"] if name in result}
    if "candidates" in result:
        members["candidates"] = [{"code": one["code"], "name": one["name"]} for one in result["candidates"]]
    return json.dumps(members, separators=(",", ":"))


def write(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


USAGE = """Usage: handoff.py prove
       handoff.py resolve --live [--keep FILE] EXPRESSION [LANGUAGE]

prove    judges the six fixtures of the kit, without a network, if its folders hold exactly its programs.
         Exit code 0: all are as declared; 1: one is not, or the programs are not.
resolve  sends the expression once to @ORIGIN@ and prints the outcome.
         With --keep, an abstention is added to FILE on this machine: expression, language, reason, count and day.
         Exit code 0: resolved-valid; 3: unknown; 4: ambiguous; 5: malformed; 6: request-error; 7: service-error.
Exit code 2: wrong usage, nothing was sent.
"""


def keep(file, request, result):
    """Adds an abstention to a file of this machine: these five members, and nothing else."""
    if not is_string(result.get("reason")):
        return
    day = time.strftime("%Y-%m-%d", time.gmtime())
    gap = {"expression": request["expression"], "language": request.get("language")}
    gap.update(reason=result["reason"], count=1, day=day)
    line = json.dumps(gap, separators=(",", ":")) + "\n"
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as kept:
            kept.write(line.encode("ascii"))
    except (OSError, ValueError):
        sys.stderr.write("The abstention was not kept: the file cannot be written\n")


def main(arguments):
    if arguments == ["--help"]:
        sys.stdout.write(USAGE)
        return 0
    if arguments == ["prove"]:
        return 0 if prove() else 1
    # Nothing is sent unless --live asks for it.
    file = None
    if len(arguments) > 4 and arguments[2] == "--keep":
        file = arguments[3]
        arguments = arguments[:2] + arguments[4:]
    if arguments[:2] != ["resolve", "--live"] or len(arguments) not in (3, 4):
        sys.stderr.write(USAGE)
        return 2
    request = dict(zip(["expression", "language"], arguments[2:]))
    result = classify(request["expression"], ask(request))
    write(format_classification(result))
    if file is not None:
        keep(file, request, result)
    return EXIT_CODES[OUTCOMES.index(result["outcome"])]


if __name__ == "__main__":
    sys.stdout.reconfigure(newline="\n")
    sys.exit(main(sys.argv[1:]))
