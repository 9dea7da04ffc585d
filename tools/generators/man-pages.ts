import type { Command as Program, Help } from 'commander'
import { COMMANDS } from '../../src/cli/line/command-list.ts'
import { allCommands, type CommandEntry, globalOptions, isGroup } from '../../src/cli/program/command.ts'
import { buildProgram, type Screen } from '../../src/cli/line/program.ts'
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

/** The characters beyond ASCII that have names in roff. All others are written as numbers. */
const NAMED: Readonly<Record<string, string>> = {
  '’': 'cq',
  '‘': 'oq',
  '“': 'lq',
  '”': 'rq',
  '–': 'en',
  '—': 'em',
  '…': 'u2026',
}

/**
 * The manual by file name: an overview, and a page for each top-level word.
 *
 * @param date of the release, such as "2026-11-29": the clock would give other pages at every build
 */
export async function manPages(date: string): Promise<Record<string, string>> {
  const entries = COMMANDS.filter(({ hidden }) => hidden !== true)
  const dated = (text: string) => text.replace(/^(\.TH \S+ 1) ""/m, `$1 "${date}"`)
  const pages = await Promise.all(
    entries.map(async (entry) => [`filemgr-${entry.name}.1`, dated(await pageOf(entry))] as const),
  )
  return { 'filemgr.1': dated(await overview(entries)), ...Object.fromEntries(pages) }
}

/**
 * The date of a release in CHANGELOG.md. Before that, the one that the pages have.
 *
 * @param present a page as it was generated last
 */
export function manualDate(version: string, changelog: string, present: string): string {
  const released = changelog.split('\n').find((line) => line.startsWith(`## [${version}] - `))
  const date = /\d{4}-\d\d-\d\d/.exec(released ?? '')?.[0] ?? /^\.TH \S+ 1 "([\d-]+)"/m.exec(present)?.[1]
  if (date === undefined) throw new Error(`CHANGELOG.md has no date for ${version}, nor has the manual`)
  return date
}

async function overview(entries: readonly CommandEntry[]): Promise<string> {
  const program = await programOf(undefined)
  return page('filemgr', 'self-hosted web file manager', {
    SYNOPSIS: `.B filemgr\n.RI [ options ]\n.I command`,
    DESCRIPTION: [
      paragraph(program.description()),
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
  const commands = (await allCommands([entry])).map(({ command }) => command)
  const members = isGroup(loaded) ? built.commands.flatMap(withMembers) : [built]
  const usages = members.map((member) => help.commandUsage(member).replace(/\|\w+/, ''))
  const described = members.map((member, index) => {
    const heading = isGroup(loaded) ? [`.SS ${plain(usages[index] ?? '')}`] : []
    return [...heading, paragraph(`${member.description()}.`), ownOptions(help, member)].filter(Boolean).join('\n')
  })
  return page(`filemgr-${entry.name}`, lowerFirst(entry.summary), {
    SYNOPSIS: usages.map((usage) => `.B ${plain(usage)}`).join('\n.br\n'),
    [isGroup(loaded) ? 'COMMANDS' : 'DESCRIPTION']: described.join('\n'),
    EXAMPLES: commands.flatMap(({ examples }) => examples.map(example)).join('\n'),
    'SEE ALSO': '.BR filemgr (1)',
  })
}

/** The commands under a second word, or the command itself. */
function withMembers(member: Program): readonly Program[] {
  return member.commands.length > 0 ? member.commands : [member]
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
.ad l
.SH NAME
${paragraph(`${name} - ${summary}`)}
${Object.entries(sections)
  .map(([title, content]) => `.SH ${title}\n${content}\n`)
  .join('')}`
}

/** Text in lines of at most 80 characters, as formatters recommend; each sentence begins a line. */
function paragraph(text: string): string {
  const lines: string[] = []
  for (const word of text
    .split(/\s+/)
    .filter((each) => each !== '')
    .map(plain)) {
    const line = lines.at(-1)
    const isNewSentence = line === undefined || /[.!?]$/.test(line)
    if (isNewSentence || line.length + 1 + word.length > 80) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

/** Terms with an explanation below each. */
function itemList(items: readonly Item[]): string {
  return items.map(([term, explanation]) => `.TP\n.B ${plain(term)}\n${paragraph(explanation)}`).join('\n')
}

function example([line, explanation]: Item): string {
  return `.TP\n.B ${plain(`filemgr ${line}`)}\n${paragraph(explanation)}`
}

/** Text for roff, in which backslashes, quotes, and points and apostrophes that begin a line are special. */
function plain(text: string): string {
  const plainText = text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('"', String.raw`\(dq`)
    .replaceAll(/[^\0-\x7f]/gu, escaped)
  return /^[.']/.test(plainText) ? `\\&${plainText}` : plainText
}

function escaped(character: string): string {
  const name = NAMED[character] ?? `u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return String.raw`\[${name}]`
}

function lowerFirst(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}
