# Judges one exchange with the service: the expression that was sent, and the answer. POSIX awk;
# reads bytes as numbers. The first rule that applies decides, and only `resolved-valid` gives a
# code. Anything unclear assigns nothing: unknown and ambiguous have the reason and the candidates,
# best first, which are what a person can be asked about.
#
# task=quote    bytes of a text; prints it as a JSON string
# task=fixture  bytes of a fixture file; prints the line of its proof
# task=answer   bytes of the expression, a line `answer`, bytes of the head and body of the answer,
#               a line feed and curl's exit code; prints the outcome as JSON, and the reason of an
#               abstention as a line of its own
#
# A text is kept as the contents of its JSON string in ASCII: equal texts, and only those, have the
# same contents.

BEGIN {
  ANSWER_MAX_BYTES = 262144
  HEAD_MAX_BYTES = 131072
  DEPTH_MAX = 16
  split("resolved-valid unknown ambiguous malformed request-error service-error", OUTCOMES, " ")
  split("0 3 4 5 6 7", CODES, " ")
  for (i = 1; i <= 6; i++) EXIT_CODES[OUTCOMES[i]] = CODES[i]
  for (i = 32; i < 127; i++) ORDER[sprintf("%c", i)] = i
  SHORT[8] = "\\b"; SHORT[9] = "\\t"; SHORT[10] = "\\n"; SHORT[12] = "\\f"; SHORT[13] = "\\r"
  SHORT[34] = "\\\""; SHORT[92] = "\\\\"
  split("", BYTES); count = 0
}

$1 == "answer" {
  sent = decode(0, count)
  split("", BYTES); count = 0
  next
}

{
  for (i = 1; i <= NF; i++) BYTES[count++] = $i + 0
  # No more is read: the answer is too long in any case.
  if (task == "answer" && count > HEAD_MAX_BYTES + ANSWER_MAX_BYTES) { overlong = 1; exit }
}

END {
  if (task == "quote") end_quote()
  else if (task == "fixture") end_fixture()
  else end_answer()
}

function end_quote(    text) {
  text = decode(0, count)
  if (invalid) exit 1
  print "\"" text "\""
}

function end_fixture(    found, declared) {
  found = judge_fixture()
  if (found == "") found = "not a fixture of this name"
  else if (found != want) found = found ", but " want " is declared"
  else { print name ": " described; exit 0 }
  print name ": " found
  exit 1
}

function judge_fixture(    status, type) {
  if (!read_json(0, count) || KIND["/request/expression"] != "string") return ""
  sent = TEXT["/request/expression"]
  if (TEXT["/expected/outcome"] != name || !is_classification("/expected")) return ""
  described = name (name == "resolved-valid" ? " " TEXT["/expected/code"] " " TEXT["/expected/registryVersion"] : "")
  want = format(name, "/expected", "/expected")
  if (KIND["/response"] == "null") return format("service-error", "", "")
  if (!is("/response", "object") || !is("/response/status", "number") || !is("/response/contentType", "string null")) return ""
  if (!is("/response/body", "string")) return ""
  status = TEXT["/response/status"]
  type = KIND["/response/contentType"] == "string" ? TEXT["/response/contentType"] : ""
  gsub(/\\t/, "\t", type)
  load(TEXT["/response/body"])
  return format(judge(status, type, 0), "/data/concept", "/data")
}

function end_answer(    exit_code, body, outcome) {
  # Read from the end: curl's exit code after a line feed.
  while (!overlong && count > 0 && BYTES[--count] != 10) exit_code = letter(BYTES[count]) exit_code
  body = read_head()
  if (body < 0 || (head_status == 200 && exit_code != "0" && count - body <= ANSWER_MAX_BYTES)) head_status = 0
  outcome = judge(head_status, head_type, body)
  print format(outcome, "/data/concept", "/data")
  if (is_abstention(outcome) && KIND["/data/reason"] == "string") print quoted(TEXT["/data/reason"])
  exit EXIT_CODES[outcome]
}

