import { Command as Program, Option } from 'commander'
import { foldName, foldOldName } from '../../domain/text/option-names.ts'
import { COMMANDS } from './command-list.ts'
import {
  type Command,
  type CommandEntry,
  globalOptions,
  globalsOf,
  type Invocation,
  isCalled,
  isGroup,
  type Terminal,
} from '../program/command.ts'
import { formatItem, helpExamples, padWidth, shortHelp, widthOf } from '../program/help-text.ts'
import { isBoolean, LeafOption } from '../program/schema-options.ts'

/** Runs a chosen command; what it throws reaches the caller of `parseAsync`. */
export type Runner = (command: Command, call: Call) => Promise<void>
export type Call = Pick<Invocation, 'words' | 'values' | 'globals' | 'isOldLine'>

interface Called {
  readonly word: string | undefined
  readonly member: string | undefined
}

/** Where and how to print the help. */
export interface Screen {
  readonly color: boolean
  /** "-h" instead of "--help": the options by name only. */
  readonly short: boolean
  readonly terminal: Terminal
}

/** A commander program that understands the spellings of `normaliseFlags`, and leaves printing errors to run.ts. */
class FilemgrProgram extends Program {
  override parseOptions(line: string[]): ReturnType<Program['parseOptions']> {
    return super.parseOptions(normaliseFlags(line, this.options))
  }

  /** Commander knows a similar word at the most; what else there is says the help of the same level. */
  override error(message: string, options?: Parameters<Program['error']>[1]): never {
    const advice = options?.code === 'commander.unknownCommand' ? `; see "${pathOf(this)} --help"` : ''
    return super.error(message + advice, options)
  }

  override createCommand(name?: string): FilemgrProgram {
    return new FilemgrProgram(name)
  }
}

/** Such as "filemgr groups members". */
function pathOf(program: Program): string {
  return program.parent === null ? program.name() : `${pathOf(program.parent)} ${program.name()}`
}

/**
 * Builds the command line. Only the called command is loaded and gets its flags; the others appear only in the help.
 *
 * @param word the called command or group
 * @param member the next word: a subcommand, if it is a group
 */
export async function buildProgram({ word, member }: Called, runner: Runner, screen: Screen): Promise<Program> {
  const program = configure(new FilemgrProgram('filemgr'), screen)
    .description('A self-hosted web file manager: one command opens a folder to browsers.')
    .usage('[options] <command>')
  addGlobals(program)
  addExamples(
    program,
    [
      ['serve .', 'serve this folder; the first start prints a password'],
      ['users add bob --password-stdin', 'add an account'],
      ['help users add', 'help for one command'],
    ],
    screen,
  )
  for (const entry of COMMANDS) {
    if (isCalled(entry, word)) await addCalled(program, entry, { word, member }, runner, screen)
    else program.addCommand(new FilemgrProgram(entry.name).summary(entry.summary), { hidden: entry.hidden === true })
  }
  return program
}

async function addCalled(
  program: Program,
  entry: CommandEntry,
  { word, member }: Called,
  runner: Runner,
  screen: Screen,
): Promise<void> {
  const loaded = await entry.load()
  if (!isGroup(loaded)) {
    program.addCommand(buildCommand(loaded, runner, screen), { hidden: entry.hidden === true })
    return
  }
  const group = addGlobals(configure(new FilemgrProgram(entry.name).description(entry.summary), screen))
  const called = loaded.commands.filter((command) => isCalled(command, member))
  const build = (command: Command) => buildCommand(command, runner, screen, word === entry.oldName)
  // The help of the group, and suggestions for a wrong word, need all subcommands.
  for (const each of called.length > 0 ? called : loaded.commands) {
    if (!isGroup(each)) group.addCommand(build(each))
    else {
      const subgroup = configure(new FilemgrProgram(each.name).description(each.summary), screen)
      for (const command of each.commands) subgroup.addCommand(build(command))
      group.addCommand(addGlobals(subgroup))
    }
  }
  // Only if the old name was used, so that the help does not show it.
  if (entry.oldName !== undefined) group.alias(entry.oldName)
  program.addCommand(group, { hidden: entry.hidden === true })
}

function buildCommand(command: Command, runner: Runner, screen: Screen, isOldGroup = false): Program {
  const [name = '', ...words] = command.name.split(' ')
  const built = configure(new FilemgrProgram(name).description(command.summary), screen)
  if (words.length > 0) built.arguments([...words, ...(command.oldArguments?.split(' ') ?? [])].join(' '))
  if (command.oldArguments !== undefined) built.usage(`[options] ${words.join(' ')}`)
  if (command.oldName !== undefined) built.alias(command.oldName)
  for (const option of command.options ?? []) built.addOption(option)
  addExamples(addGlobals(built), command.examples, screen)
  return built.action(async () => {
    const values = built.optsWithGlobals<Record<string, unknown>>()
    const words = built.processedArgs as Invocation['words']
    await runner(command, {
      words,
      values,
      globals: globalsOf(values),
      isOldLine: isOldGroup || command.isOld === true,
    })
  })
}

