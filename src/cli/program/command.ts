import { Option } from 'commander'
import type { Environment } from '../../options/environment.ts'
import type { Output, Streams } from '../terminal/output.ts'

/** The process as the commands see it. */
export interface Terminal extends Streams {
  readonly stdin: NodeJS.ReadStream
  readonly env: Environment
  cwd(): string
}

/** The flags that every command has. */
export interface GlobalFlags {
  readonly data?: string
  readonly config?: string
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
}

/** One call of a command. */
export interface Invocation {
  /** The words behind the command, in the order of its arguments; a list for the last one when it ends in "...". */
  readonly words: readonly (string | readonly string[] | undefined)[]
  /** The command's own flags: by key of the schema, else by commander's name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly globals: GlobalFlags
  readonly output: Output
  readonly terminal: Terminal
  /** All commands, for those that describe the others. */
  readonly entries: readonly CommandEntry[]
}

/** What a command is; program.ts turns it into flags, help and a call. */
export interface Command {
  /** Name and arguments: "set <user>", "unset <key...>". */
  readonly name: string
  readonly summary: string
  /** What File Browser calls it: understood, and not in the help. */
  readonly oldName?: string
  /** Arguments that its scripts may add. */
  readonly oldArguments?: string
  /** The operations of the API that this does from the terminal; the parity test reads them. */
  readonly operations?: readonly string[]
  /** It changes nothing, so that nothing stands in the audit log: then the list of the operations need not be loaded. */
  readonly reads?: true
  readonly options?: readonly Option[]
  /** Lines behind "filemgr", each with what it does. */
  readonly examples: readonly (readonly [line: string, explanation: string])[]
  run(invocation: Invocation): Promise<void>
}

export function command(declaration: Command): Command {
  return declaration
}

/** Commands under one word, such as "users ls". */
export interface CommandGroup {
  readonly commands: readonly Command[]
}

/** A top-level word. Its file is loaded only when the line names it. */
export interface CommandEntry {
  readonly name: string
  /** What File Browser calls it; understood, and not shown. */
  readonly oldName?: string
  readonly summary: string
  /** For lines that were written for File Browser: in no help and no list. */
  readonly hidden?: boolean
  load(): Promise<Command | CommandGroup>
}

/** Whether a line that says this word means this command. */
export function isCalled({ name, oldName }: { name: string; oldName?: string }, word: string | undefined): boolean {
  return word !== undefined && (name.split(' ')[0] === word || oldName === word)
}

export function isGroup(loaded: Command | CommandGroup): loaded is CommandGroup {
  return 'commands' in loaded
}

/** The word behind the command at this place, of a command whose argument there is required. */
export function wordOf({ words }: Invocation, index = 0): string {
  return String(words[index] ?? '')
}

/** The words of the last, repeatable argument. */
export function restOf({ words }: Invocation): readonly string[] {
  const last = words.at(-1)
  return Array.isArray(last) ? (last as readonly string[]) : []
}

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
    if (!isGroup(loaded)) found.push({ path: [entry.name], command: loaded })
    else found.push(...loaded.commands.map((command) => ({ path: [entry.name, nameOf(command)], command })))
  }
  return found
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
    new Option('--json', 'print JSON'),
    new Option('-q, --quiet', 'print ids only'),
    new Option('--no-color', 'print without colours'),
    new Option('--debug', 'print the stack trace of an error'),
  ]
}

export function globalsOf(values: Readonly<Record<string, unknown>>): GlobalFlags {
  const { data, config, json, quiet, debug } = values
  return {
    ...(typeof data === 'string' && { data }),
    ...(typeof config === 'string' && { config }),
    json: json === true,
    quiet: quiet === true,
    debug: debug === true,
  }
}