# Returns where the body begins, and sets head_status and head_type. Returns a negative number if
# the head is incomplete or its fields about the length of the body are invalid. After an interim
# response (RFC 9110 section 15.2) comes another head.
function read_head(    at, line, name, types, lengths, chunked) {
  at = 0
  while (1) {
    if ((at = read_line(at)) < 0 || LINE !~ /^HTTP\/[0-9.]+ [0-9][0-9][0-9]/) return -1
    head_status = substr(LINE, index(LINE, " ") + 1, 3) + 0
    head_type = ""; types = lengths = chunked = 0
    while ((at = read_line(at)) >= 0 && LINE != "") {
      line = LINE
      name = tolower(substr(line, 1, index(line, ":") - 1))
      sub(/^[^:]*:[ \t]*/, "", line); sub(/[ \t]+$/, "", line)
      if (name == "content-type") { types++; head_type = line }
      if (name == "content-length") { lengths++; if (line !~ /^[0-9]+$/) return -1 }
      if (name == "transfer-encoding") chunked = 1
    }
    if (types > 1) head_type = ""
    if (at < 0 || lengths > 1 || (lengths && chunked)) return -1
    if (head_status < 100 || head_status > 199 || head_status == 101) return at
  }
}

# Reads a line into LINE. Returns where the next one begins, or a negative number if the line does
# not end.
function read_line(at) {
  for (LINE = ""; at < count && BYTES[at] != 10; at++) if (BYTES[at] != 13) LINE = LINE letter(BYTES[at])
  return at < count ? at + 1 : -1
}

# A classification as one line of JSON in ASCII. Code and registryVersion are below `assigned`,
# reason and candidates below `abstained`.
function format(outcome, assigned, abstained,    line, part, i, at) {
  line = "{\"outcome\":" quoted(outcome)
  if (outcome == "resolved-valid")
    line = line ",\"code\":" quoted(TEXT[assigned "/code"]) ",\"registryVersion\":" quoted(TEXT[assigned "/registryVersion"])
  if (!is_abstention(outcome)) return line "}"
  line = line ",\"reason\":" (KIND[abstained "/reason"] == "string" ? quoted(TEXT[abstained "/reason"]) : "null")
  line = line ",\"candidates\":["
  for (i = 0; i < SIZE[abstained "/candidates"]; i++) {
    # Joined from parts, as in decode.
    if (length(part) > 500) { line = line part; part = "" }
    at = abstained "/candidates/" i
    part = part (i > 0 ? "," : "") "{\"code\":" quoted(TEXT[at "/code"]) ",\"name\":" quoted(TEXT[at "/name"]) "}"
  }
  return line part "]}"
}

function quoted(text) {
  return "\"" text "\""
}

function is_abstention(outcome) {
  return outcome == "unknown" || outcome == "ambiguous"
}

# Whether a value has the members of its outcome.
function is_classification(at,    i) {
  if (TEXT[at "/outcome"] == "resolved-valid") return strings(at, "outcome code registryVersion")
  if (!is_abstention(TEXT[at "/outcome"])) return strings(at, "outcome")
  if (!closed(at, "outcome reason candidates") || !is(at "/reason", "string null") || !is(at "/candidates", "array")) return 0
  for (i = 0; i < SIZE[at "/candidates"]; i++) if (!strings(at "/candidates/" i, "code name")) return 0
  return 1
}

# The outcome of an answer whose body begins at `from`.
function judge(status, type, from,    concept) {
  status += 0
  if (status >= 400 && status <= 499) return "request-error"
  if (status != 200) return "service-error"
  if (!is_json(type) || !read_json(from, count) || !is_resolve_envelope()) return "malformed"
  if (TEXT["/data/input/expression"] != sent) return "malformed"
  concept = KIND["/data/concept"]
  if (TEXT["/data/status"] == "abstained" && concept == "null")
    return KIND["/data/reason"] == "string" && TEXT["/data/reason"] == "ambiguous_expression" ? "ambiguous" : "unknown"
  if (TEXT["/data/status"] != "resolved" || KIND["/data/reason"] != "null" || concept == "null") return "malformed"
  if (TEXT["/data/concept/code"] == "" || TEXT["/data/concept/registryVersion"] == "") return "malformed"
  return "resolved-valid"
}

function is_json(type) {
  sub(/;.*/, "", type)
  gsub(/^[ \t]+|[ \t]+$/, "", type)
  return tolower(type) == "application/json"
}

function is_resolve_envelope(    i) {
  if (!closed("", "data error") || !is("/error", "null")) return 0
  if (!closed("/data", "input status reason embeddingProfile concept candidates confidence margin")) return 0
  if (!closed("/data/input", "expression") || !is("/data/input/expression", "string")) return 0
  if (!is("/data/status", "string") || !is("/data/reason", "string null")) return 0
  if (!is("/data/confidence", "number null") || !is("/data/margin", "number null")) return 0
  if (!is("/data/embeddingProfile", "null") && !is_profile("/data/embeddingProfile")) return 0
  if (!is("/data/concept", "null") && !strings("/data/concept", "code name definition domain registryVersion")) return 0
  if (!is("/data/candidates", "array")) return 0
  for (i = 0; i < SIZE["/data/candidates"]; i++) if (!is_candidate("/data/candidates/" i)) return 0
  return 1
}

