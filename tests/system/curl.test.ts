import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type {} from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../src/domain/accounts/api-token.ts'
import { OPERATOR } from '../../src/domain/accounts/actor.ts'
import { shareOf } from '../helpers/api/shared.ts'
import { testApp } from '../helpers/api/test-app.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { testStore } from '../helpers/cli/test-store.ts'
import { needsPrograms } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

needsPrograms('curl')

const run = promisify(execFile)

it('an API token lets curl upload with -T, as a bearer token and as a password, until it is revoked', async () => {
  await using store = await testStore({ 'inbox/old.txt': 'old' })
  await using daemon = await startTestDaemon({ data: store.data, root: store.root })
  const { id, token } = await store.json<MadeApiToken>([
    'tokens',
    'add',
    'curl',
    '--permissions',
    'download,create,modify',
  ])
  await using files = await tempFolder({ 'a.txt': 'by curl' })
  const curl = async (...words: string[]) => await run('curl', ['--silent', '--show-error', '--fail', ...words])
  const inbox = `${daemon.url}api/resources/inbox/`
  await curl('-T', files.at('a.txt'), '-H', `Authorization: Bearer ${token}`, inbox)
  await curl('-T', files.at('a.txt'), '-u', `admin:${token}`, `${inbox}old.txt`)
  for (const name of ['a.txt', 'old.txt'])
    expect(await readFile(join(store.root, 'inbox', name), 'utf8')).toBe('by curl')
  await store.run(['tokens', 'rm', id, '--yes'])
  await expect(curl('-T', files.at('a.txt'), '-u', `admin:${token}`, inbox)).rejects.toThrow('401')
})

it('a challenge lets curl answer with an API token, and with the password of a link', async () => {
  await using server = await testApp({ files: { 'a.txt': 'content' } })
  const bob = await server.user('bob', { share: true, download: true })
  const owner = server.context.services.users.find('bob').id
  const asked = { name: 'curl', permissions: ['download'] as const }
  const { token } = await server.context.services.apiTokens.create(
    OPERATOR,
    { ...asked, permissions: [...asked.permissions] },
    { owner },
  )
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { hash } = await shareOf(bob, '/a.txt', { password: 'of the link' })
  const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/api`
  const curl = async (user: string, path: string) =>
    (await run('curl', ['--silent', '--fail', '--anyauth', '--user', user, `${url}${path}`])).stdout
  expect(await curl(`bob:${token}`, '/raw/a.txt')).toBe('content')
  expect(await curl(':of the link', `/public/dl/${hash}`)).toBe('content')
  await expect(curl(':another', `/public/dl/${hash}`)).rejects.toThrow()
})
