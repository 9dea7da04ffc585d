import { chmod, chown, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../src/platform/validation/yaml.ts'
import { oldFile } from '../helpers/samples/old-installation.ts'
import { CHEAP_ACCOUNT, CHEAP_HASH } from '../helpers/cheap-account.ts'
import { programLine } from '../helpers/cli/program.ts'
import { bareEnvironment } from '../helpers/cli/run-cli.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { containing } from '../helpers/texts.ts'
import { needsRoot } from '../helpers/needs.ts'

needsRoot()

const DEPLOY = join(import.meta.dirname, '../../docs/deploy')
const compose = (await parseYaml(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'))) as {
  services: { filemgr: { volumes: string[]; read_only: boolean; cap_drop: string[]; cap_add: string[] } }
}
const container = compose.services.filemgr
/** With no more capabilities than the compose file grants. */
const ENTRY = [
  ...['setpriv', '--no-new-privs', '--inh-caps=-all'],
  `--bounding-set=-all,${container.cap_add.map((name) => `+${name.toLowerCase()}`).join(',')}`,
  ...['--', join(DEPLOY, 'container-entry.sh')],
] as const
const USER = 12_345
const execute = promisify(execFile)

async function outcomeOf([program = '', ...words]: readonly string[], env: NodeJS.ProcessEnv) {
  return await execute(program, words, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
}

/** The mount points of the container, as folders of a test. */
async function makeWorld() {
  const folder = await tempFolder({ 'srv/a.txt': 'a', 'database/': '', 'config/': '', 'home/': '' })
  const [launcher, ...first] = programLine()
  await writeFile(
    folder.at('program'),
    `#!/bin/sh\nexec ${[launcher, ...first].map((word) => `'${word}'`).join(' ')} "$@"\n`,
    { mode: 0o755 },
  )
  await chmod(folder.path, 0o755)
  for (const name of ['srv', 'home']) await chown(folder.at(name), USER, USER)
  const env = {
    ...bareEnvironment(),
    ...CHEAP_ACCOUNT,
    PROGRAM: folder.at('program'),
    FILEMGR_DATA: folder.at('database'),
    CONFIG_FOLDER: folder.at('config'),
    PUID: String(USER),
    PGID: String(USER + 1),
    HOME: folder.at('home'),
    FILEMGR_PORT: '0',
  }
  return {
    folder,
    async run(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
      return await outcomeOf([...ENTRY, ...args], { ...env, ...more })
    },
    /** As with "docker run --user". */
    async runAs(user: number, args: readonly string[]) {
      const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
      return await outcomeOf([...as, join(DEPLOY, 'container-entry.sh'), ...args], env)
    },
    /** Starts the daemon, and stops it again. @returns its first line, its user and its group */
    async serve(more: Readonly<Record<string, string>> = {}) {
      const [program, ...words] = ENTRY
      const daemon = spawn(program, [...words, 'serve', folder.at('srv'), '--json'], { env: { ...env, ...more } })
      let stderr = ''
      daemon.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
      const line = await Promise.race([once(createInterface({ input: daemon.stdout }), 'line'), once(daemon, 'close')])
      const status = await readFile(`/proc/${daemon.pid}/status`, 'utf8').catch(() => '')
      daemon.kill('SIGTERM')
      if (daemon.exitCode === null) await once(daemon, 'close')
      const ids = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]
      return { line: String(line[0]), stderr, code: daemon.exitCode, user: ids('Uid'), group: ids('Gid') }
    },
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}

describe('the entry script of the container', () => {
  it('creates the store as PUID and PGID, and runs nothing as root', async () => {
    await using world = await makeWorld()
    const { line, user, group, code } = await world.serve()
    expect(JSON.parse(line)).toMatchObject({ event: 'listening', username: 'admin' })
    expect({ user, group, code }).toEqual({ user: String(USER), group: String(USER + 1), code: 0 })
    const { uid, gid, mode } = await stat(world.folder.at('database/store.json'))
    expect([uid, gid, mode & 0o777]).toEqual([USER, USER + 1, 0o600])
  })

  it('says in one line which account a volume belongs to, when PUID is another one', async () => {
    await using world = await makeWorld()
    await world.serve()
    const refused = { code: 4, stderr: expect.stringMatching(/^filemgr: [^\n]*set PUID=12345[^\n]*\n$/) as string }
    const other = { PUID: '54321' }
    for (const words of [
      ['serve', world.folder.at('srv')],
      ['status', '--quiet'],
      ['users', 'ls'],
    ])
      expect(await world.run(words, other)).toMatchObject(refused)
    const named = { code: 4, stderr: containing('belongs to the account 12345: run the container with --user') }
    expect(await world.runAs(54_321, ['users', 'ls'])).toMatchObject(named)
  })

  it('imports a File Browser database at the first start if told to, and at no later start', async () => {
    await using world = await makeWorld()
    await copyFile(oldFile('filebrowser.db'), world.folder.at('database/filebrowser.db'))
    await chmod(world.folder.at('database/filebrowser.db'), 0o600)
    const { line } = await world.serve({ IMPORT_FILEBROWSER: '1' })
    expect(line).toContain('listening')
    const users = async () => (await world.run(['users', 'ls', '--json'])).stdout
    const moved = await users()
    expect((JSON.parse(moved) as unknown[]).length).toBeGreaterThan(1)
    await world.run(['users', 'add', 'late', ...CHEAP_HASH])
    await world.serve({ IMPORT_FILEBROWSER: '1' })
    expect(await users()).toContain('"late"')
  })

  it('exits with the reason when there is nothing to import', async () => {
    await using world = await makeWorld()
    const { stderr, code } = await world.serve({ IMPORT_FILEBROWSER: 'Yes' })
    expect([code, stderr]).toEqual([3, containing('filebrowser.db')])
  })

  it('reads a config file, which variables override', async () => {
    await using world = await makeWorld()
    await writeFile(world.folder.at('config/settings.json'), '{"port": 9, "baseURL": "/fb", "root": "/nowhere"}')
    const { line } = await world.serve()
    expect((JSON.parse(line) as { url: string }).url).toMatch(/^http:\/\/127\.0\.0\.1:(?!9\/)\d+\/fb\/$/)
  })

  it.each([
    [{ IMPORT_FILEBROWSER: 'perhaps' }, 'IMPORT_FILEBROWSER must be true or false'],
    [{ PUID: '0' }, 'PUID must not be 0'],
    [{ PUID: 'ann' }, 'must be numbers'],
    [{ PGID: '1 2' }, 'must be numbers'],
  ])('refuses %j', async (variables, message) => {
    await using world = await makeWorld()
    expect(await world.run(['serve'], variables)).toMatchObject({ code: 2, stderr: containing(message) })
  })
})

it('the compose file mounts what the image declares, and everything but the volumes is read-only', async () => {
  const { volumes, read_only: isReadOnly, cap_drop: dropped } = container
  const image = await readFile(join(DEPLOY, 'Dockerfile'), 'utf8')
  const declared = JSON.parse(/^VOLUME (.*)$/m.exec(image)?.[1] ?? '') as string[]
  expect(volumes.map((volume) => volume.split(':')[1]).toSorted()).toEqual(declared.toSorted())
  expect([isReadOnly, dropped]).toEqual([true, ['ALL']])
})