function is_profile(at) {
  return closed(at, "name modelName modelVersion dimensions") && is(at "/name", "string") && \
    is(at "/modelName", "string") && is(at "/modelVersion", "string") && is(at "/dimensions", "number") && \
    is_size(TEXT[at "/dimensions"] + 0)
}

function is_size(amount) {
  return amount >= 1 && amount <= 9007199254740991 && amount == int(amount)
}

function is_candidate(at) {
  return closed(at, "code name score") && is(at "/code", "string") && is(at "/name", "string") && is(at "/score", "number")
}

function is(at, kinds) {
  return KIND[at] != "" && index(" " kinds " ", " " KIND[at] " ") > 0
}

# An object with exactly these members.
function closed(at, names,    list, size, i) {
  size = split(names, list, " ")
  if (KIND[at] != "object" || SIZE[at] != size) return 0
  for (i = 1; i <= size; i++) if (KIND[at "/" list[i]] == "") return 0
  return 1
}

function strings(at, names,    list, size, i) {
  if (!closed(at, names)) return 0
  size = split(names, list, " ")
  for (i = 1; i <= size; i++) if (KIND[at "/" list[i]] != "string") return 0
  return 1
}

# Reads JSON (RFC 8259) strictly into KIND, SIZE and TEXT by JSON Pointer. Returns false for
# anything else, such as a duplicate name or half of a surrogate pair.
function read_json(from, to) {
  split("", KIND); split("", SIZE); split("", TEXT)
  invalid = to - from > ANSWER_MAX_BYTES
  at = from; end = to
  if (!invalid) value("", 0)
  if (!invalid) space()
  return !invalid && at == end
}

function fail() {
  invalid = 1
}

function space() {
  while (at < end && (BYTES[at] == 32 || BYTES[at] == 10 || BYTES[at] == 13 || BYTES[at] == 9)) at++
}

function value(path, depth,    first) {
  space()
  if (at >= end || depth > DEPTH_MAX) return fail()
  first = BYTES[at]
  if (first == 123) object(path, depth)
  else if (first == 91) array(path, depth)
  else if (first == 34) { KIND[path] = "string"; TEXT[path] = string() }
  else if (first == 116) literal(path, "true", "boolean")
  else if (first == 102) literal(path, "false", "boolean")
  else if (first == 110) literal(path, "null", "null")
  else number(path)
}

