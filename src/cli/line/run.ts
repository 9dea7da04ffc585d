import type { CommanderError } from 'commander'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { takesStyle } from '../../platform/terminal-style.ts'
import { type Command, isCalled, isGroup, type Terminal } from '../program/command.ts'
import { COMMANDS } from './command-list.ts'
import { EXIT, exitCodeOf } from '../program/exit-codes.ts'
import type { Call } from './program.ts'
import { asServe, type Line, readLine, withoutOldWords } from '../program/line.ts'
import { createOutput, writeError } from '../terminal/output.ts'
import { requireWritten } from '../terminal/standard-output.ts'

/** Runs a command line and returns its exit code. Any error becomes one line on stderr. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runLine(words, terminal)
  } catch (error) {
    const failure = await explained(describe(error), words, terminal)
    writeError(failure, { json: words.includes('--json'), debug: words.includes('--debug') }, terminal.stderr)
    return exitCodeOf(failure.code)
  }
}

async function runLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const line = readLine(words)
  const bare = line.bareFlags || (words.length === line.globalWords && (await servesBare(words, terminal)))
  const chosen = bare ? asServe(words) : await refusingUnknownHelp(line, withoutOldWords(line.words))
  const color = terminal.stdout.isTTY === true && wantsStyle(words, terminal)
  const { buildProgram } = await import('./program.ts')
  const runner = async (command: Command, call: Call) => {
    const { json, quiet } = call.globals
    const output = createOutput({ json, quiet, color, plain: !wantsStyle(words, terminal) }, terminal)
    try {
      await command.run({ ...call, output, terminal, entries: COMMANDS })
    } catch (error) {
      // What a command has printed before it failed, such as the findings of "doctor", must not be lost without a word either.
      await requireWritten(terminal)
      if (error === terminal.stdout.errored) return
      throw error
    }
    if (command.outlivesOutput !== true) await requireWritten(terminal, 'the command was carried out, but ')
  }
  const program = await buildProgram({ word: bare ? 'serve' : line.command, member: line.member }, runner, {
    color,
    short: words.includes('-h') && !words.includes('--help'),
    terminal,
  })
  try {
    await program.parseAsync(chosen, { from: 'user' })
  } catch (error) {
    if (!isCommanderError(error)) throw error
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help') {
      await requireWritten(terminal)
      // The second is the help of a group that was called without a subcommand.
      return error.code === 'commander.helpDisplayed' ? EXIT.success : EXIT.usage
    }
    throw new FilemgrError('INVALID_INPUT', usageMessage(error), {}, { cause: error })
  }
  return EXIT.success
}

const HELP = ['--help', '-h']

/** Removes --help after an unknown command: with it, commander prints the general help instead of reporting the mistake. */
async function refusingUnknownHelp({ command, member }: Line, words: string[]): Promise<string[]> {
  if (command === undefined || !words.some((word) => HELP.includes(word))) return words
  const loaded = await COMMANDS.find((entry) => isCalled(entry, command))?.load()
  const isMember = member !== undefined && !member.startsWith('-')
  const isKnown =
    loaded !== undefined && (!isMember || !isGroup(loaded) || loaded.commands.some((one) => isCalled(one, member)))
  return isKnown ? words : words.filter((word) => !HELP.includes(word))
}

/** Like File Browser, a line without a command serves if it is configured what to serve. */
async function servesBare(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const { hasSomethingToServe } = await import('../serve/serve-input.ts')
  return await hasSomethingToServe(words, terminal)
}

function wantsStyle(words: readonly string[], { env }: Terminal): boolean {
  return takesStyle(env) && !words.includes('--no-color')
}

function describe(error: unknown): FilemgrError {
  if (isFilemgrError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new FilemgrError('INTERNAL', `internal error: ${message} (--debug shows where)`, {}, { cause: error })
}

/** Not for wrong usage, since this loads the file system. */
async function explained(error: FilemgrError, words: readonly string[], terminal: Terminal): Promise<FilemgrError> {
  if (!['INTERNAL', 'NOT_FOUND', 'STORE_INVALID', 'DAEMON_NOT_RUNNING'].includes(error.code)) return error
  const { explainForeignData } = await import('../foreign-data.ts')
  return await explainForeignData(error, words, terminal)
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')
}

/** Turns "error: unknown option '--prot'\n(Did you mean --port?)" into part of one line. */
function usageMessage(error: CommanderError): string {
  return error.message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace('(Did', '(did')
}
