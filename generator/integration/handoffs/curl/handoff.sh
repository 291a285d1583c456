#!/bin/sh
# Handoff of the recipe @RECIPE_ID@ for a POSIX shell with awk, od and curl; it needs no jq.
#
#   sh curl/handoff.sh prove
#       judges the six fixtures, without a network
#   sh curl/handoff.sh resolve --live EXPRESSION [LANGUAGE]
#       makes one call to @ORIGIN@
#
# Bytes reach awk as numbers, so no locale and no unexpected byte can change them. classify.awk says
# what an answer means.

RESOLVE_URL='@RESOLVE_URL@'
# All that the folders of the programs hold, in order.
PROGRAMS='@PROGRAMS@'
FOLDERS='curl node powershell python'
TIMEOUT_SECONDS=10
OUTCOMES='resolved-valid unknown ambiguous malformed request-error service-error'

LINE_FEED='
'

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
LC_ALL=C
export LC_ALL

numbers() {
  od -An -v -tu1
}

classify() {
  awk -v task="$1" -v name="$2" -f "$here/classify.awk"
}

programs() {
  for folder in $FOLDERS; do
    ls -A -- "$here/../$folder" 2>/dev/null | awk -v folder="$folder" '{ print folder "/" $0 }'
  done
}

# Prints a line for each fixture; fails if one is not as declared, or the programs are not.
prove() {
  if [ "$(programs)" != "$(printf '%s\n' $PROGRAMS)" ]; then
    printf '%s\n' "programs: the folders of the kit do not hold exactly $PROGRAMS"
    return 1
  fi
  whole=0
  for name in $OUTCOMES; do
    { [ ! -r "$here/../fixtures/$name.json" ] || numbers <"$here/../fixtures/$name.json"; } | classify fixture "$name" || whole=1
  done
  return "$whole"
}

# Prints the argument as a JSON string in ASCII; fails if it is not UTF-8.
quote() {
  printf '%s' "$1" | numbers | classify quote ''
}

# Makes one call, without a retry, a redirect, or the settings and proxy of the machine. Prints head
# and body and, after a line feed, curl's exit code.
ask() {
  printf '%s' "$1" | curl -q --silent --include --http1.1 --noproxy '*' --max-time "$TIMEOUT_SECONDS" \
    --header 'Content-Type: application/json' --header 'Accept: application/json' --data-binary @- "$RESOLVE_URL"
  printf '\n%s' "$?"
}

usage() {
  cat <<'END'
Usage: handoff.sh prove
       handoff.sh resolve --live [--keep FILE] EXPRESSION [LANGUAGE]

prove    judges the six fixtures of the kit, without a network, if its folders hold exactly its programs.
         Exit code 0: all are as declared; 1: one is not, or the programs are not.
resolve  sends the expression once to @ORIGIN@ and prints the outcome.
         With --keep, an abstention is added to FILE on this machine: expression, language, reason, count and day.
         Exit code 0: resolved-valid; 3: unknown; 4: ambiguous; 5: malformed; 6: request-error; 7: service-error.
Exit code 2: wrong usage, nothing was sent.
END
}

# Asks with an expression and perhaps a language, and prints the outcome. If `keeping` is set, an
# abstention is added to the file of that name.
resolve() {
  expression=$(quote "$1") && language=$(quote "${2-}") || refuse
  body="{\"expression\":$expression,\"language\":$language}"
  [ "$#" = 2 ] || { language=null; body="{\"expression\":$expression}"; }
  said=$({ printf '%s' "$1" | numbers; echo answer; ask "$body" | numbers; } | classify answer '')
  code=$?
  printf '%s\n' "${said%%"$LINE_FEED"*}"
  case $said in
  *"$LINE_FEED"*) [ -z "${keeping+set}" ] || keep "$keeping" "${said#*"$LINE_FEED"}" ;;
  esac
  return "$code"
}

# Adds an abstention to a file of this machine: these five members, and nothing else.
keep() {
  gap="{\"expression\":$expression,\"language\":$language,\"reason\":$2,\"count\":1,\"day\":\"$(date -u +%Y-%m-%d)\"}"
  (umask 077 && printf '%s\n' "$gap" >>"$1") 2>/dev/null ||
    printf '%s\n' 'The abstention was not kept: the file cannot be written' >&2
}

refuse() {
  usage >&2
  exit 2
}

# Nothing is sent unless --live asks for it.
case "$#:${1-}:${2-}:${3-}" in
1:--help::) usage ;;
1:prove::) prove ;;
[34]:resolve:--live:*) unset keeping && shift 2 && resolve "$@" ;;
[56]:resolve:--live:--keep) keeping=$4 && shift 4 && resolve "$@" ;;
*) refuse ;;
esac
