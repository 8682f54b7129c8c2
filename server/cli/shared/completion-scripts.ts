// The completion scripts of bash, zsh and fish. A script knows all words; it starts `mooring` only for what the agent knows: names, ids
// and paths.
import type { CompletedCommand, ValueKind, Word } from './completion-words.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Hidden command that prints the values of a kind, one a line: the value, a tab, and a few words on it. */
export const valuesCommand = '__complete';

export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(commands);
  return shell === 'bash' ? bashScript(commands) : zshScript(commands);
}

/** Keys with the same body share a clause. */
interface Clause {
  readonly keys: readonly string[];
  readonly body: string;
}

function grouped(pairs: readonly (readonly [key: string, body: string])[]): readonly Clause[] {
  const clauses = new Map<string, string[]>();
  for (const [key, body] of pairs) clauses.set(body, [...(clauses.get(body) ?? []), key]);
  return [...clauses].map(([body, keys]) => ({ keys, body }));
}

/** Of the value after an option: `mirror add:--mode`. */
function optionValues(commands: readonly CompletedCommand[]): readonly (readonly [string, string])[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ word, value }) =>
      value === null ? [] : [[`${path}:${word}`, kindText(value)] as const],
    ),
  );
}

/** Of an argument, counted from 0: `workspace rename:0`. */
function argumentValues(commands: readonly CompletedCommand[]): readonly (readonly [string, string])[] {
  return commands.flatMap(({ path, arguments: kinds }) =>
    kinds.map((kind, index) => [`${path}:${index}`, kindText(kind)] as const),
  );
}

function kindText(kind: ValueKind): string {
  return typeof kind === 'string' ? kind : kind.join(' ');
}

// ---- bash and zsh

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function caseOf(subject: string, clauses: readonly Clause[], indent: string): string {
  const lines = clauses.map(({ keys, body }) => `${indent}  ${keys.map(quoted).join('|')}) ${body} ;;`);
  return [`${indent}case ${subject} in`, ...lines, `${indent}esac`].join('\n');
}

/** Reads the words before the cursor: the command, the number of its arguments, and the kind of the next word. */
function walkFunction(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  const assign = (pairs: readonly (readonly [string, string])[]) =>
    grouped(pairs.map(([key, kind]) => [key, `_mooring_value=${quoted(kind)}`]));
  return `_mooring_walk() {
  local word
  _mooring_path='' _mooring_count=0 _mooring_value=''
  for word in "$@"; do
    if [[ -n $_mooring_value && $word == '=' ]]; then
      continue
    elif [[ -n $_mooring_value ]]; then
      _mooring_value=''
    elif [[ $word == --*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
${caseOf('"$_mooring_path:$word"', assign(optionValues(commands)), '      ')}
    else
${caseOf(
  `"$_mooring_count:\${_mooring_path:+$_mooring_path }$word"`,
  [
    {
      keys: paths.map((path) => `0:${path}`),
      body: `_mooring_path="\${_mooring_path:+$_mooring_path }$word"`,
    },
  ],
  '      ',
).replace(/\n {6}esac$/, '\n        *) _mooring_count=$((_mooring_count + 1)) ;;\n      esac')}
    fi
  done
  _mooring_is_value=$_mooring_value
  if [[ -z $_mooring_value ]]; then
${caseOf('"$_mooring_path:$_mooring_count"', assign(argumentValues(commands)), '    ')}
  fi
}`;
}

function wordsFunction(commands: readonly CompletedCommand[], textOf: (word: Word) => string): string {
  const list = (words: readonly Word[]) => words.map((word) => quoted(textOf(word))).join(' ');
  const clauses = grouped(
    commands.map(({ path, commands: inner, options }) => [
      path,
      `_mooring_commands=(${list(inner)}); _mooring_options=(${list(options)})`,
    ]),
  );
  return `_mooring_words() {\n  _mooring_commands=() _mooring_options=()\n${caseOf('"$_mooring_path"', clauses, '  ')}\n}`;
}

function bashScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of mooring in bash. In ~/.bashrc: source <(mooring completion bash)
${walkFunction(commands)}

${wordsFunction(commands, ({ word }) => word)}

# Adds a name that begins with what is typed, quoted as the typed part is.
_mooring_offer() {
  local typed=$current
  case $typed in
    \\"*) typed=\${typed:1}; [[ $1 == "$typed"* ]] && COMPREPLY+=("$1") ;;
    \\'*) typed=\${typed:1}; [[ $1 == "$typed"* ]] && COMPREPLY+=("$1") ;;
    *) typed=\${typed//\\\\/}
      [[ $1 == "$typed"* ]] && COMPREPLY+=("$(printf '%q' "$1")") ;;
  esac
}

