import { describe, expect, it } from 'vitest'
import type { ProviderTest, ProviderView } from '../../../src/domain/accounts/provider-view.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { FAKE_READER, startFakeDirectory } from '../../helpers/fake-directory.ts'
import { containing } from '../../helpers/texts.ts'

const ANN = { password: 'password of Ann', attributes: { entryUUID: ['ann-1'], memberOf: ['cn=staff,dc=example'] } }

const LDAP = ['sign-in', 'ldap']
const PLACE = ['--base-dn', 'dc=example', '--bind-dn', FAKE_READER.dn, '--no-start-tls', '--group-filter', '']

describe('directories at the command line', () => {
  it('are added, listed, tried, changed and removed', async () => {
    await using directory = await startFakeDirectory({ ann: ANN })
    await using store = await testStore()
    const map = ['--map', 'groups: cn=staff,dc=example -> administrator', '--map', 'employeeType: guest -> quota 2GiB']
    const lines = [...LDAP, 'add', 'Studio directory', '--url', directory.url, ...PLACE, ...map, '--secret-stdin']
    const added = await store.json<ProviderView[]>(lines, { stdin: `${FAKE_READER.password}\n` })
    expect(added).toMatchObject([
      {
        id: 'studio-directory',
        hasSecret: true,
        startTls: false,
        mapping: [
          { claim: 'groups', value: 'cn=staff,dc=example', administrator: true },
          { claim: 'employeeType', value: 'guest', quota: 2 * 1024 ** 3 },
        ],
      },
    ])
    const listed = await store.run([...LDAP, 'ls'])
    expect(listed.stdout).toContain('Studio directory')
    expect(JSON.stringify([added, listed])).not.toContain(FAKE_READER.password)

    const tried = await store.run([...LDAP, 'test', 'ann', '--password-stdin'], { stdin: ANN.password })
    expect(tried).toMatchObject({ code: 0, stdout: containing('gives   user name ann; administrator') })
    expect(tried.stdout).not.toContain(ANN.password)
    const wrong = await store.run([...LDAP, 'test', 'ann', '--password-stdin'], { stdin: 'y' })
    expect(wrong).toMatchObject({ code: 4, stdout: containing('failed  password'), stderr: containing('nobody in') })
    expect(await store.json<ProviderTest>([...LDAP, 'test'])).toMatchObject({ works: true, steps: { length: 3 } })

    const set = ['set', 'studio-directory', '--name', 'Studio', '--map', '', '--no-enabled']
    expect(await store.json([...LDAP, ...set])).toMatchObject([{ name: 'Studio', mapping: [], enabled: false }])
    expect(await store.run([...LDAP, 'rm', 'studio-directory'])).toMatchObject({ code: 2, stderr: containing('--yes') })
    expect(await store.json([...LDAP, 'rm', 'studio-directory', '--yes'])).toEqual({ removed: ['studio-directory'] })
  })

  it('have the filters of Active Directory where no flag says otherwise, and their secret in a file', async () => {
    await using store = await testStore()
    const place = ['--url', 'ldaps://dc1.corp.example', '--base-dn', 'dc=corp,dc=example', '--bind-dn', 'filemgr@corp']
    const more = [
      '--active-directory',
      '--username-claim',
      'mail',
      '--secret-file',
      'secret.txt',
      '--ca-file',
      'ca.pem',
    ]
    const options = { cwd: store.data }
    expect(await store.json([...LDAP, 'add', 'Office', ...place, ...more], options)).toMatchObject([
      {
        id: 'office',
        subjectAttribute: 'objectGUID',
        usernameClaim: 'mail',
        userFilter: containing('(sAMAccountName={name})'),
        groupFilter: '(member:1.2.840.113556.1.4.1941:={dn})',
        secretFile: `${store.data}/secret.txt`,
        caFile: `${store.data}/ca.pem`,
      },
    ])
  })

  it.each([
    [['add', 'X', '--url', 'http://x', ...PLACE, '--secret-variable', 'X'], 2, 'url'],
    [['add', 'X', '--url', 'ldap://x', ...PLACE], 2, 'needs its password'],
    [['add', 'X', '--url', 'ldap://x', ...PLACE, '--secret-variable', 'X', '--secret-file', 'x'], 2, 'one place'],
    [['add', 'X', '--url', 'ldap://x', ...PLACE, '--map', 'admins'], 2, 'is no mapping'],
    [['add', 'X', '--url', 'ldap://x', ...PLACE, '--map', 'a: b -> quota much'], 2, 'is no mapping'],
    [['set', 'none', '--name', 'x'], 3, 'no directory none'],
    [['set', 'none'], 2, 'nothing to change'],
    [['test', 'ann'], 3, 'there is no directory;'],
    [['rm', 'none', '--yes'], 3, 'no directory none'],
  ])('%j is refused with exit code %d', async (args, code, message) => {
    await using store = await testStore()
    expect(await store.run([...LDAP, ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
  })
})
