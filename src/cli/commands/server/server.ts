import type { ReplyOf } from '../../../api/operation.ts'
import { updateServerAsOperator } from '../../../api/server/operator.ts'
import { getServer } from '../../../api/server/server-options.ts'
import { fail } from '../../../domain/errors.ts'
import { formatValue } from '../../../domain/schema/parse-value.ts'
import { leaves, setAt, type Leaf } from '../../../domain/schema/schema-tools.ts'
import { type OptionView, ServerOptions } from '../../../domain/server/server-options.ts'
import { absoluteRoot } from '../../../platform/files/served-root.ts'
import { command, type CommandGroup, type Invocation, restOf } from '../../program/command.ts'
import { findDaemon } from '../../data-folder.ts'
import { openDoor } from '../../door/door.ts'
import { patchFrom, savedOptionsOf } from '../../program/schema-options.ts'
import { findLeaf, parseAssignment } from '../../settings-text.ts'
import { drawTable } from '../../terminal/table.ts'

const SERVER = leaves(ServerOptions)
const flags = savedOptionsOf(ServerOptions)

const get = command({
  name: 'get [key]',
  summary: 'Show server options and where each value comes from',
  operations: ['server.get'],
  examples: [
    ['server get', 'value and source: flag, environment, config file, store or default'],
    ['server get port --quiet', 'only the value'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const [key] = invocation.words
    const views = await door.call(getServer, {})
    const shown = typeof key === 'string' ? [findLeaf(SERVER, key)] : SERVER
    await answer(invocation, shown, (name) => views[name])
    for (const { key: name } of shown.filter((leaf) => views[leaf.key as Name].waiting)) {
      invocation.output.notice(`${name} was saved with another value, which waits for a restart`)
    }
  },
})

type Name = keyof ServerOptions
type Found = Pick<OptionView, 'value' | 'source'>

async function answer(
  { output, words }: Invocation,
  shown: readonly Leaf[],
  find: (name: Name) => Found,
): Promise<void> {
  const rows = shown.map((leaf) => {
    const { value, source } = find(leaf.key as Name)
    return { leaf, value, text: formatValue(leaf, value), source }
  })
  const json = Object.fromEntries(rows.map(({ leaf, value, source }) => [leaf.key, { value, source }]))
  await output.answer({
    json: typeof words[0] === 'string' && rows.length === 1 ? json[rows[0]?.leaf.key ?? ''] : json,
    ids: rows.map(({ text }) => text),
    text: () =>
      drawTable(
        ['OPTION', 'VALUE', 'SOURCE'],
        rows.map(({ leaf, text, source }) => [leaf.key, text, source]),
        output,
      ),
  })
}

const set = command({
  name: 'set [assignments...]',
  summary: 'Save server options; they take effect at the next start',
  operations: ['server.update'],
  options: flags,
  examples: [
    ['server set port=9000 address=0.0.0.0', 'several at once, all or none'],
    ['server set --base-url /files', 'as flags'],
  ],
  async run(invocation) {
    const values = patchFrom(flags, invocation.values)
    for (const word of restOf(invocation)) {
      const { leaf, value } = parseAssignment(SERVER, word)
      setAt(values, leaf.path, value)
    }
    if (Object.keys(values).length === 0)
      fail('INVALID_INPUT', 'nothing to set; write name=value, or see "filemgr server set --help"')
    if (typeof values['root'] === 'string') values['root'] = absoluteRoot(invocation.terminal.cwd(), values['root'])
    await using door = await openDoor(invocation)
    const views = await door.call(updateServerAsOperator, { body: { values } })
    await report(
      invocation,
      SERVER.filter(({ key }) => values[key] !== undefined),
      views,
    )
  },
})

const unset = command({
  name: 'unset <keys...>',
  summary: 'Reset saved server options to their defaults',
  operations: ['server.update'],
  examples: [['server unset port', 'back to 8080']],
  async run(invocation) {
    const named = restOf(invocation).map((key) => findLeaf(SERVER, key))
    await using door = await openDoor(invocation)
    const reset = named.map(({ key }) => key)
    await report(invocation, named, await door.call(updateServerAsOperator, { body: { reset } }))
  },
})

/** Prints the saved values, and which of them a flag, a variable or the config file overrides. */
async function report(
  invocation: Invocation,
  changed: readonly Leaf[],
  views: ReplyOf<typeof getServer>,
): Promise<void> {
  await answer({ ...invocation, words: [] }, changed, (name) => savedOf(views[name]))
  for (const { key } of changed) {
    const { locked, source } = views[key as Name]
    if (locked) invocation.output.notice(`${key} stays as it is while a ${source} decides it`)
  }
  const daemon = await findDaemon(invocation)
  if (daemon !== undefined) invocation.output.notice(`saved; restart the running daemon (pid ${daemon.pid}) to use it`)
}

function savedOf({ saved, default: preset }: OptionView): Found {
  return saved === null ? { value: preset, source: 'default' } : { value: saved, source: 'store' }
}

export const server: CommandGroup = { commands: [get, set, unset] }