_mooring() {
  local current=\${COMP_WORDS[COMP_CWORD]} name
  [[ $current == '=' ]] && current=''
  local _mooring_path _mooring_count _mooring_value _mooring_is_value
  local -a _mooring_commands _mooring_options
  COMPREPLY=()
  _mooring_walk "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  if [[ -z $_mooring_is_value && $current == -* ]]; then
    _mooring_words
    COMPREPLY=($(compgen -W "\${_mooring_options[*]}" -- "$current"))
    return
  fi
  if [[ -z $_mooring_is_value && $_mooring_count == 0 ]]; then
    _mooring_words
    COMPREPLY=($(compgen -W "\${_mooring_commands[*]}" -- "$current"))
  fi
  case $_mooring_value in
    @agent:*)
      [[ $_mooring_value == @agent:path ]] && type compopt &>/dev/null && compopt -o nospace 2>/dev/null
      while IFS=$'\\t' read -r name _; do
        _mooring_offer "$name"
      done < <(mooring ${valuesCommand} "\${_mooring_value#@agent:}" "$current" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null) ;;
    @folder) type compopt &>/dev/null && compopt -o filenames 2>/dev/null
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$current") ;;
    @file) type compopt &>/dev/null && compopt -o filenames 2>/dev/null
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$current") ;;
    @other|'') ;;
    *) COMPREPLY+=($(compgen -W "$_mooring_value" -- "$current")) ;;
  esac
}

complete -F _mooring mooring
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = ({ word, description }: Word) => `${word}:${description.replaceAll(':', '\\:')}`;
  return `#compdef mooring
# Completion of mooring in zsh. In ~/.zshrc, after compinit: source <(mooring completion zsh)
${walkFunction(commands)}

${wordsFunction(commands, described)}

_mooring() {
  local _mooring_path _mooring_count _mooring_value _mooring_is_value
  local -a _mooring_commands _mooring_options names before=("\${(@Q)words[2,CURRENT-1]}")
  if [[ \${words[CURRENT]} == --*=* ]]; then
    before+=("\${words[CURRENT]%%=*}")
    compset -P '*='
  fi
  _mooring_walk "\${before[@]}"
  if [[ -z $_mooring_is_value && \${words[CURRENT]} == -* ]]; then
    _mooring_words
    _describe -o 'option' _mooring_options
    return
  fi
  if [[ -z $_mooring_is_value && $_mooring_count == 0 ]]; then
    _mooring_words
    (( \${#_mooring_commands} )) && _describe 'command' _mooring_commands
  fi
  case $_mooring_value in
    @agent:*)
      local line
      local -a ends
      [[ $_mooring_value == @agent:path ]] && ends=(-S '')
      for line in "\${(@f)$(mooring ${valuesCommand} \${_mooring_value#@agent:} "\${(Q)PREFIX}" -- "\${before[@]}" 2>/dev/null)}"; do
        [[ -n $line ]] && names+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
      done
      _describe -V 'value' names "\${ends[@]}" ;;
    @folder) _files -/ ;;
    @file) _files ;;
    @other|'') ;;
    *) compadd -- \${=_mooring_value} ;;
  esac
}

if [[ \${funcstack[1]} == _mooring ]]; then _mooring "$@"; else compdef _mooring mooring; fi
`;
}

// ---- fish

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function switchOf(subject: string, clauses: readonly Clause[], indent: string): string {
  const lines = clauses.map(
    ({ keys, body }) => `${indent}  case ${keys.map(fishQuoted).join(' ')}\n${indent}    ${body}`,
  );
  return [`${indent}switch ${subject}`, ...lines, `${indent}end`].join('\n');
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  const assign = (pairs: readonly (readonly [string, string])[]) =>
    grouped(pairs.map(([key, kind]) => [key, `set value ${fishQuoted(kind)}`]));
  const lines = (words: readonly Word[]) =>
    words.map(({ word, description }) => fishQuoted(`${word}\t${description}`)).join(' ');
  const listed = (of: 'commands' | 'options') =>
    grouped(
      commands
        .filter((command) => command[of].length > 0)
        .map((command) => [command.path, `printf '%s\\n' ${lines(command[of])}`]),
    );
  return `# Completion of mooring in fish. In config.fish: mooring completion fish | source
function __mooring_words
  set -l current $argv[1]
  set -l words $argv[2..]
  set -l path ''
  set -l count 0
  set -l value ''
  for word in $words
    if test -n "$value"
      set value ''
    else if string match -q -- '--*=*' $word
      continue
    else if string match -q -- '-*' $word
${switchOf('"$path:$word"', assign(optionValues(commands)), '      ')}
    else
      set -l inner (string trim -- "$path $word")
      if test $count = 0; and contains -- $inner ${paths.map(fishQuoted).join(' ')}
        set path $inner
      else
        set count (math $count + 1)
      end
    end
  end
  if test -z "$value"
    if string match -q -- '-*' $current
${switchOf('"$path"', listed('options'), '      ')}
      return
    end
    if test $count = 0
${switchOf('"$path"', listed('commands'), '      ')}
    end
${switchOf('"$path:$count"', assign(argumentValues(commands)), '    ')}
  end
  switch "$value"
    case '@agent:*'
      mooring ${valuesCommand} (string sub -s 8 -- $value) "$current" -- $words 2>/dev/null
    case @folder
      __fish_complete_directories $current
    case @file
      __fish_complete_path $current
    case @other ''
      return
    case '*'
      string split ' ' -- $value
  end
end

function __mooring_candidates
  set -l current (commandline -ct)
  set -l words (commandline -opc)[2..]
  if string match -q -- '--*=*' $current
    set -l parts (string split -m 1 -- = $current)
    __mooring_words "$parts[2]" $words $parts[1] | string replace -r -- '^' "$parts[1]="
  else
    __mooring_words "$current" $words
  end
end

complete -c mooring -f -a '(__mooring_candidates)'
`;
}
