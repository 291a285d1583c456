# Handoff of the recipe @RECIPE_ID@ for Windows PowerShell 5.1 and PowerShell 7;
# it needs no modules.
#
#   pwsh -NoProfile -File powershell/handoff.ps1 prove
#       judges the six fixtures, without a network
#   pwsh -NoProfile -File powershell/handoff.ps1 resolve --live EXPRESSION [LANGUAGE]
#       makes one call to @ORIGIN@
#
# With Windows PowerShell:
#   powershell -NoProfile -ExecutionPolicy Bypass -File powershell\handoff.ps1 prove

$ErrorActionPreference = 'Stop'
$ResolveUrl = '@RESOLVE_URL@'
# All that the folders of the programs hold, in order.
$Programs = '@PROGRAMS@'
$Folders = @('curl', 'node', 'powershell', 'python')
$TimeoutSeconds = 10
# A longer answer is not read.
$AnswerMaxBytes = 262144
$DepthMax = 16
$Outcomes = @('resolved-valid', 'unknown', 'ambiguous', 'malformed', 'request-error', 'service-error')
# Exit codes of resolve, by outcome; 2 is wrong usage.
$ExitCodes = @(0, 3, 4, 5, 6, 7)
# Throws on bytes that are not UTF-8, and on half of a surrogate pair.
$Utf8 = New-Object System.Text.UTF8Encoding -ArgumentList $false, $true

# Judges one exchange: the expression that was sent, and the answer (Status, ContentType or null,
# Body as bytes), or null if no complete answer came. The first rule that applies decides, and only
# resolved-valid gives a code. Anything unclear assigns nothing: unknown and ambiguous have the
# reason and the candidates, best first, which are what a person can be asked about.
function Get-Classification([string] $Expression, $Response) {
  if ($null -eq $Response) { return New-Classification 'service-error' }
  if ($Response.Status -ge 400 -and $Response.Status -le 499) { return New-Classification 'request-error' }
  if ($Response.Status -ne 200) { return New-Classification 'service-error' }
  if (-not (Test-JsonType $Response.ContentType)) { return New-Classification 'malformed' }
  $answer = Read-Json $Response.Body
  if (-not (Test-ResolveEnvelope $answer)) { return New-Classification 'malformed' }
  $data = $answer.Value['data'].Value
  if (-not (Test-Same $data['input'].Value['expression'].Value $Expression)) { return New-Classification 'malformed' }
  $status = $data['status'].Value
  $reason = $data['reason']
  $concept = $data['concept']
  if ((Test-Same $status 'abstained') -and $concept.Kind -eq 'null') {
    $outcome = 'unknown'
    if ($reason.Kind -eq 'string' -and (Test-Same $reason.Value 'ambiguous_expression')) { $outcome = 'ambiguous' }
    return New-Abstention $outcome $reason $data['candidates']
  }
  if (-not (Test-Same $status 'resolved') -or $reason.Kind -ne 'null' -or $concept.Kind -eq 'null') {
    return New-Classification 'malformed'
  }
  $code = $concept.Value['code'].Value
  $registryVersion = $concept.Value['registryVersion'].Value
  if ($code.Length -eq 0 -or $registryVersion.Length -eq 0) { return New-Classification 'malformed' }
  return New-Classification 'resolved-valid' $code $registryVersion
}

function New-Classification([string] $Outcome, [string] $Code, [string] $RegistryVersion) {
  return New-Object PSObject -Property @{ Outcome = $Outcome; Code = $Code; RegistryVersion = $RegistryVersion }
}

# Reason is null or a string; Candidates have Code and Name.
function New-Abstention([string] $Outcome, $Reason, $Candidates) {
  $made = New-Object PSObject -Property @{ Outcome = $Outcome; Reason = $Reason.Value; Candidates = @() }
  $made.Candidates = @($Candidates.Value | ForEach-Object {
    New-Object PSObject -Property @{ Code = $_.Value['code'].Value; Name = $_.Value['name'].Value }
  })
  return $made
}

function Test-Abstention([string] $Outcome) {
  return (Test-Same $Outcome 'unknown') -or (Test-Same $Outcome 'ambiguous')
}

# -eq compares by culture, which treats different texts as equal.
function Test-Same($One, $Other) {
  return [string]::Equals([string] $One, [string] $Other, [System.StringComparison]::Ordinal)
}