function object(path, depth,    name, place) {
  KIND[path] = "object"; SIZE[path] = 0
  at++; space()
  if (BYTES[at] == 125 && at < end) { at++; return }
  while (!invalid) {
    space()
    if (at >= end || BYTES[at] != 34) return fail()
    name = string(); space()
    if (invalid || at >= end || BYTES[at++] != 58) return fail()
    gsub(/~/, "~0", name); gsub(/\//, "~1", name)
    place = path "/" name
    if (place in KIND) return fail()
    SIZE[path]++
    value(place, depth + 1); space()
    if (invalid || at >= end) return fail()
    if (BYTES[at] == 125) { at++; return }
    if (BYTES[at++] != 44) return fail()
  }
}

function array(path, depth) {
  KIND[path] = "array"; SIZE[path] = 0
  at++; space()
  if (BYTES[at] == 93 && at < end) { at++; return }
  while (!invalid) {
    value(path "/" SIZE[path]++, depth + 1); space()
    if (invalid || at >= end) return fail()
    if (BYTES[at] == 93) { at++; return }
    if (BYTES[at++] != 44) return fail()
  }
}

function literal(path, word, kind,    i) {
  for (i = 1; i <= length(word); i++) if (at >= end || BYTES[at++] != ORDER[substr(word, i, 1)]) return fail()
  KIND[path] = kind
}

function number(path,    text) {
  while (at < end && letter(BYTES[at]) ~ /^[0-9.eE+-]$/) text = text letter(BYTES[at++])
  if (text !~ /^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$/) return fail()
  KIND[path] = "number"; TEXT[path] = text
}

# Reads a string, from its opening quotation mark.
function string(    start, text, part, high, unit) {
  at++
  for (start = at; at < end && BYTES[at] != 34;) {
    if (BYTES[at] < 32) { fail(); return "" }
    if (BYTES[at] != 92) { at++; continue }
    # Joined from parts, as in decode.
    if (length(part) > 500) { text = text part; part = "" }
    part = part decode(start, at)
    at++
    if (BYTES[at] != 117 || at >= end) part = part escaped()
    else {
      unit = hexadecimal()
      if (unit >= 55296 && unit <= 56319) {
        high = unit
        if (BYTES[at] != 92 || BYTES[at + 1] != 117) { fail(); return "" }
        at++
        unit = hexadecimal()
        if (unit < 56320 || unit > 57343) fail()
        part = part sprintf("\\u%04x", high) sprintf("\\u%04x", unit)
      }
      else if (unit >= 56320 && unit <= 57343) fail()
      else part = part ascii(unit)
    }
    if (invalid) return ""
    start = at
  }
  if (at >= end) { fail(); return "" }
  return text part decode(start, at++)
}

function escaped(    sign) {
  sign = at < end ? letter(BYTES[at++]) : ""
  if (sign == "/") return sign
  if (sign != "" && index("bfnrt\"\\", sign) > 0) return "\\" sign
  fail()
  return ""
}

# The four digits after \u.
function hexadecimal(    i, digit, unit) {
  unit = 0
  at++
  for (i = 0; i < 4; i++) {
    digit = at < end ? index("0123456789abcdef", tolower(letter(BYTES[at]))) : 0
    if (digit == 0) { fail(); return 0 }
    unit = unit * 16 + digit - 1
    at++
  }
  return unit
}

# UTF-8 (RFC 3629) to the contents of a JSON string in ASCII.
function decode(from, to,    i, byte, more, least, point, text, part) {
  for (i = from; i < to;) {
    # A long text is joined from parts: awk copies it with each addition.
    if (length(part) > 500) { text = text part; part = "" }
    byte = BYTES[i++]
    if (byte < 128) { part = part ascii(byte); continue }
    if (byte >= 194 && byte <= 223) { more = 1; point = byte - 192; least = 128 }
    else if (byte >= 224 && byte <= 239) { more = 2; point = byte - 224; least = 2048 }
    else if (byte >= 240 && byte <= 244) { more = 3; point = byte - 240; least = 65536 }
    else { fail(); return "" }
    for (; more > 0; more--) {
      if (i >= to || BYTES[i] < 128 || BYTES[i] > 191) { fail(); return "" }
      point = point * 64 + BYTES[i++] - 128
    }
    if (point < least || point > 1114111 || (point >= 55296 && point <= 57343)) { fail(); return "" }
    part = part ascii(point)
  }
  return text part
}

function ascii(point) {
  if (point in SHORT) return SHORT[point]
  if (point >= 32 && point < 127) return sprintf("%c", point)
  if (point < 65536) return sprintf("\\u%04x", point)
  point -= 65536
  return sprintf("\\u%04x\\u%04x", 55296 + int(point / 1024), 56320 + point % 1024)
}

# An ASCII character or a tab; for any other byte, a character that is in no keyword.
function letter(byte) {
  return byte == 9 || (byte >= 32 && byte < 127) ? sprintf("%c", byte) : "?"
}

# Loads the bytes of a text that is kept in ASCII.
function load(text,    i, sign, unit, point) {
  split("", BYTES); count = 0
  for (i = 1; i <= length(text);) {
    sign = substr(text, i, 1)
    if (sign != "\\") { store(ORDER[sign]); i++; continue }
    sign = substr(text, i + 1, 1)
    if (sign != "u") { store(unescaped(sign)); i += 2; continue }
    unit = four(substr(text, i + 2, 4)); i += 6
    if (unit >= 55296 && unit <= 56319) {
      point = 65536 + (unit - 55296) * 1024 + four(substr(text, i + 2, 4)) - 56320
      i += 6
      store(240 + int(point / 262144)); store(128 + int(point / 4096) % 64)
      store(128 + int(point / 64) % 64); store(128 + point % 64)
    }
    else if (unit >= 2048) { store(224 + int(unit / 4096)); store(128 + int(unit / 64) % 64); store(128 + unit % 64) }
    else if (unit >= 128) { store(192 + int(unit / 64)); store(128 + unit % 64) }
    else store(unit)
  }
}

function store(byte) {
  BYTES[count++] = byte
}

function unescaped(sign) {
  if (sign == "b") return 8
  if (sign == "t") return 9
  if (sign == "n") return 10
  if (sign == "f") return 12
  if (sign == "r") return 13
  return ORDER[sign]
}

function four(digits,    i, unit) {
  unit = 0
  for (i = 1; i <= 4; i++) unit = unit * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
  return unit
}
