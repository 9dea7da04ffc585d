import { Option } from 'commander'
import { addHook, changeHook, listHooks, removeHook, testHook } from '../../../api/automation/hooks.ts'
import { joinCommand } from '../../../domain/text/command-words.ts'
import { formatByteSize, parseByteSize, parseDuration } from '../../../domain/text/units.ts'
import { fail } from '../../../domain/errors.ts'
import {
  type Hook,
  HOOK_EVENTS,
  HOOK_OUTPUT,
  HOOK_TIMEOUT,
  type HookChange,
  type HookList,
  requireHookEvent,
} from '../../../domain/automation/hook.ts'
import { command, type CommandGroup, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { type Door, openDoor } from '../../door/door.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'EVENT', 'STATE', 'TIME', 'OUTPUT', 'FAILURE', 'LINE']
const NOT_RUNNING = 'Hooks do not run: start the server with --enable-exec.'

const list = command({
  name: 'ls',
  summary: 'List hooks in the order in which they run',
  operations: ['hooks.list'],
  options: [new Option('-e, --event <event>', 'only hooks of this event')],
  examples: [
    ['hooks ls', 'everything'],
    ['hooks ls --event before_upload --json', 'those of one event, as JSON'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { running, hooks } = await door.call(listHooks, {})
    const event = invocation.values['event']
    // File Browser accepts "upload" for both "before_upload" and "after_upload".
    const names = [event, `before_${String(event)}`, `after_${String(event)}`]
    const shown = event === undefined ? hooks : hooks.filter((hook) => names.includes(hook.event))
    await answer(invocation.output, { running, hooks: shown })
  },
})

const add = command({
  name: 'add <event> <words...>',
  summary: `Add a hook for an event: ${HOOK_EVENTS.join(', ')}`,
  operations: ['hooks.add'],
  options: [
    new Option('--no-wait', 'do not wait for the program to finish (same as a final "&")'),
    new Option('--timeout <time>', `stop the program after this time (default: ${HOOK_TIMEOUT.default}s)`),
    new Option(
      '--max-output <size>',
      `stop the program when its output exceeds this (default: ${formatByteSize(HOOK_OUTPUT.default)})`,
    ),
    new Option('--on-failure <what>', 'what happens to the operation if a before_ hook fails')
      .choices(['refuse', 'ignore'])
      .default('refuse'),
  ],
  examples: [
    [
      'hooks add after_upload -- /usr/local/bin/notify --quiet',
      'gets FILE, USERNAME and more as environment variables',
    ],
    ["hooks add before_upload --timeout 10s -- clamscan --quiet '$FILE'", 'rejects an upload if the scan fails'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { values } = invocation
    const onFailure = values['onFailure'] === 'ignore' ? 'ignore' : 'refuse'
    const line = lineOf(restOf(invocation), values['wait'] !== false)
    const event = requireHookEvent(wordOf(invocation))
    const hook = await door.call(addHook, { body: { event, line, onFailure, ...limitsOf(invocation) } })
    await answerChanged(invocation.output, door, [hook])
  },
})

const remove = command({
  name: 'rm <id> [position] [last]',
  summary: 'Remove a hook by id, or by event and position',
  operations: ['hooks.remove'],
  options: [
    new Option('-y, --yes', 'do not ask'),
    new Option('--index <place>', 'accepted for old scripts').hideHelp(),
  ],
  examples: [
    ['hooks rm 3fa94c01', 'the id is shown by "hooks ls"'],
    ['hooks rm after_upload 0 --yes', 'the first hook of this event, without asking'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const found = await chosen(invocation, door)
    const lines = found.map(({ event, line }) => `${event}: ${line}`).join(', ')
    await confirmOrFail(invocation, `Remove ${lines}?`)
    for (const { id } of found.toReversed()) await door.call(removeHook, { params: { id } })
    const removed = found.map(({ id }) => id)
    await invocation.output.answer({ json: { removed }, ids: removed, text: `${removed.length} removed` })
  },
})

const set = command({
  name: 'set <id> [words...]',
  summary: 'Change the program, limits, failure mode or position of a hook; its id stays the same',
  operations: ['hooks.change'],
  options: [
    new Option('--timeout <time>', 'stop the program after this time'),
    new Option('--max-output <size>', 'stop the program when its output exceeds this'),
    new Option('--on-failure <what>', 'what happens to the operation if a before_ hook fails').choices([
      'refuse',
      'ignore',
    ]),
    new Option('--place <position>', 'position among the hooks of its event, 0 for the first'),
  ],
  examples: [
    ['hooks set 3fa94c01 --timeout 10s --on-failure ignore', 'the id is shown by "hooks ls"'],
    ['hooks set 3fa94c01 --place 0', 'runs first'],
    ['hooks set 3fa94c01 -- /usr/local/bin/notify --verbose', 'runs another program'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { onFailure, place } = invocation.values
    const words = restOf(invocation)
    const body: HookChange = {
      ...(words.length > 0 && { line: lineOf(words, true) }),
      ...limitsOf(invocation),
      ...((onFailure === 'refuse' || onFailure === 'ignore') && { onFailure }),
      ...(place !== undefined && { place: positionOf(place) }),
    }
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --timeout 10s')
    const hook = await door.call(changeHook, { params: { id: wordOf(invocation) }, body })
    await answerChanged(invocation.output, door, [hook])
  },
})

const enable = switching('enable', 'Enable hooks, such as those imported from File Browser', true)
const disable = switching('disable', 'Disable hooks without removing them', false)

function switching(name: string, summary: string, enabled: boolean) {
  return command({
    name: `${name} <ids...>`,
    summary,
    operations: ['hooks.change'],
    examples: [[`hooks ${name} 3fa94c01`, 'the id is shown by "hooks ls"']],
    async run(invocation) {
      await using door = await openDoor(invocation)
      const hooks: Hook[] = []
      for (const id of restOf(invocation))
        hooks.push(await door.call(changeHook, { params: { id }, body: { enabled } }))
      await answerChanged(invocation.output, door, hooks)
    },
  })
}

const test = command({
  name: 'test <id>',
  summary: 'Run a hook once with sample values and show its output and exit code',
  operations: ['hooks.test'],
  examples: [['hooks test 3fa94c01', 'FILE is sample.txt in the served folder, which need not exist']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const trial = await door.call(testHook, { params: { id: wordOf(invocation) } })
    const { exitCode, ended, stdout, stderr } = trial
    const ending = exitCode === null ? `terminated: ${ended}` : `exit code ${exitCode}`
    const text = [stdout, stderr, ending].map((part) => part.trimEnd()).filter((part) => part !== '')
    await invocation.output.answer({
      json: { exitCode, outcome: ended, stdout, stderr },
      ids: [exitCode ?? ended],
      text: text.join('\n'),
    })
  },
})

async function answerChanged(output: Output, door: Door, hooks: Hook[]): Promise<void> {
  const { running } = await door.call(listHooks, {})
  await answer(output, { running, hooks })
}

async function answer(output: Output, { running, hooks }: HookList): Promise<void> {
  const rows = hooks.map(({ id, event, enabled, onFailure, timeout, outputLimit, line }) => [
    ...[id, event, enabled ? 'on' : 'off', `${timeout}s`, formatByteSize(outputLimit)],
    ...[event.startsWith('before_') ? onFailure : '-', line],
  ])
  const notice = running ? '' : `\n${NOT_RUNNING}`
  const text: Answer['text'] = async () =>
    `${await drawTable(HEADINGS, rows, output, ['OUTPUT', 'TIME', 'FAILURE'])}${notice}`
  await output.answer({ json: { running, hooks }, ids: hooks.map(({ id }) => id), text })
}

/** One argument with spaces is a whole line, as in the settings; several are a program and its arguments. */
function lineOf(words: readonly string[], waits: boolean): string {
  const [only = ''] = words
  if (words.length === 1 && /\s/.test(only)) return waits ? only : `${only} &`
  const isUnattended = words.at(-1) === '&'
  const line = joinCommand(isUnattended ? words.slice(0, -1) : words)
  return isUnattended || !waits ? `${line} &` : line
}

function limitsOf({ values }: Invocation): HookChange {
  const timeout = secondsOf(values['timeout'])
  const outputLimit = bytesOf(values['maxOutput'])
  return { ...(timeout !== undefined && { timeout }), ...(outputLimit !== undefined && { outputLimit }) }
}

function bytesOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const { min, max } = HOOK_OUTPUT
  const bytes = parseByteSize(value) ?? 0
  if (bytes >= min && bytes <= max) return bytes
  const range = `between ${formatByteSize(min)} and ${formatByteSize(max)}`
  return fail('INVALID_INPUT', `--max-output must be ${range}, not "${value}"`, { field: 'maxOutput' })
}

function positionOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,3}$/.test(value)) return Number(value)
  return fail('INVALID_INPUT', `--place must be a whole number, 0 for the first, not "${String(value)}"`, {
    field: 'place',
  })
}

function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const seconds = Math.round((parseDuration(/^\d+$/.test(value) ? `${value}s` : value) ?? 0) / 1000)
  const { min, max } = HOOK_TIMEOUT
  if (seconds >= min && seconds <= max) return seconds
  return fail('INVALID_INPUT', `--timeout must be between ${min}s and ${max}s, not "${value}"`, { field: 'timeout' })
}

async function chosen(invocation: Invocation, door: Door): Promise<Hook[]> {
  const [word, position, last = position] = [0, 1, 2].map((index) => invocation.words[index]?.toString())
  const { hooks } = await door.call(listHooks, {})
  const found = hooks.filter((hook) => hook.id === word)
  if (found.length > 0 && position === undefined) return found
  const ofEvent = hooks.filter((hook) => hook.event === word && hook.enabled)
  const named = position === undefined ? [] : ofEvent.slice(Number(position), Number(last) + 1)
  if (named.length > 0 && /^\d+$/.test(position ?? '') && /^\d+$/.test(last ?? '')) return named
  return fail('NOT_FOUND', `there is no hook ${[word, position].join(' ').trim()}; see "filemgr hooks ls"`)
}

export const hooks: CommandGroup = { commands: [list, add, set, remove, enable, disable, test] }
