import { OPERATOR } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import { formatValue } from '../../domain/parse-value.ts'
import { leaves, setAt, valueAt, type Leaf } from '../../domain/schema-tools.ts'
import { Settings } from '../../domain/settings.ts'
import { command, restOf, type CommandGroup, type Invocation } from '../command.ts'
import { findDaemon } from '../find-daemon.ts'
import { openContext } from '../open-context.ts'
import type { Answer } from '../output.ts'
import { optionsOf, patchFrom } from '../schema-options.ts'
import { findLeaf, parseAssignment } from '../settings-keys.ts'
import { drawTable } from '../table.ts'
import { edit } from './settings-edit.ts'
import { exportToFile, importFromFile } from './settings-files.ts'

const SETTINGS = leaves(Settings)
const flags = optionsOf(Settings)

const get = command({
  name: 'get [key]',
  summary: 'Show all live settings, or the value of one',
  operations: ['settings.get', 'settings.getAll', 'settings.getSignIn'],
  reads: true,
  examples: [
    ['settings get', 'all of them'],
    ['settings get branding.name', 'the bare value'],
    ['settings get branding --json', 'a group'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { output, words } = invocation
    const settings = context.services.settings.current()
    const key = words[0]
    await output.answer(
      typeof key === 'string'
        ? someSettings(settings, key, output.color)
        : settingsTable(settings, SETTINGS, settings, output.color),
    )
  },
})

/** One value bare, or the values of a group. */
function someSettings(settings: Readonly<Settings>, key: string, color: boolean): Answer {
  const group = SETTINGS.filter((leaf) => leaf.key.startsWith(`${key}.`))
  if (group.length > 0) return settingsTable(settings, group, valueAt(settings, key.split('.')), color)
  const exact = SETTINGS.find((leaf) => leaf.key === key) ?? findLeaf(SETTINGS, key)
  const value = valueAt(settings, exact.path)
  const text = formatValue(exact, value)
  return { json: value, ids: [text], text }
}

/** The given values of the settings. */
export function settingsTable(settings: object, shown: readonly Leaf[], json: unknown, color: boolean): Answer {
  const rows = shown.map((leaf) => [leaf.key, formatValue(leaf, valueAt(settings, leaf.path))])
  return { json, ids: shown.map(({ key }) => key), text: () => drawTable(['SETTING', 'VALUE'], rows, color) }
}

const set = command({
  name: 'set [assignments...]',
  summary: 'Change live settings; they act at once, also in a running daemon',
  operations: ['settings.update', 'settings.updateAll', 'settings.updateSignIn'],
  options: flags,
  examples: [
    ['settings set signup=true branding.name="Our files" tus.chunkSize=20MB', 'several at once: all or none'],
    ['settings set --minimum-password-length 16', 'as flags'],
    ['settings set defaults.perm.share=false', 'what new users start with'],
  ],
  async run(invocation) {
    const patch = patchFrom(flags, invocation.values)
    const named: Leaf[] = flags.filter(({ leaf }) => valueAt(patch, leaf.path) !== undefined).map(({ leaf }) => leaf)
    for (const word of restOf(invocation)) {
      const { leaf, value } = parseAssignment(SETTINGS, word)
      setAt(patch, leaf.path, value)
      named.push(leaf)
    }
    if (named.length === 0)
      fail('INVALID_INPUT', 'nothing to set; write name=value, or see "filemgr settings set --help"')
    await change(invocation, patch, named)
  },
})

const unset = command({
  name: 'unset <keys...>',
  summary: 'Put live settings back to their defaults',
  operations: ['settings.update'],
  examples: [['settings unset branding.name tus.chunkSize', 'two of them']],
  async run(invocation) {
    const patch: Record<string, unknown> = {}
    const named = restOf(invocation).map((key) => findLeaf(SETTINGS, key))
    for (const leaf of named) setAt(patch, leaf.path, structuredClone(leaf.schema.default))
    await change(invocation, patch, named)
  },
})

async function change(invocation: Invocation, patch: Record<string, unknown>, named: readonly Leaf[]): Promise<void> {
  await using context = await openContext(invocation)
  const { output } = invocation
  const settings = await context.services.settings.patch(OPERATOR, patch)
  await output.answer(settingsTable(settings, named, settings, output.color))
  const daemon = await findDaemon(invocation)
  output.notice(daemon === undefined ? 'saved' : `saved; the running daemon (pid ${daemon.pid}) follows at once`)
}

export const settings: CommandGroup = { commands: [get, set, unset, exportToFile, importFromFile, edit] }
