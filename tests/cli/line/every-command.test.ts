import { closeSync, openSync } from 'node:fs'
import { copyFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { COMMANDS } from '../../../src/cli/program/command-list.ts'
import { allCommands } from '../../../src/cli/program/command.ts'
import { oldFile } from '../../helpers/samples/old-installation.ts'
import { FileOutput } from '../../../src/cli/terminal/standard-output.ts'
import type { CliResult } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../../helpers/cli/test-store.ts'
import { beginUpload } from '../../helpers/cli/tus-client.ts'

/** The arguments of each command, in the order in which they run; `$key` is the first id that the command `key` printed. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  status: [],
  doctor: [],
  open: [],
  'users add': ['bob', '--password', 'another passphrase'],
  'users ls': [],
  'users show': ['bob'],
  'users set': ['bob', '--locale', 'fr'],
  'quota ls': [],
  'quota recount': [],
  'users disable': ['bob'],
  'users enable': ['bob'],
  'users passwd': ['bob', '--password', 'a third passphrase'],
  'users export': ['users.json'],
  'users import': ['users.json', '--overwrite'],
  'users rm': ['bob', '--yes'],
  'rules add': ['/secret'],
  'rules ls': [],
  'rules move': ['0', '0'],
  'rules test': ['/docs', '--user', 'admin'],
  'rules rm': ['0', '--yes'],
  why: ['admin', 'delete', '/docs'],
  'shares add': ['/docs', '--user', 'admin'],
  'shares ls': [],
  'shares show': ['$shares ls'],
  'shares arrivals': ['$shares ls'],
  'shares uploads': ['inbox'],
  'shares cancel': ['inbox', '$visitor', '--yes'],
  'shares set': ['$shares ls', '--expires', '7d'],
  'shares rm': ['$shares ls', '--yes'],
  'shares prune': [],
  'settings get': [],
  'settings set': ['signup=true'],
  'settings unset': ['signup'],
  'settings export': ['settings.yaml'],
  'settings import': ['settings.yaml'],
  'settings edit': [],
  'branding add': ['custom.css'],
  'branding ls': [],
  'branding rm': ['custom.css', '--yes'],
  'hooks add': ['after_upload', '--', 'true'],
  'hooks ls': [],
  'hooks disable': ['$hooks ls'],
  'hooks set': ['$hooks ls', '--timeout', '9s'],
  'hooks enable': ['$hooks ls'],
  'hooks test': ['$hooks ls'],
  'hooks rm': ['$hooks ls', '--yes'],
  'webhooks add': ['http://localhost:9/hook'],
  'webhooks ls': [],
  'webhooks disable': ['$webhooks ls'],
  'webhooks set': ['$webhooks ls', '--events', 'after_save'],
  'webhooks enable': ['$webhooks ls'],
  'webhooks test': ['$webhooks ls'],
  'webhooks rm': ['$webhooks ls', '--yes'],
  'maintenance on': ['--message', 'New disks'],
  'maintenance status': [],
  'maintenance off': [],
  'server get': [],
  'server set': ['port=9000'],
  'server unset': ['port'],
  'sessions ls': [],
  'tokens add': ['script'],
  'tokens ls': [],
  'tokens rm': ['$tokens ls', '--yes'],
  put: ['config.json', '/docs/'],
  get: ['/docs/a.txt', 'fetched.txt'],
  ls: ['/docs'],
  du: ['/docs'],
  compress: ['/docs.zip', '/docs', 'a.txt'],
  extract: ['/docs.zip', '/'],
  rename: ['/docs', '--template', '{name}', '--yes'],
  'jobs ls': [],
  'jobs cancel': ['$jobs ls'],
  'trash ls': [],
  'trash restore': ['$trash ls'],
  'trash empty': ['--yes'],
  'uploads ls': [],
  'uploads rm': ['$uploads ls', '--yes'],
  'cache show': [],
  'cache clear': [],
  'sessions revoke': ['--all'],
  'backup create': ['state.tar'],
  restore: ['state.tar', '--dry-run'],
  'store copy': ['--to', 'copied'],
  import: ['filebrowser.db', '--dry-run'],
  logs: ['--audit', '--lines', '1'],
  hash: ['a long passphrase'],
  version: [],
  completion: ['bash'],
}

/** Commands that have their own tests for this. */
const ELSEWHERE = ['serve', 'init', 'service install', 'service remove', 'service status']

it('every command has a line', async () => {
  const names = (await allCommands(COMMANDS)).map(({ path }) => path.join(' '))
  expect(Object.keys(LINES).concat(ELSEWHERE).toSorted()).toEqual(names.toSorted())
})

interface Line {
  readonly name: string
  /** Without the flag for the style. */
  readonly words: readonly string[]
  run(style: '--json' | '--quiet', stdout?: Writable): Promise<CliResult>
}

/** Runs each command beside a daemon. @param visit runs it; returns the ids that it prints, if it is a list */
async function walk(visit: (line: Line) => Promise<readonly string[]>): Promise<void> {
  await using folder = await tempFolder({ 'custom.css': 'a {}' })
  await using store = await testStore({ 'docs/a.txt': 'a', 'b.txt': 'b', huge: 'x' })
  await truncate(join(store.root, 'huge'), 500_000_000_000)
  await copyFile(oldFile('filebrowser.db'), folder.at('filebrowser.db'))
  await writeFile(folder.at('config.json'), '{}')
  await using daemon = await startTestDaemon({ data: store.data, root: store.root })
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
  const token = await (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).text()
  const headers = { 'X-Auth': token, Prefer: 'respond-async' }
  await fetch(`${daemon.url}api/resources/huge?checksum=sha512`, { headers })
  await fetch(`${daemon.url}api/resources/b.txt?trash=true`, { method: 'DELETE', headers })
  expect(await beginUpload({ url: daemon.url, token, path: '/new.bin' }, 10)).toBe(201)

  const inbox = JSON.stringify({ slug: 'inbox', terms: { allows: 'upload' } })
  await fetch(`${daemon.url}api/share/docs`, { method: 'POST', body: inbox, headers })
  const sending = { method: 'POST', headers: { 'upload-length': '10' } }
  const sent = await fetch(`${daemon.url}api/public/tus/inbox/sent.bin`, sending)

  const first = new Map([['visitor', sent.headers.get('location')?.slice(-16) ?? '']])
  const order = ['tokens', 'add', 'client', '--permissions', 'download,create,rename']
  const client = await store.json<{ token: string }>(order)
  const env = {
    ...{ EDITOR: 'true', PATH: `${folder.path}:${process.env['PATH'] ?? ''}` },
    ...{ FILEMGR_URL: daemon.url, FILEMGR_TOKEN: client.token },
  }
  await writeFile(folder.at('xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  for (const [name, given] of Object.entries(LINES)) {
    const filled = given.map((word) => (word.startsWith('$') ? (first.get(word.slice(1)) ?? word) : word))
    const words = ['--data', store.data, ...name.split(' '), ...filled]
    const run: Line['run'] = async (style, stdout) =>
      await runHere([style, ...words], { cwd: folder.path, env, ...(stdout && { stdout }) })
    first.set(name, (await visit({ name, words, run }))[0] ?? '')
  }
}

/** The ids that a list prints with --quiet. */
async function idsOf({ name, run }: Line): Promise<string[]> {
  const quiet = await run('--quiet')
  expect(quiet, name).toMatchObject({ code: 0, stderr: '' })
  return quiet.stdout.split('\n').slice(0, -1)
}

const isList = ({ name }: Line) => name.endsWith(' ls')

it('every command prints one JSON value with --json, and the lists their ids with --quiet', async () => {
  await walk(async (line) => {
    const { name, words, run } = line
    const { code, stdout, stderr } = await run('--json')
    const sound = name === 'doctor' ? [0, 1] : [0]
    expect({ words, sound: sound.includes(code ?? -1), stderr: code === 0 ? '' : stderr }).toEqual({
      words,
      sound: true,
      stderr: '',
    })
    expect(stdout, name).toMatch(/\S/)
    expect(() => void JSON.parse(stdout), name).not.toThrow()
    if (!isList(line)) return []
    const ids = await idsOf(line)
    expect(ids, name).toHaveLength(listIn(JSON.parse(stdout)).length)
    expect(
      ids.filter((id) => !/^\S+$/.test(id)),
      name,
    ).toEqual([])
    return ids
  })
})

it('every command says that there is no room for its output', async () => {
  const fd = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(fd))
  await walk(async (line) => {
    const { name, run } = line
    const ids = isList(line) ? await idsOf(line) : []
    const { code, stderr } = await run('--json', new FileOutput(fd))
    expect({ name, code, error: JSON.parse(stderr) as unknown }).toEqual({
      ...{ name, code: 8 },
      error: {
        error: {
          code: 'NO_SPACE',
          // With faults, "doctor" has failed before.
          message: expect.stringMatching(
            /^(the command was carried out, but )?standard output cannot be written \(no space left\)$/,
          ) as string,
          details: {},
        },
      },
    })
    return ids
  })
})

/** The list itself, or the list among the values of an object. */
function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? value
    : (Object.values(value as object).find((part) => Array.isArray(part)) as unknown[])
}

it('no command colours its output in a pipe', async () => {
  await using store = await testStore()
  for (const line of [['users', 'ls'], ['server', 'get'], ['--help']]) {
    // eslint-disable-next-line no-control-regex -- the test looks for escape sequences
    expect((await store.run(line, { env: { FORCE_COLOR: '1' } })).stdout).not.toMatch(/\u001b/)
  }
})
