import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/line/command-list.ts'
import { allCommands } from '../../../src/cli/program/command.ts'
import { LINES } from '../../helpers/cli/command-lines.ts'
import { bareEnvironment, type CliResult, WITHOUT_ROOT_POWERS } from '../../helpers/cli/run-cli.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { oldFile } from '../../helpers/samples/old-installation.ts'

const IS_ROOT = process.getuid?.() === 0
const NOBODY = 65_534
const PROGRAM = join(import.meta.dirname, '../../helpers/cli/run-lines.ts')

/** Runs lines in one process that may not read what its permissions forbid, even if the tests run as root. */
async function runAll(lines: readonly (readonly string[])[], cwd: string): Promise<CliResult[]> {
  const [program, ...args] = [...(IS_ROOT ? WITHOUT_ROOT_POWERS : []), process.execPath, PROGRAM]
  const child = spawn(program, args, { cwd, env: bareEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(lines))
  const [results] = await Promise.all([json(child.stdout), once(child, 'close')])
  return results as CliResult[]
}

/** Only root can give files away; for another account, a folder that may not be entered is the same. */
async function giveAway({ data }: TestStore): Promise<void> {
  await chmod(data, IS_ROOT ? 0o700 : 0o000)
  if (!IS_ROOT) return
  const names = await readdir(data, { recursive: true })
  for (const name of ['', ...names]) await chown(join(data, name), NOBODY, NOBODY)
}

async function lockStore({ data }: TestStore): Promise<void> {
  await chmod(join(data, 'store.json'), 0o000)
}

/** Commands that do not touch the store. */
const WITHOUT_STORE = ['hash', 'version', 'completion', 'put', 'get', 'ls', 'du', 'rename', 'extract', 'compress']
/** Those that look only for a daemon, read only the activity log, or report what is wrong with the store. */
const BESIDE_STORE = ['status', 'doctor', 'open', 'jobs ls', 'jobs cancel', 'logs']

it.each([
  ['the data folder of another account', giveAway, WITHOUT_STORE],
  ['a store that may not be read', lockStore, [...WITHOUT_STORE, ...BESIDE_STORE]],
])('%s is exit code 4 and one line, for every command', async (_, lock, without) => {
  await using store = await testStore()
  for (const name of ['users.json', 'settings.yaml', 'state.tar', 'custom.css']) await writeFile(store.at(name), '[]')
  await copyFile(oldFile('filebrowser.db'), store.at('filebrowser.db'))
  await lock(store)
  const names = (await allCommands(COMMANDS)).map(({ path }) => path.join(' '))
  const tried = names.filter((name) => LINES[name] !== undefined && !without.includes(name))
  const lines = tried.map((name) => {
    const words = (LINES[name] ?? []).map((word) => (word.startsWith('$') ? 'a'.repeat(16) : word))
    return ['--data', store.data, ...name.split(' '), ...words]
  })
  try {
    const results = await runAll(lines, store.at(''))
    const wrong = results.flatMap(({ code, stderr }, index) =>
      code === 4 && /^filemgr: [^\n]+\n$/.test(stderr) ? [] : [{ name: tried[index], code, stderr }],
    )
    expect(wrong).toEqual([])
  } finally {
    await chmod(store.data, 0o700)
  }
})
