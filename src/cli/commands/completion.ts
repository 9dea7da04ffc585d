import { fail } from '../../domain/errors.ts'
import { command, wordOf, type CommandEntry } from '../command.ts'
import { allCommands } from '../command-tree.ts'
import { completionScript, SHELLS, type Shell } from '../completion-scripts.ts'
import { globalOptions } from '../global-options.ts'

export const completion = command({
  name: 'completion <shell>',
  summary: 'Print a completion script for bash, zsh or fish',
  examples: [
    ['completion bash > /etc/bash_completion.d/filemgr', 'for everybody on this machine'],
    ['completion fish > ~/.config/fish/completions/filemgr.fish', 'for oneself'],
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
