import type { Command, CommandEntry } from './command.ts'

/** A command with the words that lead to it. */
export interface PlacedCommand {
  readonly path: readonly string[]
  readonly command: Command
}

/** Every command that the help lists; loads them all, so only for help of the whole: completion, reference, the parity test. */
export async function allCommands(entries: readonly CommandEntry[]): Promise<PlacedCommand[]> {
  const found: PlacedCommand[] = []
  for (const entry of entries) {
    if (entry.hidden === true) continue
    const loaded = await entry.load()
    if (!('commands' in loaded)) found.push({ path: [entry.name], command: loaded })
    else found.push(...loaded.commands.map((command) => ({ path: [entry.name, nameOf(command)], command })))
  }
  return found
}

/** "set" of "set <user>". */
function nameOf(command: Command): string {
  return command.name.split(' ', 1)[0] ?? ''
}