function configure(program: FilemgrProgram, { color, short, terminal }: Screen): FilemgrProgram {
  program.exitOverride().enablePositionalOptions().showSuggestionAfterError().helpCommand(false)
  program.configureOutput({
    writeOut: (text) => void terminal.stdout.write(text),
    writeErr: (text) => void terminal.stderr.write(text),
    getOutHasColors: () => color,
    getErrHasColors: () => color,
    getOutHelpWidth: () => widthOf(terminal.stdout),
    getErrHelpWidth: () => widthOf(terminal.stderr),
    outputError: () => undefined,
  })
  program.configureHelp({
    showGlobalOptions: false,
    // Hides the aliases for old scripts.
    subcommandTerm: (member) => `${member.name()} ${member.usage()}`,
    optionTerm: (option) => (option instanceof LeafOption ? option.term() : option.flags),
    padWidth,
    formatItem,
    ...(short && { formatHelp: (command, help) => shortHelp(command, help, COMMON) }),
  })
  return program
}

/** Added last, so that the help names a command's own flags first. */
function addGlobals(program: FilemgrProgram): FilemgrProgram {
  for (const option of globalOptions()) program.addOption(option.helpGroup(COMMON))
  program.addHelpOption(new Option('-h, --help', 'show this help; -h shows a short one').helpGroup(COMMON))
  return program
}

const COMMON = 'For every command:'

function addExamples(program: FilemgrProgram, examples: Command['examples'], { terminal, short }: Screen): void {
  program.addHelpText('after', ({ error }) =>
    helpExamples(examples, widthOf(error ? terminal.stderr : terminal.stdout), short),
  )
}

/**
 * Rewrites flags in the form that commander knows, so that lines written for File Browser keep working:
 * `--baseURL` and `--noauth` become `--base-url` and `--no-auth`, `--disableExec=false` becomes `--enable-exec=true`,
 * and a boolean always carries its value (`--signup` → `--signup=true`, `--no-signup` → `--signup=false`).
 * Values and everything after `--` are unchanged.
 */
export function normaliseFlags(line: readonly string[], options: readonly Option[]): string[] {
  const known = new Map(options.map((option) => [foldName(option.long ?? ''), option]))
  const result: string[] = []
  for (let index = 0; index < line.length; index += 1) {
    const word = line[index] ?? ''
    if (word === '--') return [...result, ...line.slice(index)]
    const flag = word.startsWith('--') ? readFlag(word, known) : shortFlag(word, options)
    if (flag === undefined) {
      result.push(word)
    } else if (isBoolean(flag.option)) {
      result.push(...writeBoolean(flag))
    } else if (flag.value === undefined) {
      result.push(flag.option.long ?? word)
      const value = line[(index += 1)]
      if (value !== undefined) result.push(value)
    } else {
      result.push(`${flag.option.long ?? ''}=${flag.value}`)
    }
  }
  return result
}

interface Flag {
  readonly option: Option
  readonly value: string | undefined
}

function readFlag(word: string, known: ReadonlyMap<string, Option>): Flag | undefined {
  const equals = word.indexOf('=')
  const name = foldName(equals < 0 ? word : word.slice(0, equals))
  const value = equals < 0 ? undefined : word.slice(equals + 1)
  const option = known.get(name) ?? known.get(foldOldName(name))
  if (option !== undefined) return { option, value }
  const opposite = name === 'disableexec' ? known.get('enableexec') : known.get(name.replace(/^no/, ''))
  if (opposite === undefined || !isBoolean(opposite)) return undefined
  return { option: opposite, value: value === 'false' ? 'true' : 'false' }
}

/** Reads "-p 9000", "-p9000" and "-p=9000" of a flag with a value, and "-s" of a boolean one. */
function shortFlag(word: string, options: readonly Option[]): Flag | undefined {
  if (!/^-[a-zA-Z]/.test(word)) return undefined
  const option = options.find((candidate) => candidate.short === word.slice(0, 2))
  if (option === undefined) return undefined
  const value = word.slice(2).replace(/^=/, '')
  // Commander handles combined letters, such as "-rf".
  if (isBoolean(option) && value !== '' && word[2] !== '=') return undefined
  return { option, value: value === '' ? undefined : value }
}

function writeBoolean({ option, value = 'true' }: Flag): string[] {
  const long = option.long ?? ''
  // Flags without a schema, such as --json, take no value.
  if (!(option instanceof LeafOption)) return value === 'false' ? [] : [long]
  return [`${long}=${value}`]
}
