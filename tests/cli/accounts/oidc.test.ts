import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ProviderTest, ProviderView } from '../../../src/domain/accounts/provider-view.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { CLIENT_SECRET, testProvider } from '../../helpers/oidc/test-provider.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

describe('sign-in oidc at the command line', () => {
  it('adds, lists, tests, changes and removes a provider, and never shows its secret', async () => {
    await using provider = await testProvider({ redirectUris: ['https://files.test/api/sign-in/sso/callback'] })
    await using store = await testStore()
    await using folder = await tempFolder({ 'anna.json': '{"preferred_username":"anna","groups":["it-admins"]}' })
    await writeFile(folder.at('secret'), `${CLIENT_SECRET}\n`)
    const env = { FILEMGR_SIGN_IN_HOSTS: provider.host, FILEMGR_PUBLIC_URL: 'https://files.test' }
    const flags = ['--issuer', provider.issuer, '--client-id', 'filemgr', '--secret-file', folder.at('secret')]
    const mapping = ['--map', 'groups: it-admins -> administrator', '--map', 'groups: big -> quota 20GiB']
    const added = await store.run(['sign-in', 'oidc', 'add', 'SSO', ...flags, ...mapping], { env })
    expect(added).toMatchObject({ code: 0, stderr: containing('https://files.test/api/sign-in/sso/callback') })
    expect(added.stdout).toContain('groups: it-admins -> administrator')
    const [listed] = await store.json<ProviderView[]>(['sign-in', 'oidc', 'ls'])
    expect(listed).toMatchObject({
      id: 'sso',
      hasSecret: true,
      people: 0,
      mapping: [{ value: 'it-admins' }, { quota: 20 * 1024 ** 3 }],
    })
    const tested = await store.json<ProviderTest>(
      ['sign-in', 'oidc', 'test', 'sso', '--claims', folder.at('anna.json')],
      { env },
    )
    expect(tested).toMatchObject({ works: true, gives: { username: 'anna', administrator: true } })
    await writeFile(folder.at('secret'), 'wrong')
    const failed = await store.run(['sign-in', 'oidc', 'test', 'sso'], { env })
    expect([failed.code === 0, failed.stdout]).toEqual([false, containing('failed  client')])
    const [changed] = await store.json<ProviderView[]>(['sign-in', 'oidc', 'set', 'sso', '--no-enabled', '--map', ''])
    expect(changed).toMatchObject({ enabled: false, mapping: [] })

    await store.run(['users', 'link', 'admin', 'sso', 'subject-1', '--label', 'Admin'])
    expect((await store.run(['users', 'identities', 'admin'])).stdout).toContain('subject-1')
    expect((await store.run(['users', 'unlink', 'admin', 'sso', '--yes'])).code).toBe(0)
    expect(await store.json(['users', 'identities', 'admin'])).toEqual([])
    expect(await store.json(['sign-in', 'oidc', 'rm', 'sso', '--yes'])).toEqual({ removed: ['sso'] })
    expect(
      [added.stdout, JSON.stringify(listed), (await store.run(['logs', '--audit', '--json'])).stdout].join(''),
    ).not.toContain(CLIENT_SECRET)
  })

  it.each([
    [['oidc', 'add', 'SSO', '--client-id', 'x'], 2, 'issuer'],
    [['oidc', 'add', 'SSO', '--issuer', 'http://sso.example.org', '--client-id', 'x'], 2, 'https'],
    [
      ['oidc', 'add', 'SSO', '--issuer', 'https://sso.example.org', '--client-id', 'x', '--map', 'nonsense'],
      2,
      '--map',
    ],
    [['oidc', 'set', 'none', '--name', 'x'], 3, 'no provider none'],
    [['oidc', 'set', 'none'], 2, '--no-enabled'],
    [['oidc', 'rm', 'none', '--yes'], 3, 'no provider none'],
  ])('%j is refused with exit code %d', async (args, code, message) => {
    await using store = await testStore()
    expect(await store.run(['sign-in', ...args])).toMatchObject({ code, stdout: '', stderr: containing(message) })
  })
})
