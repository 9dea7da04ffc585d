import { readFile, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { ImportReport } from '../../../src/import/filebrowser/import-report.ts'
import { runHere, runHereJson } from '../../helpers/cli/run-here.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { oldFile } from '../../helpers/samples/old-installation.ts'
import {
  QUANTUM_PASSWORD,
  quantumBolt,
  quantumConfig,
  quantumSample,
  quantumSqlite,
} from '../../helpers/samples/quantum-installation.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** An installation of FileBrowser Quantum, with the database of release 1. */
async function quantumWorld() {
  const folder = await tempFolder()
  const root = folder.at('srv')
  await folder.fill({
    'srv/docs/team/report.txt': 'numbers',
    'srv/docs/private/letter.txt': '',
    'srv/media/films/a.mp4': '',
    'srv/media/song.mp3': '',
    'srv/other/x.txt': '',
    'quantum/database.db': quantumBolt(quantumSample(root)),
    'quantum/config.yaml': quantumConfig(root),
  })
  const data = folder.at('data')
  const files = [folder.at('quantum/database.db'), folder.at('quantum/config.yaml')]
  return Object.assign(folder, { root, data, files, line: ['--data', data, 'import'] })
}

it('imports an installation of FileBrowser Quantum: passwords, folders, access rules and links work', async () => {
  await using world = await quantumWorld()
  const before = await readFile(world.at('quantum/database.db'))
  const dry = await runHereJson<ImportReport>([...world.line, ...world.files, '--dry-run'])
  await expect(stat(world.data)).rejects.toThrow('ENOENT')
  const report = await runHereJson<ImportReport>([...world.line, ...world.files])
  expect({ ...dry, dryRun: false, saved: true }).toEqual(report)
  expect(report.carried.map(({ subject }) => subject)).toContain('user graham')
  expect(await readFile(world.at('quantum/database.db'))).toEqual(before)

  await using daemon = await startTestDaemon({ data: world.data, root: `${world.root}/docs` })
  const signIn = async (username: string, password = QUANTUM_PASSWORD) =>
    await fetch(`${daemon.url}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  const session = async (username: string) => {
    const headers = { 'x-auth': await (await signIn(username)).text() }
    return async (path: string) => {
      const listing = await fetch(`${daemon.url}api/resources${path}`, { headers })
      return ((await listing.json()) as { items: { name: string }[] }).items.map(({ name }) => name)
    }
  }
  const [admin, tina] = [await session('admin'), await session('tina')]
  expect(await admin('/')).toEqual(['docs', 'media'])
  expect(await admin('/docs')).toEqual(['team'])
  expect(await tina('/')).toEqual(['song.mp3'])
  expect((await signIn('olga', 'olga')).status).toBe(403)

  const [open, locked] = ['lMhwHkF-hqCN92-QIJJZow', 'secretsecretsecretsec1']
  expect(await (await fetch(`${daemon.url}api/public/dl/${open}`)).text()).toBe('numbers')
  expect((await fetch(`${daemon.url}api/public/dl/${locked}`)).status).toBe(401)
  const headers = { 'X-SHARE-PASSWORD': encodeURIComponent(QUANTUM_PASSWORD) }
  expect((await fetch(`${daemon.url}api/public/dl/${locked}`, { headers })).status).toBe(200)
})

it('plans with the database of release 2 while it is open, and imports it once it is closed', async () => {
  await using world = await quantumWorld()
  const database = world.at('quantum/quantum.sqlite')
  const files = [database, world.at('quantum/config.yaml')]
  const plan = async () => await runHereJson<ImportReport>([...world.line, ...files, '--dry-run'])
  const running = quantumSqlite(database, quantumSample(world.root))
  expect((await plan()).carried.map(({ subject }) => subject)).toContain('user tina')
  running[Symbol.dispose]()
  await runHereJson([...world.line, ...files])
  expect(await runHereJson<object[]>(['--data', world.data, 'users', 'ls'])).toHaveLength(4)
})

it.each([
  ['the database alone', (world) => world.files.slice(0, 1), 'its database and its configuration'],
  ['the configuration alone', (world) => world.files.slice(1), 'its database and its configuration'],
  ['a file of File Browser too', (world) => [...world.files, oldFile('users.json')], 'not both'],
] satisfies [string, (world: Awaited<ReturnType<typeof quantumWorld>>) => string[], string][])(
  'refuses %s in one line, and creates nothing',
  async (_, filesOf, message) => {
    await using world = await quantumWorld()
    const result = await runHere([...world.line, ...filesOf(world)])
    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(/^filemgr: .*\n$/) as string })
    expect(result.stderr).toContain(message)
    await expect(stat(world.data)).rejects.toThrow('ENOENT')
  },
)