function Test-JsonType($ContentType) {
  if ($null -eq $ContentType) { return $false }
  $type = $ContentType.Split(';')[0].Trim([char[]] " `t").ToLowerInvariant()
  return Test-Same $type 'application/json'
}

# Reads JSON (RFC 8259) strictly: UTF-8 without a byte order mark, no duplicate names, no half of a
# surrogate pair. Returns null for anything else. A value is an object with Kind and Value; the
# Value of a number is its text.
function Read-Json([byte[]] $Bytes) {
  if ($Bytes.Length -gt $AnswerMaxBytes) { return $null }
  try {
    $script:Json = $Utf8.GetString($Bytes)
    $script:At = 0
    $value = Read-Value 0
    Skip-Space
    if ($script:At -lt $script:Json.Length) { throw 'There is something after the value' }
    return $value
  } catch {
    return $null
  }
}

$SpacePattern = New-Object regex -ArgumentList '\G[ \t\r\n]*'
$NumberPattern = New-Object regex -ArgumentList '\G-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'
$StringPattern = New-Object regex -ArgumentList '\G"((?>[^"\\\x00-\x1f]+|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"'
$EscapePattern = New-Object regex -ArgumentList '\\(?:u([0-9a-fA-F]{4})|(.))'
$Literals = @{ true = 'boolean'; false = 'boolean'; null = 'null' }

function Skip-Space {
  $script:At += $SpacePattern.Match($script:Json, $script:At).Length
}

# The next character that is not white space; null at the end.
function Get-Next {
  Skip-Space
  if ($script:At -ge $script:Json.Length) { return $null }
  return $script:Json.Substring($script:At, 1)
}

function New-Json([string] $Kind, $Value) {
  $made = New-Object PSObject -Property @{ Kind = $Kind; Value = $null }
  $made.Value = $Value
  return $made
}

function Read-Value([int] $Depth) {
  if ($Depth -gt $DepthMax) { throw 'The value is nested too deeply' }
  $next = Get-Next
  if ($null -eq $next) { throw 'A value is missing' }
  if (Test-Same $next '{') { return Read-Object $Depth }
  if (Test-Same $next '[') { return Read-Array $Depth }
  if (Test-Same $next '"') { return New-Json 'string' (Read-String) }
  foreach ($word in $Literals.Keys) {
    if ([string]::CompareOrdinal($script:Json, $script:At, $word, 0, $word.Length) -eq 0) {
      $script:At += $word.Length
      return New-Json $Literals[$word] $null
    }
  }
  $match = $NumberPattern.Match($script:Json, $script:At)
  if (-not $match.Success) { throw 'There is no value' }
  $script:At += $match.Length
  return New-Json 'number' $match.Value
}

function Read-Object([int] $Depth) {
  $members = New-Object 'System.Collections.Generic.Dictionary[string,object]' -ArgumentList ([System.StringComparer]::Ordinal)
  $script:At++
  $next = Get-Next
  if (Test-Same $next '}') {
    $script:At++
    return New-Json 'object' $members
  }
  while ($true) {
    $next = Get-Next
    if (-not (Test-Same $next '"')) { throw 'A name is missing' }
    $name = Read-String
    $next = Get-Next
    if (-not (Test-Same $next ':')) { throw 'A colon is missing' }
    $script:At++
    # Add throws if the name is there already.
    $members.Add($name, (Read-Value ($Depth + 1)))
    $next = Get-Next
    $script:At++
    if (Test-Same $next '}') { return New-Json 'object' $members }
    if (-not (Test-Same $next ',')) { throw 'A comma is missing' }
  }
}

function Read-Array([int] $Depth) {
  $items = New-Object 'System.Collections.Generic.List[object]'
  $script:At++
  $next = Get-Next
  if (Test-Same $next ']') {
    $script:At++
    return New-Json 'array' $items
  }
  while ($true) {
    $items.Add((Read-Value ($Depth + 1)))
    $next = Get-Next
    $script:At++
    if (Test-Same $next ']') { return New-Json 'array' $items }
    if (-not (Test-Same $next ',')) { throw 'A comma is missing' }
  }
}

