import { fail } from '../../../domain/errors.ts'
import { allCommands, command, type CommandEntry, globalOptions, wordOf } from '../../program/command.ts'

export const completion = command({
  name: 'completion <shell>',
  summary: 'Print a completion script for bash, zsh or fish',
  examples: [
    ['completion bash > /etc/bash_completion.d/filemgr', 'for all users of this machine'],
    ['completion fish > ~/.config/fish/completions/filemgr.fish', 'for your own account'],
  ],
  async run(invocation) {
    const shell = wordOf(invocation)
    if (!isShell(shell))
      fail('INVALID_INPUT', `shell must be one of ${SHELLS.join(', ')}, not "${shell}"`, { field: 'shell' })
    const script = completionScript(shell, await choices(invocation.entries))
    await invocation.output.answer({ json: { shell, script }, text: script })
  },
})

/** What may follow each chain of words: commands, then flags. */
async function choices(entries: readonly CommandEntry[]): Promise<Map<string, string[]>> {
  const common = [...globalOptions().map((option) => option.long ?? ''), '--help']
  const table = new Map<string, string[]>([['', [...common, '--version', 'help']]])
  for (const { path, command: found } of await allCommands(entries)) {
    const flags = (found.options ?? []).filter((option) => !option.hidden).map((option) => option.long ?? '')
    for (let depth = 0; depth < path.length; depth += 1) {
      const parent = path.slice(0, depth).join(' ')
      const words = table.get(parent) ?? [...common]
      if (!words.includes(path[depth] ?? '')) words.push(path[depth] ?? '')
      table.set(parent, words)
    }
    table.set(path.join(' '), [...flags, ...common])
  }
  return table
}

function isShell(text: string): text is Shell {
  return (SHELLS as readonly string[]).includes(text)
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** @param choices what may follow each chain of command words, such as "users add" */
export function completionScript(shell: Shell, choices: ReadonlyMap<string, readonly string[]>): string {
  if (shell === 'fish') return fishScript(choices)
  return shell === 'bash'
    ? bashScript(choices)
    : `#compdef filemgr\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(choices)}`
}

function bashScript(choices: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...choices].map(([chain, words]) => `    "${chain}") choices="${words.join(' ')}" ;;`)
  return `_filemgr() {
  local current="\${COMP_WORDS[COMP_CWORD]}" chain="" choices="" skip="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      -d | --data | -c | --config) skip=1 ;;
      -*) ;;
      *) _filemgr_knows "\${chain:+$chain }$word" && chain="\${chain:+$chain }$word" ;;
    esac
  done
  case "$chain" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
  if [ -z "$choices" ] || { [ "\${current#-}" = "$current" ] && [ \${#COMPREPLY[@]} -eq 0 ]; }; then
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
_filemgr_knows() {
  case "$1" in
    ${[...choices.keys()]
      .filter((chain) => chain !== '')
      .map((chain) => `"${chain}"`)
      .join(' | ')}) return 0 ;;
  esac
  return 1
}
complete -o filenames -F _filemgr filemgr`
}

function fishScript(choices: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...choices].map(
    ([chain, words]) => `    case '${chain}'\n      string split ' ' -- '${words.join(' ')}'`,
  )
  const chains = [...choices.keys()].filter((chain) => chain !== '').map((chain) => `'${chain}'`)
  return `function __filemgr_choices
  set -l chain ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip -eq 1
      set skip 0
      continue
    end
    switch $word
      case -d --data -c --config
        set skip 1
      case '-*'
      case '*'
        set -l longer (string trim -- "$chain $word")
        contains -- $longer ${chains.join(' ')}; and set chain $longer
    end
  end
  switch $chain
${cases.join('\n')}
  end
end
complete -c filemgr -a '(__filemgr_choices)'`
}
