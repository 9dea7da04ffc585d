import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readTextFile } from '../../../platform/text/read-text-file.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSettingsAsOperator, updateSettingsAsOperator } from '../../../api/settings/operator.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { formatValue } from '../../../domain/schema/parse-value.ts'
import { type Leaf, leaves, setAt, valueAt } from '../../../domain/schema/schema-tools.ts'
import { Settings } from '../../../domain/settings/settings.ts'
import { command, type CommandGroup, type Invocation, restOf, type Terminal } from '../../program/command.ts'
import { findDaemon } from '../../data-folder.ts'
import { openDoor } from '../../door/door.ts'
import type { Answer } from '../../terminal/output.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { unwritable } from '../../../platform/files/error-code.ts'
import { findLeaf, formatText, parseAssignment, parseText } from '../../settings-text.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'
import { applySettings, exportToFile, importFromFile, publicSettings } from './settings-files.ts'

const HEAD = `# Settings of filemgr. To change them, save the file and close the editor; to cancel, close it without a change.
# Settings that you remove from the file are not changed.
`

const MARK = 'Not saved:'
const ERROR_LINE = new RegExp(`^# ${MARK}[^\n]*\n`)

export const edit = command({
  name: 'edit',
  summary: 'Edit settings in $VISUAL, $EDITOR or vi',
  operations: ['settings.updateAll'],
  examples: [['settings edit', 'opens them as YAML, and again if they are invalid']],
  async run(invocation) {
    requireScreen(invocation)
    await using folder = await privateFolder()
    const file = join(folder.path, 'settings.yaml')
    let offered = HEAD + (await formatText(publicSettings(await currentSettings(invocation)), 'yaml'))
    const original = offered
    for (;;) {
      await writeFile(file, offered, { mode: 0o600 }).catch((error: unknown) => cannotWrite(file, error))
      await runEditor(file, invocation.terminal)
      const text = await readTextFile(file, (message) => invocation.output.warning(message), 'the file')
      if (text === original) {
        const json = { dryRun: false, changed: [] }
        await invocation.output.answer({ json, ids: [], text: 'nothing was changed' })
        return
      }
      try {
        const value = await parseText(text, 'yaml', 'this')
        await using door = await openDoor(invocation)
        await applySettings(invocation, door, value)
        return
      } catch (error) {
        // Give up if the editor was closed without another change.
        if (!isFilemgrError(error, 'INVALID_INPUT') || text === offered) throw error
        offered = `# ${MARK} ${error.message}\n${text.replace(ERROR_LINE, '')}`
      }
    }
  },
})

/** No door stays open during an edit: a daemon may start or end meanwhile. */
async function currentSettings(invocation: Invocation): Promise<Settings> {
  await using door = await openDoor(invocation)
  return await door.call(getSettingsAsOperator, {})
}

/** An editor without a terminal waits for keys that nobody can type. @throws INVALID_INPUT */
function requireScreen({ terminal: { stdin, stdout } }: Invocation): void {
  if (stdin.isTTY && stdout.isTTY === true) return
  const advice = 'use "filemgr settings set NAME=VALUE", or "settings export" and "settings import"'
  fail('INVALID_INPUT', `an editor needs a terminal; without one, ${advice}`)
}

/** Runs without a shell, so that special characters in $EDITOR cannot run other commands. */
async function runEditor(file: string, { env }: Terminal): Promise<void> {
  const [program = 'vi', ...args] = (env['VISUAL'] ?? env['EDITOR'] ?? 'vi').split(/\s+/).filter((word) => word !== '')
  const child = spawn(program, [...args, file], { stdio: 'inherit' })
  const status = await once(child, 'exit').then(
    ([code]: unknown[]) => code,
    (error: unknown) => {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException
      return fail('INVALID_INPUT', `the editor ${program} cannot be started (${code}); set $EDITOR`, {
        field: 'EDITOR',
      })
    },
  )
  if (status !== 0) fail('CANCELLED', `the editor ${program} failed; nothing was changed`)
}

async function privateFolder() {
  const path = await mkdtemp(join(tmpdir(), 'filemgr-')).catch((error: unknown) => cannotWrite(tmpdir(), error))
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) }
}

function cannotWrite(name: string, error: unknown): never {
  throw unwritable(name, error, 'INVALID_INPUT')
}

const SETTINGS = leaves(Settings)
const flags = optionsOf(Settings)

const get = command({
  name: 'get [key]',
  summary: 'Show all settings, a group or one value',
  operations: ['settings.get', 'settings.getAll', 'settings.getSignIn'],
  examples: [
    ['settings get', 'everything'],
    ['settings get branding.name', 'the bare value'],
    ['settings get branding --json', 'a group'],
  ],
  async run(invocation) {
    const { output, words } = invocation
    const settings = await currentSettings(invocation)
    const key = words[0]
    await output.answer(
      typeof key === 'string'
        ? someSettings(settings, key, output)
        : settingsTable(settings, SETTINGS, settings, output),
    )
  },
})

/** A single value, or a table of a group. */
function someSettings(settings: Readonly<Settings>, key: string, style: TableStyle): Answer {
  const group = SETTINGS.filter((leaf) => leaf.key.startsWith(`${key}.`))
  if (group.length > 0) return settingsTable(settings, group, valueAt(settings, key.split('.')), style)
  const exact = SETTINGS.find((leaf) => leaf.key === key) ?? findLeaf(SETTINGS, key)
  const value = valueAt(settings, exact.path)
  const text = formatValue(exact, value)
  return { json: value, ids: [text], text }
}

/** A table of the given settings. */
export function settingsTable(settings: object, shown: readonly Leaf[], json: unknown, style: TableStyle): Answer {
  const rows = shown.map((leaf) => [leaf.key, formatValue(leaf, valueAt(settings, leaf.path))])
  return { json, ids: shown.map(({ key }) => key), text: () => drawTable(['SETTING', 'VALUE'], rows, style) }
}

const set = command({
  name: 'set [assignments...]',
  summary: 'Change settings; takes effect immediately, also in a running daemon',
  operations: ['settings.update', 'settings.updateAll', 'settings.updateSignIn'],
  options: flags,
  examples: [
    ['settings set signup=true branding.name="Our files" tus.chunkSize=20MiB', 'several at once, all or none'],
    ['settings set --minimum-password-length 16', 'as flags'],
    ['settings set defaults.perm.share=false', 'a default for new users'],
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
  summary: 'Reset settings to their defaults',
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
  await using door = await openDoor(invocation)
  const { output } = invocation
  const { settings, warning } = await door.call(updateSettingsAsOperator, { query: {}, body: patch })
  await output.answer(settingsTable(settings, named, settings, output))
  if (warning !== undefined) output.notice(warning)
  const daemon = await findDaemon(invocation)
  output.notice(daemon === undefined ? 'saved' : `saved; the running daemon (pid ${daemon.pid}) uses it immediately`)
}

export const settings: CommandGroup = { commands: [get, set, unset, exportToFile, importFromFile, edit] }
