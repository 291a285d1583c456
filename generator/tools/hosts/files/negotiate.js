/**
 * Chooses the variant of a path by Accept (RFC 9110 section 12.5.1) for nginx with its JavaScript
 * module: the most specific range that matches a type gives its weight, the highest weight wins,
 * then the order of the variants. It is written in the older JavaScript of njs.
 */

/** Splits at a character that is not inside a quoted string. */
function split(text, separator) {
  var parts = [];
  var start = 0;
  var quoted = false;
  for (var i = 0; i < text.length; i++) {
    var character = text.charAt(i);
    if (quoted && character === "\\") i++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

var TOKEN = "[A-Za-z0-9_!#$%&'*+.^`|~-]+";
var RANGE = new RegExp("^(" + TOKEN + ")/(" + TOKEN + ")$");
var PARAMETER = new RegExp("^(" + TOKEN + ")=(" + TOKEN + '|"(?:[^"\\\\]|\\\\.)*")$');
var WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|\.[0-9]{1,3}|1(?:\.0{0,3})?)$/;

function unquote(value) {
  return value.charAt(0) === '"' ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
}

/** A media range, or undefined if it is malformed. */
function parse(text) {
  var parts = split(text, ";");
  var found = RANGE.exec(parts[0].trim());
  if (found === null || (found[1] === "*" && found[2] !== "*")) return undefined;
  var range = { type: found[1].toLowerCase(), subtype: found[2].toLowerCase(), parameters: {}, weight: "" };
  for (var i = 1; i < parts.length; i++) {
    var written = parts[i].trim();
    if (written === "") continue;
    var parameter = PARAMETER.exec(written);
    if (parameter === null) return undefined;
    var name = parameter[1].toLowerCase();
    if (name !== "q") range.parameters[name] = unquote(parameter[2]);
    else if (range.weight === "") range.weight = parameter[2];
  }
  return range.weight === "" || WEIGHT.test(range.weight) ? range : undefined;
}

/** How specifically a range matches; -1 if it does not. */
function match(range, type) {
  if (range.type === "*") return 0;
  if (range.type !== type.type) return -1;
  if (range.subtype === "*") return 1;
  if (range.subtype !== type.subtype) return -1;
  var asked = 0;
  var names = Object.keys(range.parameters);
  for (var i = 0; i < names.length; i++) {
    var value = range.parameters[names[i]];
    if (range.subtype === "markdown" || (names[i] === "charset" && value.toLowerCase() === "utf-8")) continue;
    if (type.parameters[names[i]] !== value) return -1;
    asked++;
  }
  return asked > 0 ? 3 : 2;
}

/** The index of the type to send, or -1 if the field permits none. */
function negotiate(field, types) {
  var ranges = field === undefined ? [] : split(field, ",").map(parse).filter(function (range) { return range !== undefined; }); // prettier-ignore
  if (ranges.length === 0) return 0;
  var best = -1;
  var highest = 0;
  types.forEach(function (text, at) {
    var type = parse(text);
    var specificity = -1;
    var weight = 0;
    ranges.forEach(function (range) {
      var own = range.weight === "" ? 1 : Number(range.weight);
      var matched = match(range, type);
      if (matched < 0 || matched < specificity || (matched === specificity && own <= weight)) return;
      specificity = matched;
      weight = own;
    });
    if (weight > highest) {
      best = at;
      highest = weight;
    }
  });
  return best;
}

/**
 * Sends the request on to the location of the variant: `$variants` has their media types, `$name`
 * their names.
 */
function choose(request) {
  var at = negotiate(request.headersIn["Accept"], request.variables.variants.split("|"));
  request.internalRedirect("@" + request.variables.name + "_" + (at < 0 ? "none" : at));
}

/** Sends the whole file if nginx takes it to be fresh. */
function always(request) {
  if (request.status !== 304) return;
  request.status = 200;
  request.headersOut["Content-Type"] = request.variables.media_type;
}

function withoutLength(request) {
  delete request.headersOut["Content-Length"];
}

export default { always: always, choose: choose, negotiate: negotiate, withoutLength: withoutLength }; // prettier-ignore
