import type { Command as Program, Help } from 'commander'
import { folded } from '../terminal/fold.ts'
import type { Command, Terminal } from './command.ts'

/** For pipes and files too: people read the help in a pager. */
const USUAL_WIDTH = 80
/** Of the column with names of options and commands; longer ones have a line of their own. */
const WIDEST_TERM = 28
/** Below this, explanations are below the names. */
const NARROW = 60

export function widthOf(stream: Terminal['stdout']): number {
  return stream.columns ?? USUAL_WIDTH
}

/** How many columns the names take. */
export function padWidth(command: Program, help: Help): number {
  if ((help.helpWidth ?? USUAL_WIDTH) < NARROW) return 4
  const longest = Math.max(
    help.longestOptionTermLength(command, help),
    help.longestSubcommandTermLength(command, help),
    help.longestArgumentTermLength(command, help),
  )
  return Math.min(longest, WIDEST_TERM)
}

/** An option or a command with its explanation beside it, or below it if it is long. */
export function formatItem(term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? USUAL_WIDTH
  const indent = ' '.repeat(termWidth + 4)
  const names = folded(term, width - 6).map((line, index) => `${index === 0 ? '  ' : '      '}${line}`)
  const lines = description === '' ? [] : folded(description, width - indent.length)
  const [first = ''] = lines
  const isShort = term.length <= termWidth && first !== ''
  const beside = isShort ? [`  ${term.padEnd(termWidth)}  ${first}`] : names
  return [...beside, ...lines.slice(isShort ? 1 : 0).map((line) => `${indent}${line}`)].join('\n')
}

/** The help without the explanations of the options. */
export function shortHelp(command: Program, help: Help, commonHeading: string): string {
  const width = help.helpWidth ?? USUAL_WIDTH
  const members = help.visibleCommands(command).map((member) => ({
    term: help.subcommandTerm(member).replace(' [options]', ''),
    text: member.summary() || member.description(),
  }))
  const termWidth = Math.min(WIDEST_TERM, Math.max(0, ...members.map(({ term }) => term.length)))
  const lines = members.map(({ term, text }) => formatItem(term, termWidth, text, help))
  const names = help
    .visibleOptions(command)
    .filter((option) => option.helpGroupHeading !== commonHeading)
    .map((option) => option.long ?? '')
  const wrap = (text: string) => folded(text, width).join('\n')
  const parts = [
    wrap(`Usage: ${help.commandUsage(command)}`),
    wrap(help.commandDescription(command)),
    lines.join('\n'),
    wrap(`Options: ${[...names, '--help'].join(' ')}`),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Each line with its explanation beside it if all fit into the width, else above it, or without it in a short help. */
export function helpExamples(examples: Command['examples'], width: number, short: boolean): string {
  const longest = Math.max(...examples.map(([line]) => line.length))
  const beside = examples.map(([line, explanation]) => `  filemgr ${line.padEnd(longest)}  # ${explanation}`)
  const lines = beside.every((line) => line.length <= width)
    ? beside
    : examples.flatMap(([line, explanation]) => [
        ...(short ? [] : folded(explanation, width - 4).map((text) => `  # ${text}`)),
        ...commandLines(`filemgr ${line}`, width - 2).map((text) => `  ${text}`),
      ])
  return `\nExamples:\n${lines.join('\n')}\n`
}

/** A command line that can be copied into a shell, continued where it is too long. */
function commandLines(line: string, width: number): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 3 <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : `    ${word}`)
  }
  return lines.map((text, index) => (index === lines.length - 1 ? text : `${text} \\`))
}
