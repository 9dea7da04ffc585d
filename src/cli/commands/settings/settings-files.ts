import { resolve } from 'node:path'
import { Option } from 'commander'
import { getServer } from '../../../api/server/server-options.ts'
import { getSettingsAsOperator, updateSettingsAsOperator } from '../../../api/settings/operator.ts'
import { fail } from '../../../domain/errors.ts'
import { formatValue, parseWritten, writtenForm } from '../../../domain/schema/parse-value.ts'
import { isRecord, type Leaf, leaves, setAt, valueAt } from '../../../domain/schema/schema-tools.ts'
import { Settings } from '../../../domain/settings/settings.ts'
import { command, type Invocation, wordOf } from '../../program/command.ts'
import { readText, writePrivateFile } from '../../program/named-files.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { cut } from '../../terminal/fold.ts'
import type { TableStyle } from '../../terminal/table.ts'
import {
  formatOfName,
  formatOfText,
  formatText,
  parseText,
  requireKnownNames,
  type TextFormat,
} from '../../settings-text.ts'

const LEAVES = leaves(Settings)

export const exportToFile = command({
  name: 'export [file]',
  summary: 'Write all settings except secrets to a file or to standard output',
  operations: ['settings.getAll'],
  options: [
    new Option('--format <format>', 'json, yaml, or filebrowser (for its "config import")').choices([
      'json',
      'yaml',
      'filebrowser',
    ]),
  ],
  examples: [
    ['settings export settings.yaml', 'JSON or YAML, by the extension of the file'],
    ['settings export config.json --format filebrowser', 'readable by "config import" of File Browser'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output, values, words } = invocation
    const file = typeof words[0] === 'string' && words[0] !== '-' ? words[0] : undefined
    const given = typeof values['format'] === 'string' ? values['format'] : undefined
    const format = given === 'json' || given === 'yaml' ? given : file === undefined ? 'json' : formatOfName(file)
    const settings = await door.call(getSettingsAsOperator, {})
    const content = given === 'filebrowser' ? await fileBrowserExport(settings, door, format) : publicSettings(settings)
    const text = await formatText(content, format)
    if (file === undefined) return void invocation.terminal.stdout.write(text)
    await writePrivateFile(resolve(invocation.terminal.cwd(), file), text)
    await output.answer({ json: { file }, ids: [file], text: `the settings are in ${file}` })
  },
})

export const importFromFile = command({
  name: 'import <file>',
  summary: 'Import settings written by "settings export"; settings missing from the file are not changed',
  operations: ['settings.updateAll'],
  options: [
    new Option('--format <format>', 'json or yaml, if the file name has no such extension').choices(['json', 'yaml']),
    new Option('--dry-run', 'show what would change without changing anything'),
  ],
  examples: [
    ['settings import settings.yaml --dry-run', 'shows what would change'],
    ['settings import - < settings.yaml', 'from standard input'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { values } = invocation
    const file = wordOf(invocation)
    const text = await readText(file, invocation)
    const format = (values['format'] as TextFormat | undefined) ?? formatOfText(file, text)
    const value = await parseText(text, format, file === '-' ? 'standard input' : file)
    if (isRecord(value) && isRecord(value['settings']) && isRecord(value['server'])) {
      fail('INVALID_INPUT', `${file} was written by File Browser; import it with "filemgr import ${file}"`)
    }
    await applySettings(invocation, door, value, values['dryRun'] === true)
  },
})

/** Changes all settings that differ, or none, and prints the old and new values. @throws INVALID_INPUT */
export async function applySettings({ output }: Invocation, door: Door, value: unknown, dryRun = false): Promise<void> {
  requireKnownNames(Settings, value)
  const before = await door.call(getSettingsAsOperator, {})
  const change: Record<string, unknown> = {}
  const differing = LEAVES.filter((leaf) => {
    const newValue = parseWritten(leaf, valueAt(value, leaf.path))
    if (newValue === undefined || JSON.stringify(newValue) === JSON.stringify(valueAt(before, leaf.path))) return false
    setAt(change, leaf.path, newValue)
    return true
  })
  const { settings: after } =
    differing.length === 0 && !dryRun
      ? { settings: before }
      : await door.call(updateSettingsAsOperator, { query: { dryRun }, body: change })
  const lines = differing.map((leaf) => `${leaf.key}: ${shown(leaf, before, output)} → ${shown(leaf, after, output)}`)
  const end = differing.length === 0 ? 'nothing differs' : dryRun ? 'nothing was changed: this was a dry run' : 'saved'
  await output.answer({
    json: { dryRun, changed: differing.map(({ key }) => key) },
    ids: differing.map(({ key }) => key),
    text: [...lines, end].join('\n'),
  })
}

/** The settings as written to a file, without secrets: sizes, modes and durations in readable form. */
export function publicSettings(all: Settings): unknown {
  const settings: Record<string, unknown> = {}
  for (const leaf of LEAVES) {
    if (leaf.annotation.secret === true) continue
    setAt(settings, leaf.path, writtenForm(leaf, valueAt(all, leaf.path)))
  }
  return settings
}

async function fileBrowserExport(settings: Settings, door: Door, format: TextFormat): Promise<unknown> {
  const saved = Object.entries(await door.call(getServer, {})).filter((option) => option[1].saved !== null)
  const server = Object.fromEntries(saved.map(([name, option]) => [name, option.saved]))
  const { exportSettings, toYamlForm } = await import('../../../import/filebrowser/export.ts')
  const content = exportSettings({ settings, server })
  return format === 'yaml' ? toYamlForm(content) : content
}

/** Long values are cut on a terminal only: scripts get whole ones. */
function shown(leaf: Leaf, settings: unknown, { width }: TableStyle): string {
  const text = leaf.annotation.secret === true ? '***' : formatValue(leaf, valueAt(settings, leaf.path))
  return text === '' ? '""' : width === undefined ? text : cut(text, 60)
}