function Read-String {
  $match = $StringPattern.Match($script:Json, $script:At)
  if (-not $match.Success) { throw 'A string is broken' }
  $script:At += $match.Length
  $text = $match.Groups[1].Value
  if ($text.IndexOf('\') -ge 0) { $text = $EscapePattern.Replace($text, $Unescape) }
  $null = $Utf8.GetByteCount($text)
  return $text
}

$Unescape = [System.Text.RegularExpressions.MatchEvaluator] {
  param($match)
  if ($match.Groups[1].Success) { return [string] [char] [System.Convert]::ToInt32($match.Groups[1].Value, 16) }
  $sign = $match.Groups[2].Value
  $at = 'bfnrt'.IndexOf($sign, [System.StringComparison]::Ordinal)
  if ($at -lt 0) { return $sign }
  return [string] [char] @(8, 12, 10, 13, 9)[$at]
}

function Test-Kind($Value, [string[]] $Kinds) {
  return ($null -ne $Value) -and ($Kinds -contains $Value.Kind)
}

# An object with exactly these members, each of one of its kinds.
function Test-Closed($Value, [hashtable] $Members) {
  if (-not (Test-Kind $Value 'object')) { return $false }
  # A member named Count would hide the property.
  if ($Value.Value.get_Count() -ne $Members.Count) { return $false }
  foreach ($name in $Members.Keys) {
    if (-not $Value.Value.ContainsKey($name)) { return $false }
    if (-not (Test-Kind $Value.Value[$name] $Members[$name])) { return $false }
  }
  return $true
}

function Test-ResolveEnvelope($Envelope) {
  if (-not (Test-Closed $Envelope @{ data = 'object'; error = 'null' })) { return $false }
  $data = $Envelope.Value['data']
  $members = @{
    input = 'object'; status = 'string'; reason = 'string', 'null'; embeddingProfile = 'object', 'null'
    concept = 'object', 'null'; candidates = 'array'; confidence = 'number', 'null'; margin = 'number', 'null'
  }
  if (-not (Test-Closed $data $members)) { return $false }
  if (-not (Test-Closed $data.Value['input'] @{ expression = 'string' })) { return $false }
  if (-not (Test-Profile $data.Value['embeddingProfile'])) { return $false }
  $concept = $data.Value['concept']
  $members = @{ code = 'string'; name = 'string'; definition = 'string'; domain = 'string'; registryVersion = 'string' }
  if ($concept.Kind -ne 'null' -and -not (Test-Closed $concept $members)) { return $false }
  foreach ($candidate in $data.Value['candidates'].Value) {
    if (-not (Test-Closed $candidate @{ code = 'string'; name = 'string'; score = 'number' })) { return $false }
  }
  return $true
}

function Test-Profile($Embedding) {
  if ($Embedding.Kind -eq 'null') { return $true }
  $members = @{ name = 'string'; modelName = 'string'; modelVersion = 'string'; dimensions = 'number' }
  return (Test-Closed $Embedding $members) -and (Test-Size $Embedding.Value['dimensions'].Value)
}

# An integer from 1 to 2^53-1, however it is written.
function Test-Size([string] $Text) {
  try {
    $size = [double]::Parse($Text, [System.Globalization.CultureInfo]::InvariantCulture)
  } catch {
    return $false
  }
  return $size -ge 1 -and $size -le 9007199254740991 -and $size -eq [System.Math]::Floor($size)
}

# Prints a line for each fixture; 0 if all six are as declared, and the programs as well.
function Invoke-Proof {
  if (-not (Test-Same (Get-Programs) $Programs)) {
    Write-Line "programs: the folders of the kit do not hold exactly $Programs"
    return 1
  }
  $code = 0
  foreach ($name in $Outcomes) {
    $said = Get-Judgement $name
    if (-not $said.AsDeclared) { $code = 1 }
    Write-Line "${name}: $($said.Text)"
  }
  return $code
}

function Get-Programs {
  $held = New-Object 'System.Collections.Generic.List[string]'
  try {
    foreach ($folder in $Folders) {
      $place = [System.IO.Path]::Combine((Split-Path -Parent $PSScriptRoot), $folder)
      foreach ($entry in [System.IO.Directory]::GetFileSystemEntries($place)) {
        $held.Add($folder + '/' + [System.IO.Path]::GetFileName($entry))
      }
    }
  } catch {
    return $null
  }
  $held.Sort([System.StringComparer]::Ordinal)
  return [string]::Join(' ', $held.ToArray())
}

function Get-Judgement([string] $Name) {
  $odd = New-Object PSObject -Property @{ AsDeclared = $false; Text = 'not a fixture of this name' }
  $fixture = Read-Fixture $Name
  if (-not (Test-Kind $fixture 'object')) { return $odd }
  $expected = Get-Field $fixture 'expected'
  $declaredOutcome = Get-Field $expected 'outcome'
  $expression = Get-Field (Get-Field $fixture 'request') 'expression'
  $response = Get-Field $fixture 'response'
  if (-not (Test-Kind $declaredOutcome 'string') -or -not (Test-Same $declaredOutcome.Value $Name)) { return $odd }
  if (-not (Test-Kind $expression 'string') -or -not (Test-Kind $response 'object', 'null')) { return $odd }
  $exchange = $null
  if ($response.Kind -eq 'object') {
    $status = Get-Field $response 'status'
    $type = Get-Field $response 'contentType'
    $body = Get-Field $response 'body'
    if (-not (Test-Kind $status 'number') -or -not (Test-Kind $type 'string', 'null') -or -not (Test-Kind $body 'string')) { return $odd }
    $number = [double]::Parse($status.Value, [System.Globalization.CultureInfo]::InvariantCulture)
    $exchange = New-Response $number $type.Value $Utf8.GetBytes($body.Value)
  }
  $declaration = Read-Classification $Name $expected
  if ($null -eq $declaration) { return $odd }
  $found = Format-Classification (Get-Classification $expression.Value $exchange)
  $declared = Format-Classification $declaration
  $asDeclared = Test-Same $found $declared
  $text = Format-Judgement $declaration
  if (-not $asDeclared) { $text = "$found, but $declared is declared" }
  return New-Object PSObject -Property @{ AsDeclared = $asDeclared; Text = $text }
}

# The classification that a fixture declares; null if it does not have the members of its outcome.
function Read-Classification([string] $Outcome, $Expected) {
  if (Test-Same $Outcome 'resolved-valid') {
    if (-not (Test-Closed $Expected @{ outcome = 'string'; code = 'string'; registryVersion = 'string' })) { return $null }
    return New-Classification $Outcome $Expected.Value['code'].Value $Expected.Value['registryVersion'].Value
  }
  if (-not (Test-Abstention $Outcome)) {
    if (-not (Test-Closed $Expected @{ outcome = 'string' })) { return $null }
    return New-Classification $Outcome
  }
  if (-not (Test-Closed $Expected @{ outcome = 'string'; reason = 'string', 'null'; candidates = 'array' })) { return $null }
  foreach ($candidate in $Expected.Value['candidates'].Value) {
    if (-not (Test-Closed $candidate @{ code = 'string'; name = 'string' })) { return $null }
  }
  return New-Abstention $Outcome $Expected.Value['reason'] $Expected.Value['candidates']
}

function Read-Fixture([string] $Name) {
  try {
    $file = [System.IO.Path]::Combine((Split-Path -Parent $PSScriptRoot), 'fixtures', "$Name.json")
    return Read-Json ([System.IO.File]::ReadAllBytes($file))
  } catch {
    return $null
  }
}

# A member of an object; null if there is none.
function Get-Field($Value, [string] $Name) {
  if (-not (Test-Kind $Value 'object') -or -not $Value.Value.ContainsKey($Name)) { return $null }
  return $Value.Value[$Name]
}

function Format-Judgement($Classification) {
  if ($Classification.Outcome -ne 'resolved-valid') { return $Classification.Outcome }
  return "$($Classification.Outcome) $(ConvertTo-Ascii $Classification.Code) $(ConvertTo-Ascii $Classification.RegistryVersion)"
}

function New-Response([double] $Status, $ContentType, [byte[]] $Body) {
  $made = New-Object PSObject -Property @{ Status = $Status; ContentType = $ContentType; Body = $null }
  $made.Body = $Body
  return $made
}

# Makes one call, without a retry. Null if no complete answer comes in time; a redirect is not
# followed.
function Invoke-Resolve([string] $Body) {
  Add-Type -AssemblyName System.Net.Http
  # Windows PowerShell may not offer TLS 1.2 by default.
  if ($PSVersionTable.PSVersion.Major -lt 6) {
    [System.Net.ServicePointManager]::SecurityProtocol = [System.Net.ServicePointManager]::SecurityProtocol -bor [System.Net.SecurityProtocolType]::Tls12
  }
  $clock = [System.Diagnostics.Stopwatch]::StartNew()
  $handler = New-Object System.Net.Http.HttpClientHandler
  $handler.AllowAutoRedirect = $false
  $handler.UseProxy = $false
  $handler.UseCookies = $false
  $client = New-Object System.Net.Http.HttpClient -ArgumentList $handler
  try {
    $request = New-Object System.Net.Http.HttpRequestMessage -ArgumentList ([System.Net.Http.HttpMethod]::Post), $ResolveUrl
    $request.Content = New-Object System.Net.Http.ByteArrayContent -ArgumentList (, [System.Text.Encoding]::ASCII.GetBytes($Body))
    $null = $request.Content.Headers.TryAddWithoutValidation('Content-Type', 'application/json')
    $null = $request.Headers.TryAddWithoutValidation('Accept', 'application/json')
    $request.Headers.ExpectContinue = $false
    $sending = $client.SendAsync($request, [System.Net.Http.HttpCompletionOption]::ResponseHeadersRead)
    if (-not $sending.Wait($TimeoutSeconds * 1000)) { return $null }
    $response = $sending.Result
    $types = $null
    $type = $null
    # With two, it is unclear which one counts.
    if ($response.Content.Headers.TryGetValues('Content-Type', [ref] $types)) {
      if (@($types).Count -eq 1) { $type = @($types)[0] }
    }
    # The library accepts a length that is not a number, that is there twice, or that contradicts
    # the chunks.
    $lengths = $null
    if ($response.Content.Headers.TryGetValues('Content-Length', [ref] $lengths)) {
      if (@($lengths).Count -ne 1 -or @($lengths)[0] -notmatch '^[0-9]+$') { return $null }
      if ($response.Headers.TransferEncodingChunked -eq $true) { return $null }
    }
    # Only the body of a 200 is read.
    $status = [int] $response.StatusCode
    if ($status -ne 200) { return New-Response $status $type ([byte[]] @()) }
    $stream = $response.Content.ReadAsStreamAsync().Result
    $content = Read-Stream $stream $clock
    $length = $response.Content.Headers.ContentLength
    if ($null -eq $content) { return $null }
    if ($null -ne $length -and $content.Length -le $AnswerMaxBytes -and $content.Length -lt $length) { return $null }
    return New-Response $status $type $content
  } catch {
    return $null
  } finally {
    $client.Dispose()
  }
}

# The bytes of a stream, up to a few more than the limit; null if they do not come in time.
function Read-Stream($Stream, $Clock) {
  $content = New-Object System.IO.MemoryStream
  $buffer = New-Object byte[] 8192
  while ($content.Length -le $AnswerMaxBytes) {
    $left = $TimeoutSeconds * 1000 - $Clock.ElapsedMilliseconds
    if ($left -le 0) { return $null }
    $reading = $Stream.ReadAsync($buffer, 0, $buffer.Length)
    if (-not $reading.Wait([int] $left)) { return $null }
    if ($reading.Result -eq 0) { break }
    $content.Write($buffer, 0, $reading.Result)
  }
  return , $content.ToArray()
}

# The contents of a JSON string, in ASCII.
function ConvertTo-Ascii([string] $Text) {
  $made = New-Object System.Text.StringBuilder
  foreach ($unit in $Text.ToCharArray()) {
    $number = [int] $unit
    $at = [System.Array]::IndexOf(@(8, 9, 10, 12, 13, 34, 92), $number)
    if ($at -ge 0) { $null = $made.Append('\').Append('btnfr"\'[$at]) }
    elseif ($number -ge 32 -and $number -lt 127) { $null = $made.Append($unit) }
    else { $null = $made.Append('\u').Append($number.ToString('x4')) }
  }
  return $made.ToString()
}

function Format-Classification($Classification) {
  $line = '{"outcome":"' + $Classification.Outcome + '"'
  if ($Classification.Outcome -eq 'resolved-valid') {
    $line += ',"code":"' + (ConvertTo-Ascii $Classification.Code) + '","registryVersion":"' + (ConvertTo-Ascii $Classification.RegistryVersion) + '"'
  }
  if (Test-Abstention $Classification.Outcome) {
    $reason = 'null'
    if ($null -ne $Classification.Reason) { $reason = '"' + (ConvertTo-Ascii $Classification.Reason) + '"' }
    $named = @($Classification.Candidates | ForEach-Object {
      '{"code":"' + (ConvertTo-Ascii $_.Code) + '","name":"' + (ConvertTo-Ascii $_.Name) + '"}'
    })
    $line += ',"reason":' + $reason + ',"candidates":[' + [string]::Join(',', $named) + ']'
  }
  return $line + '}'
}

# Writes ASCII and a line feed, whatever the settings of the console are.
function Write-Line([string] $Line) {
  $bytes = [System.Text.Encoding]::ASCII.GetBytes("$Line`n")
  $output = [System.Console]::OpenStandardOutput()
  $output.Write($bytes, 0, $bytes.Length)
  $output.Flush()
}

$Usage = @'
Usage: handoff.ps1 prove
       handoff.ps1 resolve --live [--keep FILE] EXPRESSION [LANGUAGE]

prove    judges the six fixtures of the kit, without a network, if its folders hold exactly its programs.
         Exit code 0: all are as declared; 1: one is not, or the programs are not.
resolve  sends the expression once to @ORIGIN@ and prints the outcome.
         With --keep, an abstention is added to FILE on this machine: expression, language, reason, count and day.
         Exit code 0: resolved-valid; 3: unknown; 4: ambiguous; 5: malformed; 6: request-error; 7: service-error.
Exit code 2: wrong usage, nothing was sent.
'@

# Adds an abstention to a file of this machine: these five members, and nothing else.
function Add-Gap([string] $File, [string] $Expression, [string] $Language, [string] $Reason) {
  $day = [System.DateTime]::UtcNow.ToString('yyyy-MM-dd', [System.Globalization.CultureInfo]::InvariantCulture)
  $gap = '{"expression":"' + $Expression + '","language":' + $Language + ',"reason":"' + $Reason + '","count":1,"day":"' + $day + '"}'
  try {
    $place = [System.IO.Path]::Combine((Get-Location).ProviderPath, $File)
    [System.IO.File]::AppendAllText($place, "$gap`n", [System.Text.Encoding]::ASCII)
  } catch {
    [System.Console]::Error.WriteLine('The abstention was not kept: the file cannot be written')
  }
}

function Invoke-Main([string[]] $Arguments) {
  if ($Arguments.Count -eq 1 -and (Test-Same $Arguments[0] '--help')) {
    Write-Line $Usage
    return 0
  }
  if ($Arguments.Count -eq 1 -and (Test-Same $Arguments[0] 'prove')) { return Invoke-Proof }
  # Nothing is sent unless --live asks for it.
  $file = $null
  if ($Arguments.Count -gt 4 -and (Test-Same $Arguments[2] '--keep')) {
    $file = $Arguments[3]
    $Arguments = @($Arguments[0..1]) + @($Arguments[4..($Arguments.Count - 1)])
  }
  $isCall = ($Arguments.Count -eq 3 -or $Arguments.Count -eq 4) -and (Test-Same $Arguments[0] 'resolve') -and (Test-Same $Arguments[1] '--live')
  if (-not $isCall) {
    [System.Console]::Error.WriteLine($Usage)
    return 2
  }
  $body = '{"expression":"' + (ConvertTo-Ascii $Arguments[2]) + '"'
  if ($Arguments.Count -eq 4) { $body += ',"language":"' + (ConvertTo-Ascii $Arguments[3]) + '"' }
  $classification = Get-Classification $Arguments[2] (Invoke-Resolve ($body + '}'))
  Write-Line (Format-Classification $classification)
  if ($null -ne $file -and (Test-Abstention $classification.Outcome) -and $null -ne $classification.Reason) {
    $language = 'null'
    if ($Arguments.Count -eq 4) { $language = '"' + (ConvertTo-Ascii $Arguments[3]) + '"' }
    Add-Gap $file (ConvertTo-Ascii $Arguments[2]) $language (ConvertTo-Ascii $classification.Reason)
  }
  return $ExitCodes[[System.Array]::IndexOf($Outcomes, $classification.Outcome)]
}

# The arguments after this script on the command line, unchanged: in $args, PowerShell splits an
# argument that looks like one of its own parameters, such as -a:b. If another script calls this
# one, there is only $args.
function Get-Arguments([object[]] $Given) {
  $line = [System.Environment]::GetCommandLineArgs()
  for ($i = 1; $i -lt $line.Length; $i++) {
    try { $path = [System.IO.Path]::GetFullPath($line[$i]) } catch { continue }
    if ([string]::Equals($path, $PSCommandPath, [System.StringComparison]::OrdinalIgnoreCase)) {
      if ($i + 1 -eq $line.Length) { return @() }
      return $line[($i + 1)..($line.Length - 1)]
    }
  }
  return $Given
}

exit (Invoke-Main @(Get-Arguments $args))
