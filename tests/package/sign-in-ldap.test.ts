import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli, runCliJson } from '../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { freePort } from '../helpers/free-port.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'

const PROGRAM = join(import.meta.dirname, '../../docs/deploy/sign-in/ldap.py')
const READER_PASSWORD = 'password of the reader'
/** Spaces, quotes, letters beyond ASCII, and shorter than any of ours. */
const PASSWORDS = { ann: 'x', 'max*': 'long "pass" phrase', müller: 'пароль', boss: '$(id)' }

const person = (uid: string, password: string) => `
dn:: ${Buffer.from(`uid=${uid},ou=people,dc=example,dc=org`).toString('base64')}
objectClass: inetOrgPerson
uid:: ${Buffer.from(uid).toString('base64')}
cn: person
sn: person
userPassword:: ${Buffer.from(password).toString('base64')}
`

const LDIF = `
dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: cn=admins,dc=example,dc=org
objectClass: groupOfNames
cn: admins
member: uid=boss,ou=people,dc=example,dc=org

dn: cn=filemgr,dc=example,dc=org
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: filemgr
userPassword: ${READER_PASSWORD}
${Object.entries(PASSWORDS)
  .map(([uid, password]) => person(uid, password))
  .join('')}`

/** Nobody but the reader may search. */
const configOf = ({ at }: TempFolder) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${at('slapd.pid')}
database mdb
suffix "dc=example,dc=org"
directory ${at('database')}
access to attrs=userPassword by * auth
access to * by dn.exact="cn=filemgr,dc=example,dc=org" read by * none
`

let folder: TempFolder
let daemon: TestDaemon
const cleanUp = new AsyncDisposableStack()

async function startDirectory(): Promise<string> {
  await folder.fill({ 'slapd.conf': configOf(folder), 'people.ldif': LDIF, 'database/': '' })
  await promisify(execFile)('/usr/sbin/slapadd', ['-f', folder.at('slapd.conf'), '-l', folder.at('people.ldif')])
  const port = await freePort()
  const url = `ldap://127.0.0.1:${port}`
  const child = spawn('/usr/sbin/slapd', ['-f', folder.at('slapd.conf'), '-h', url, '-d', '0'], { stdio: 'ignore' })
  const ended = once(child, 'close')
  cleanUp.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const answers = async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }
  await vi.waitUntil(answers, { timeout: 60_000 })
  return url
}

beforeAll(async () => {
  folder = cleanUp.use(await tempFolder())
  const url = await startDirectory()
  const program = (await readFile(PROGRAM, 'utf8'))
    .replace('ldaps://ldap.example.org', url)
    .replace('cn=filemgr,ou=services,', 'cn=filemgr,')
    .replace('/etc/filemgr/ldap-password', folder.at('reader'))
    .replace('ADMINISTRATORS = ""', 'ADMINISTRATORS = "cn=admins,dc=example,dc=org"')
  await folder.fill({ 'ldap.py': program, reader: READER_PASSWORD })
  await chmod(folder.at('ldap.py'), 0o755)
  await chmod(folder.at('reader'), 0o600)
  const log = ['--log', folder.at('log')]
  daemon = cleanUp.use(await startTestDaemon({ data: folder.at('data'), args: log }))
  const set = ['settings', 'set', `auth.command=${folder.at('ldap.py')}`, 'auth.method=hook', 'createUserDir=true']
  expect(await runCli(['--data', folder.at('data'), ...set])).toMatchObject({ code: 0 })
})
afterAll(async () => await cleanUp.disposeAsync())

const statusFor = async (username: string, password: string) =>
  (await fetch(`${daemon.url}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })).status

const accounts = async () =>
  await runCliJson<{ username: string; scope: string; perm: { admin: boolean } }[]>([
    ...['--data', folder.at('data'), 'users', 'ls'],
  ])

describe('our program for LDAP, with a directory', () => {
  it('signs in who has the password, each with an account and a home folder', async () => {
    for (const [name, password] of Object.entries(PASSWORDS))
      expect([name, await statusFor(name, password)]).toEqual([name, 200])
    expect(await statusFor('ANN', 'x')).toBe(200)
    expect((await accounts()).map(({ username, scope, perm }) => [username, scope, perm.admin])).toEqual([
      ['admin', '.', true],
      ['ann', '/users/ann', false],
      ['max*', '/users/max-', false],
      ['müller', '/users/müller', false],
      ['boss', '/users/boss', true],
    ])
  })

  it.each([
    ['ann', 'y'],
    ['ann', ''],
    ['', 'x'],
    ['nobody', 'x'],
    ['*', 'x'],
    ['a*', 'x'],
    ['ann)(uid=*', 'x'],
    ['ann ', 'x'],
    ['admin', 'x'],
    ['filemgr', READER_PASSWORD],
  ])('refuses "%s" with the password "%s"', async (name, password) => {
    const before = (await accounts()).length
    expect(await statusFor(name, password)).toBe(403)
    expect((await accounts()).length).toBe(before)
  })

  it('says in the log why it refused', async () => {
    await statusFor('somebody', 'x')
    await expect.poll(async () => await readFile(folder.at('log'), 'utf8')).toContain('0 entries match the name')
  })
})
