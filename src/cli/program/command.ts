import { Option } from 'commander'
import type { Environment } from '../../options/environment.ts'
import { leaves } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import type { Output, Streams } from '../terminal/output.ts'
import { LeafOption } from './schema-options.ts'

/** The parts of the process that commands use. */
export interface Terminal extends Streams {
  readonly stdin: NodeJS.ReadStream
  readonly env: Environment
  cwd(): string
  /** Ends the process then, even if threads of it hang. Undefined if it goes on without the command. */
  readonly endIn?: (milliseconds: number) => void
}

/** The flags that every command has. */
export interface GlobalFlags {
  readonly data?: string
  readonly config?: string
  /** A database instead of files in the data folder. */
  readonly store?: string
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
}

/** One call of a command. */
export interface Invocation {
  /** The arguments after the command name, in order; the last one is a list if its declaration ends in "...". */
  readonly words: readonly (string | readonly string[] | undefined)[]
  /** True if File Browser takes this line too, so that a script may have been written for it. */
  readonly isOldLine: boolean
  /** Values of the command's own flags, by their key in the schema, else by commander's name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly globals: GlobalFlags
  readonly output: Output
  readonly terminal: Terminal
  /** All commands, for help and completion. */
  readonly entries: readonly CommandEntry[]
}

/** Declares a command. program.ts builds flags, help and the call from it. */
export interface Command {
  /** Name and arguments: "set <user>", "unset <key...>". */
  readonly name: string
  readonly summary: string
  /** File Browser's name for it. Accepted, but not shown in the help. */
  readonly oldName?: string
  /** True if File Browser has a command of the same name. */
  readonly isOld?: true
  /** Further arguments that scripts for File Browser may pass. */
  readonly oldArguments?: string
  /** The API operations that it performs. The parity test checks that each operation has a command. */
  readonly operations?: readonly string[]
  /** True if it goes on, and succeeds, when its output cannot be written. */
  readonly outlivesOutput?: true
  readonly options?: readonly Option[]
  /** Lines after "filemgr", each with an explanation. */
  readonly examples: readonly (readonly [line: string, explanation: string])[]
  run(invocation: Invocation): Promise<void>
}

export function command(declaration: Command): Command {
  return declaration
}

/** Commands under one word, such as "users ls". */
export interface CommandGroup {
  readonly commands: readonly (Command | Subgroup)[]
}

/** Commands under two words, such as "sign-in ldap ls". */
export interface Subgroup extends CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly Command[]
}

/** A top-level word. Its file is loaded only when the line names it. */
export interface CommandEntry {
  readonly name: string
  /** What File Browser calls it; understood, and not shown. */
  readonly oldName?: string
  readonly summary: string
  /** Left out of help and completion, such as commands that exist only for scripts written for File Browser. */
  readonly hidden?: boolean
  load(): Promise<Command | CommandGroup>
}

/** True if the word is a name of this command. */
export function isCalled({ name, oldName }: { name: string; oldName?: string }, word: string | undefined): boolean {
  return word !== undefined && (name.split(' ')[0] === word || oldName === word)
}

export function isGroup<Group extends CommandGroup>(loaded: Command | Group): loaded is Group {
  return 'commands' in loaded
}

/** The argument at a position, for a command that requires it. */
export function wordOf({ words }: Invocation, index = 0): string {
  return String(words[index] ?? '')
}

/** The values of the last argument, if that is repeatable. */
export function restOf({ words }: Invocation): readonly string[] {
  const last = words.at(-1)
  return Array.isArray(last) ? (last as readonly string[]) : []
}

/** A command with its full name, such as ["users", "add"]. */
export interface PlacedCommand {
  readonly path: readonly string[]
  readonly command: Command
}

/** Every command in the help. Loads them all, so it is only for completion, the reference and the parity test. */
export async function allCommands(entries: readonly CommandEntry[]): Promise<PlacedCommand[]> {
  const found: PlacedCommand[] = []
  for (const entry of entries) {
    if (entry.hidden === true) continue
    const loaded = await entry.load()
    if (!isGroup(loaded)) found.push({ path: [entry.name], command: loaded })
    else found.push(...membersOf([entry.name], loaded))
  }
  return found
}

function membersOf(path: readonly string[], { commands }: CommandGroup): PlacedCommand[] {
  return commands.flatMap((member) =>
    isGroup(member) ? membersOf([...path, member.name], member) : { path: [...path, nameOf(member)], command: member },
  )
}

/** "set" of "set <user>". */
function nameOf(command: Command): string {
  return command.name.split(' ', 1)[0] ?? ''
}

/** The flags that every command takes. */
export function globalOptions(): Option[] {
  return [
    new Option('-d, --data <folder>', 'folder for accounts, settings and other data of filemgr'),
    new Option('-c, --config <file>', 'config file with server options'),
    ...leaves(ServerOptions)
      .filter(({ annotation }) => annotation.global)
      .map((leaf) => new LeafOption(leaf)),
    new Option('--json', 'print JSON'),
    new Option('-q, --quiet', 'print ids only'),
    new Option('--no-color', 'print without colours'),
    new Option('--debug', 'print the stack trace of an error'),
  ]
}

export function globalsOf(values: Readonly<Record<string, unknown>>): GlobalFlags {
  const { data, config, store, json, quiet, debug } = values
  return {
    ...(typeof data === 'string' && { data }),
    ...(typeof config === 'string' && { config }),
    ...(typeof store === 'string' && { store }),
    json: json === true,
    quiet: quiet === true,
    debug: debug === true,
  }
}
