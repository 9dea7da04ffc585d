import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import { command, wordOf } from '../../program/command.ts'

export const completion = command({
  name: 'completion <shell>',
  summary: 'Print a completion script for bash, zsh or fish',
  options: [new Option('--no-descriptions', 'accepted for old scripts; there are none').hideHelp()],
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/filemgr', 'loaded by bash-completion'],
    ['completion zsh > "${fpath[1]}/_filemgr"', 'from zsh'],
    ['completion fish > ~/.config/fish/completions/filemgr.fish', 'loaded by fish'],
  ],
  async run(invocation) {
    const shell = wordOf(invocation)
    const script = SCRIPTS.get(shell)
    if (script === undefined) {
      fail('INVALID_INPUT', `shell must be one of ${SHELLS.join(', ')}, not "${shell}"`, {
        field: 'shell',
      })
    }
    await invocation.output.answer({ json: { shell, script }, text: script })
  },
})

/** Each script asks `filemgr complete` to complete the word under the cursor, and offers files if there are no completions. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `# Bash splits words at "=" and ":". Join them again, and remove the part before the last "=" or ":" from the replies.
# It also gives them as they were typed: xargs takes the quotes and backslashes from the path of the program.
_filemgr() {
  local words=() word glue="" current cut line program
  program=$(xargs printf %s <<< "\${COMP_WORDS[0]}")
  program=\${program/#~\\//$HOME/}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ \${#words[@]} -gt 0 ] && { [ -n "$glue" ] || [[ $word == [=:] ]]; }; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == [=:] ]] && glue=1 || glue=""
  done
  current="\${words[\${#words[@]}-1]}"
  cut="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$(printf %q "\${line#"$cut"}")")
  done < <("$program" complete -- "\${words[@]}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -ne 1 || \${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _filemgr filemgr`,
  ],
  [
    'zsh',
    `#compdef filemgr
_filemgr() {
  local -a found plain open
  found=("\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  plain=("\${(@)found:#*=}")
  open=("\${(@M)found:#?*=}")
  if [[ -z "\${(j::)found}" ]]; then
    _files
    return
  fi
  (( \${#plain} == 0 )) || compadd -a plain
  (( \${#open} == 0 )) || compadd -S '' -a open
}
if [[ "\${funcstack[1]}" == _filemgr ]]; then _filemgr "$@"; else compdef _filemgr filemgr; fi`,
  ],
  [
    'fish',
    `function __filemgr_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c filemgr -f -a '(__filemgr_complete)'`,
  ],
])

export const SHELLS: readonly string[] = [...SCRIPTS.keys()]
