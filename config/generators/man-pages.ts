import type { Command as Program, Help } from 'commander'
import { COMMANDS } from '../../src/cli/program/command-list.ts'
import { type CommandEntry, globalOptions, isGroup } from '../../src/cli/program/command.ts'
import { buildProgram, type Screen } from '../../src/cli/program/program.ts'
import { packageVersion } from '../../src/platform/version.ts'

type Item = readonly [term: string, explanation: string]

const SCREEN: Screen = {
  color: false,
  short: false,
  terminal: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {}, cwd: () => '/' },
}

const EXIT_STATUS: readonly Item[] = [
  ['0', 'Success.'],
  ['1', 'Internal error, or doctor found a problem.'],
  ['2', 'Wrong usage.'],
  ['3', 'Not found.'],
  ['4', 'Refused.'],
  ['5', 'Conflict.'],
  ['6', 'The store is busy or damaged.'],
  ['7', 'The daemon is not running.'],
  ['8', 'No space left.'],
  ['130', 'Interrupted.'],
]

const ENVIRONMENT: readonly Item[] = [
  ['FILEMGR_DATA', 'The data folder.'],
  ['FILEMGR_<OPTION>', 'Any option of "filemgr serve", such as FILEMGR_PORT.'],
  ['NO_COLOR', 'Print without colours.'],
]

const FILES: readonly Item[] = [
  ['/var/lib/filemgr', 'The data folder of root.'],
  ['~/.local/share/filemgr', 'The data folder of any other user.'],
  ['/etc/filemgr/filemgr.yaml', 'Server options; .json and .toml are read too.'],
]

/** The manual by file name: an overview, and a page for each top-level word. */
export async function manPages(): Promise<Record<string, string>> {
  const entries = COMMANDS.filter(({ hidden }) => hidden !== true)
  const pages = await Promise.all(
    entries.map(async (entry) => [`filemgr-${entry.name}.1`, await pageOf(entry)] as const),
  )
  return { 'filemgr.1': await overview(entries), ...Object.fromEntries(pages) }
}

async function overview(entries: readonly CommandEntry[]): Promise<string> {
  const program = await programOf(undefined)
  return page('filemgr', 'self-hosted web file manager', {
    SYNOPSIS: `.B filemgr\n.RI [ options ]\n.I command`,
    DESCRIPTION: [
      plain(program.description()),
      '.PP',
      'Commands read and change the data folder, also while a daemon runs on it.',
      'Each has a manual page of its own.',
    ].join('\n'),
    COMMANDS: itemList(entries.map(({ name, summary }) => [`filemgr-${name}(1)`, `${summary}.`])),
    OPTIONS: optionList(program.createHelp(), globalOptions()),
    'EXIT STATUS': itemList(EXIT_STATUS),
    ENVIRONMENT: itemList(ENVIRONMENT),
    FILES: itemList(FILES),
  })
}

async function pageOf(entry: CommandEntry): Promise<string> {
  const loaded = await entry.load()
  const built = (await programOf(entry.name)).commands.find((one) => one.name() === entry.name)
  if (built === undefined) throw new Error(`the program has no command ${entry.name}`)
  const help = built.createHelp()
  const [commands, members] = isGroup(loaded) ? [loaded.commands, built.commands] : [[loaded], [built]]
  const usages = members.map((member) => help.commandUsage(member).replace(/\|\w+/, ''))
  const described = members.map((member, index) => {
    const heading = isGroup(loaded) ? [`.SS ${plain(usages[index] ?? '')}`] : []
    return [...heading, plain(`${member.description()}.`), ownOptions(help, member)].filter(Boolean).join('\n')
  })
  return page(`filemgr-${entry.name}`, lowerFirst(entry.summary), {
    SYNOPSIS: usages.map((usage) => `.B ${plain(usage)}`).join('\n.br\n'),
    [isGroup(loaded) ? 'COMMANDS' : 'DESCRIPTION']: described.join('\n'),
    EXAMPLES: commands.flatMap(({ examples }) => examples.map(example)).join('\n'),
    'SEE ALSO': '.BR filemgr (1)',
  })
}

async function programOf(word: string | undefined): Promise<Program> {
  const refuse = async () => await Promise.reject(new Error('writing the manual runs no command'))
  return await buildProgram({ word, member: undefined }, refuse, SCREEN)
}

function ownOptions(help: Help, member: Program): string {
  const common = new Set(['--help', ...globalOptions().map(({ long }) => long)])
  const own = help.visibleOptions(member).filter(({ long }) => !common.has(long))
  return optionList(help, own)
}

function optionList(help: Help, options: ReturnType<Help['visibleOptions']>): string {
  return itemList(options.map((option) => [help.optionTerm(option), help.optionDescription(option)]))
}

function page(name: string, summary: string, sections: Readonly<Record<string, string>>): string {
  return `.\\" Made from the commands by "npm run generate".
.TH ${plain(name.toUpperCase())} 1 "" "filemgr ${packageVersion()}"
.SH NAME
${plain(name)} \\- ${plain(summary)}
${Object.entries(sections)
  .map(([title, content]) => `.SH ${title}\n${content}\n`)
  .join('')}`
}

/** Terms with an explanation below each. */
function itemList(items: readonly Item[]): string {
  return items.map(([term, explanation]) => `.TP\n.B ${plain(term)}\n${plain(explanation)}`).join('\n')
}

function example([line, explanation]: Item): string {
  return `.TP\n.B ${plain(`filemgr ${line}`)}\n${plain(explanation)}`
}

/** Text for roff, in which backslashes, quotes, and points and apostrophes that begin a line are special. */
function plain(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('"', String.raw`\(dq`)
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

function lowerFirst(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}
