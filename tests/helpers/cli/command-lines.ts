import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CliResult } from './run-cli.ts'
import { type HereOptions, runHere } from './run-here.ts'
import { oldFile } from '../samples/old-installation.ts'
import { tempFolder } from '../temp-folder.ts'
import { startTestDaemon } from './test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from './test-store.ts'
import { beginUpload } from './tus-client.ts'

/** The arguments of each command, in the order in which they run; `$key` is the first id that the command `key` printed. */
export const LINES: Readonly<Record<string, readonly string[]>> = {
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
  'roots add': ['photos', '$photos'],
  'roots ls': [],
  'roots show': ['photos'],
  'roots set': ['photos', '--read-only'],
  'roots give': ['photos', '--user', 'bob', '--permissions', 'view,download'],
  'roots take': ['photos', '--user', 'bob', '--yes'],
  'roots rm': ['photos', '--yes'],
  'groups add': ['Crew'],
  'groups ls': [],
  'groups set': ['Crew', '--quota', '1GB'],
  'groups members add': ['Crew', 'bob'],
  'groups members rm': ['Crew', 'bob'],
  'groups show': ['Crew'],
  'groups rm': ['Crew', '--yes'],
  'grants add': ['/docs', '--user', 'admin', '--to', 'bob'],
  'grants ls': [],
  'grants set': ['$grants ls', '--expires', '7d'],
  'grants rm': ['$grants ls', '--yes'],
  'sign-in oidc add': ['SSO', '--issuer', 'http://127.0.0.1:9', '--client-id', 'filemgr'],
  'sign-in oidc ls': [],
  'sign-in oidc set': ['sso', '--name', 'Example SSO'],
  'users link': ['bob', 'sso', '42'],
  'users identities': ['bob'],
  'users unlink': ['bob', 'sso', '--yes'],
  'sign-in oidc rm': ['sso', '--yes'],
  'sign-in ldap add': ['Staff', '--url', 'ldaps://127.0.0.1:9', '--base-dn', 'dc=x', '--bind-dn', 'uid={name},dc=x'],
  'sign-in ldap ls': [],
  'sign-in ldap set': ['staff', '--name', 'Everybody'],
  'sign-in ldap rm': ['staff', '--yes'],
  'users reset-factors': ['bob', '--yes'],
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
export const ELSEWHERE = [
  'settings edit',
  'serve',
  'init',
  'service install',
  'service remove',
  'service status',
  'sign-in ldap test',
  'sign-in oidc test',
]

export interface CommandLine {
  readonly name: string
  /** Without the flag for the style. */
  readonly words: readonly string[]
  /** @param style '' for text */
  run(style: '--json' | '--quiet' | '', options?: HereOptions): Promise<CliResult>
}

/**
 * Runs each command, in one store.
 *
 * @param beside whether a daemon runs meanwhile
 * @param visit runs it; returns the ids that it prints, if it is a list
 */
export async function walkCommands(
  beside: boolean,
  visit: (line: CommandLine) => Promise<readonly string[]>,
): Promise<void> {
  await using folder = await tempFolder({ 'custom.css': 'a {}' })
  await using store = await testStore({ 'docs/a.txt': 'a', 'b.txt': 'b', huge: 'x' })
  await mkdir(folder.at('photos'))
  await truncate(join(store.root, 'huge'), 500_000_000_000)
  await copyFile(oldFile('filebrowser.db'), folder.at('filebrowser.db'))
  await writeFile(folder.at('config.json'), '{}')
  await using daemon = await startTestDaemon({ data: store.data, root: store.root })
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
  const token = await (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).text()
  const headers = { 'X-Auth': token, Prefer: 'respond-async' }
  await fetch(`${daemon.url}api/resources/huge?checksum=sha512`, { headers })
  await fetch(`${daemon.url}api/resources/b.txt?trash=true`, { method: 'DELETE', headers })
  await beginUpload({ url: daemon.url, token, path: '/new.bin' }, 10)

  const inbox = JSON.stringify({ slug: 'inbox', terms: { allows: 'upload' } })
  await fetch(`${daemon.url}api/share/docs`, { method: 'POST', body: inbox, headers })
  const sending = { method: 'POST', headers: { 'upload-length': '10' } }
  const sent = await fetch(`${daemon.url}api/public/tus/inbox/sent.bin`, sending)

  const first = new Map([
    ['photos', folder.at('photos')],
    ['visitor', sent.headers.get('location')?.slice(-16) ?? ''],
  ])
  const order = ['tokens', 'add', 'client', '--permissions', 'download,create,rename']
  const client = await store.json<{ token: string }>(order)
  const env = {
    EDITOR: 'true',
    PATH: `${folder.path}:${process.env['PATH'] ?? ''}`,
    FILEMGR_URL: daemon.url,
    FILEMGR_TOKEN: client.token,
  }
  await writeFile(folder.at('xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  if (!beside) await daemon.stop()
  for (const [name, given] of Object.entries(LINES)) {
    const filled = given.map((word) => (word.startsWith('$') ? (first.get(word.slice(1)) ?? word) : word))
    const words = ['--data', store.data, ...name.split(' '), ...filled]
    const run: CommandLine['run'] = async (style, options) =>
      await runHere([...(style === '' ? [] : [style]), ...words], {
        ...options,
        cwd: folder.path,
        env: { ...env, ...options?.env },
      })
    first.set(name, (await visit({ name, words, run }))[0] ?? '')
  }
}
