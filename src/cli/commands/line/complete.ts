import type { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { isFilemgrError } from '../../../domain/errors.ts'
import { ACTION_NAMES } from '../../../domain/access/explanation.ts'
import { HOOK_EVENTS } from '../../../domain/automation/hook.ts'
import { type Leaf, leaves } from '../../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../domain/server/server-options.ts'
import { Settings } from '../../../domain/settings/settings.ts'
import {
  type Command,
  command,
  type CommandEntry,
  type CommandGroup,
  globalOptions,
  type Invocation,
  isCalled,
  isGroup,
  restOf,
} from '../../program/command.ts'
import { globalsFromWords } from '../../program/line.ts'
import { isBoolean, LeafOption } from '../../program/schema-options.ts'
import { openCommandContext } from '../../command-context.ts'
import { SHELLS } from './completion.ts'

/** Called by completion scripts with the words so far, of which the last is unfinished. Prints its completions, one per line. */
export const complete = command({
  name: 'complete [words...]',
  summary: 'Print what the last word may become, for completion scripts',
  examples: [['complete -- users se', 'prints "set"']],
  async run(invocation) {
    const words = restOf(invocation)
    const current = words.at(-1) ?? ''
    const found = await candidates(words.slice(0, -1), current, invocation)
    for (const word of new Set(found)) if (word.startsWith(current)) invocation.output.line(word)
  },
})

async function candidates(before: readonly string[], current: string, invocation: Invocation): Promise<string[]> {
  const { chosen, names, rest } = await readWords(before, invocation.entries)
  const withGlobals = { ...invocation, globals: globalsFromWords(before) }
  const options = [...(chosen?.command.options ?? []), ...globalOptions()].filter((option) => !option.hidden)
  const named = options.find((option) => option.long === before.at(-1) && !isBoolean(option))
  if (named !== undefined) return await valuesOf(named, withGlobals)
  const equals = current.indexOf('=')
  if (current.startsWith('--') && equals > 0) {
    const flag = current.slice(0, equals)
    const option = options.find(({ long }) => long === flag)
    return option === undefined ? [] : (await valuesOf(option, withGlobals)).map((value) => `${flag}=${value}`)
  }
  if (current.startsWith('-')) return [...options.map((option) => option.long ?? ''), '--help']
  if (chosen === undefined) return names
  const parameters = chosen.command.name.split(' ').slice(1)
  const parameter = parameters[Math.min(rest, parameters.length - 1)]
  return parameter === undefined ? [] : await wordsFor(parameter.replace(/[^a-z]/g, ''), chosen, current, withGlobals)
}

interface Chosen {
  readonly command: Command
  /** The word of the group, or of the command itself. */
  readonly topic: string
}

/** The command that the words name and the number of its arguments; or the words that may follow, if they name no command yet. */
interface Found {
  readonly chosen?: Chosen
  readonly names: string[]
  readonly rest: number
}

async function readWords(words: readonly string[], entries: readonly CommandEntry[]): Promise<Found> {
  const plain = withoutFlags(words[0] === 'help' ? words.slice(1) : words)
  const [topic = ''] = plain
  const shown = entries.filter(({ hidden }) => hidden !== true)
  const loaded = await shown.find((entry) => isCalled(entry, topic))?.load()
  if (loaded === undefined) {
    return { names: plain.length > 0 ? [] : [...shown.map(({ name }) => name), 'help'], rest: 0 }
  }
  if (!isGroup(loaded)) return { chosen: { command: loaded, topic }, names: [], rest: plain.length - 1 }
  return membersAfter(plain.slice(1), loaded, topic)
}

function membersAfter([member, ...rest]: readonly string[], { commands }: CommandGroup, topic: string): Found {
  const found = commands.find((one) => isCalled(one, member))
  if (found === undefined) return { names: commands.flatMap(({ name }) => name.split(' ', 1)), rest: 0 }
  if (isGroup(found)) return membersAfter(rest, found, topic)
  return { chosen: { command: found, topic }, names: [], rest: rest.length }
}

function withoutFlags(words: readonly string[]): string[] {
  const withValue = globalOptions().flatMap(({ required, short, long }) => (required ? [short, long] : []))
  const isValue = (index: number) => index > 0 && withValue.includes(words[index - 1])
  return words.filter((word, index) => !word.startsWith('-') && !isValue(index))
}

async function valuesOf(option: Option, invocation: Invocation): Promise<string[]> {
  if (option instanceof LeafOption) return leafValues(option.leaf)
  if (option.long === '--user') return await inStore('user', invocation)
  if (option.long === '--group') return await inStore('group', invocation)
  return [...(option.argChoices ?? [])]
}

function leafValues({ schema }: Leaf): string[] {
  if (schema.type === 'boolean') return ['true', 'false']
  return (schema.enum ?? []).map(String).filter((value) => value !== '')
}

async function wordsFor(
  parameter: string,
  { topic }: Chosen,
  current: string,
  invocation: Invocation,
): Promise<string[]> {
  const settable = leaves(topic === 'server' ? ServerOptions : Settings).filter(
    ({ annotation: { cli, web } }) => cli !== false && (web !== false || parameter === 'key'),
  )
  switch (parameter) {
    case 'key':
    case 'keys':
      return settable.map(({ key }) => key)
    case 'assignments': {
      const leaf = settable.find(({ key }) => current.startsWith(`${key}=`))
      return leaf === undefined
        ? settable.map(({ key }) => `${key}=`)
        : leafValues(leaf).map((value) => `${leaf.key}=${value}`)
    }
    case 'change':
      return ['add', 'rm']
    case 'shell':
      return [...SHELLS]
    case 'event':
      return HOOK_EVENTS
    case 'action':
      return [...ACTION_NAMES]
    case 'user':
    case 'users':
    case 'group':
    case 'hash':
      return await inStore(parameter.replace(/s$/, ''), invocation)
    case 'id':
    case 'ids':
      return await inStore(topic, invocation)
    default:
      return []
  }
}

/** Names and ids from the store; none if it cannot be opened: an error would appear in the line that the user is typing. */
async function inStore(kind: string, invocation: Invocation): Promise<string[]> {
  try {
    await using context = await openCommandContext(invocation)
    const { services, store } = context
    if (kind === 'user') return store.snapshot().users.map(({ username }) => username)
    if (kind === 'group') return store.snapshot().groups.map(({ name }) => name)
    if (kind === 'hash') return store.snapshot().shares.map(({ hash }) => hash)
    if (kind === 'hooks') return services.hooks.list(OPERATOR).hooks.map(({ id }) => id)
    if (kind === 'webhooks') return store.snapshot().webhooks.map(({ id }) => id)
    if (kind === 'sessions') return (await services.sessions.list(OPERATOR, { all: true })).map(({ id }) => id)
    if (kind === 'tokens') return services.apiTokens.list(OPERATOR, { all: true }).map(({ id }) => id)
    if (kind === 'uploads') return (await services.unfinishedUploads.list(OPERATOR)).map(({ id }) => id)
    return []
  } catch (error) {
    if (isFilemgrError(error)) return []
    throw error
  }
}
