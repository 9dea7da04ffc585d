import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApiTokenView, MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

describe('API tokens', () => {
  it('are created, listed and revoked, and only their hashes are stored', async () => {
    await using store = await testStore()
    const made = await store.run(['tokens', 'add', 'report', '--expires', '30d', '--path', '/docs'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^fmgr_\w{49}\n$/) as string })
    expect(made.stderr).toContain('cannot be shown again')
    expect(await store.saved()).not.toContain(made.stdout.trim())
    const listed = await store.json<ApiTokenView[]>(['tokens', 'ls', '--user', 'admin'])
    expect(listed).toMatchObject([
      {
        name: 'report',
        username: 'admin',
        permissions: ['download'],
        path: '/docs',
        expires: expect.any(String) as string,
      },
    ])
    expect((await store.run(['tokens', 'ls'])).stdout).toMatch(/admin +report +download +\/docs +\S+ +never/)
    const id = listed[0]?.id ?? ''
    expect(await store.run(['tokens', 'rm', id])).toMatchObject({ code: 2 })
    expect(await store.json(['tokens', 'rm', id, '--yes'])).toMatchObject({ id, name: 'report' })
    expect(await store.json(['tokens', 'ls'])).toEqual([])
    expect((await store.run(['logs', '--audit'])).stdout).toMatch(/operator .*tokens\.create report/)
  })

  it.each([
    [2, ['add', 'x', '--permissions', 'everything']],
    [2, ['add', 'x', '--expires', 'soon']],
    [3, ['add', 'x', '--user', 'nobody']],
    [3, ['rm', 'x'.repeat(16), '--yes']],
  ])('are refused with exit code %i: %j', async (code, words) => {
    await using store = await testStore()
    expect(await store.run(['tokens', ...words])).toMatchObject({ code, stdout: '' })
  })
})

describe('an API token', () => {
  it('lets filemgr put, ls and get files', async () => {
    await using daemon = await startTestDaemon({ files: { 'inbox/old.txt': 'old', 'photos/one.jpg': 'one' } })
    const { url } = daemon
    const password = daemon.password
    const made = await daemon.fetch('/api/tokens', {
      method: 'POST',
      body: JSON.stringify({ name: 'x', permissions: ['download', 'create', 'modify'], current_password: password }),
    })
    const { token } = (await made.json()) as MadeApiToken
    await using here = await tempFolder({
      'é a.txt': 'content',
      'old.txt': 'newer',
      token: `${token}\n`,
      'empty.txt': '',
    })
    const client = async (...words: string[]) =>
      await runHere([...words, '--url', url, '--token-file', 'token'], { cwd: here.path })
    const byVariable = async (words: string[], stdin = '') =>
      await runCli(words, { cwd: here.path, stdin, env: { FILEMGR_URL: url, FILEMGR_TOKEN: token } })

    await utimes(here.at('é a.txt'), '-114912000.5', '-114912000.5')
    await utimes(here.at('empty.txt'), '13569465600', '13569465600')
    expect(await client('put', 'é a.txt', '/inbox/')).toMatchObject({ code: 0, stdout: '/inbox/é a.txt: 7B\n' })
    expect(await client('put', 'empty.txt', '/inbox/empty.txt')).toMatchObject({ code: 0 })
    expect(await client('put', 'old.txt', '/inbox/')).toMatchObject({ code: 5, stdout: '' })
    expect(await client('put', 'old.txt', '/inbox/', '--overwrite')).toMatchObject({ code: 0 })
    expect(await byVariable(['put', '-', '/inbox/piped.txt'], 'piped')).toMatchObject({ code: 0 })
    const listed = await byVariable(['ls', '/inbox', '--quiet'])
    expect(listed.stdout.split('\n').toSorted()).toEqual(['', 'empty.txt', 'old.txt', 'piped.txt', 'é a.txt'])
    expect(await readFile(join(daemon.root, 'inbox/old.txt'), 'utf8')).toBe('newer')
    expect((await stat(join(daemon.root, 'inbox/é a.txt'))).mtimeMs).toBe(-114_912_000_500)
    expect((await stat(join(daemon.root, 'inbox/empty.txt'))).mtimeMs).toBe(13_569_465_600_000)

    expect((await byVariable(['get', '/inbox/piped.txt', '-'])).stdout).toBe('piped')
    expect(await client('get', '/inbox/é a.txt')).toMatchObject({ code: 5 })
    await rm(here.at('é a.txt'))
    expect(await client('get', '/inbox/é a.txt')).toMatchObject({ code: 0 })
    expect(await readFile(here.at('é a.txt'), 'utf8')).toBe('content')
    // Without fractions, since that is what HTTP has.
    expect((await stat(here.at('é a.txt'))).mtimeMs).toBe(-114_912_001_000)
    expect(await client('get', '/inbox/empty.txt', 'got.txt')).toMatchObject({ code: 0 })
    expect((await stat(here.at('got.txt'))).mtimeMs).toBe(13_569_465_600_000)
    expect(await client('get', '/photos')).toMatchObject({ code: 0 })
    expect((await readFile(here.at('photos.zip'), 'latin1')).slice(0, 2)).toBe('PK')

    expect(await client('get', '/missing')).toMatchObject({ code: 3 })
    expect(await client('get', '/inbox/old.txt', 'nowhere/old.txt')).toMatchObject({ code: 3 })
    expect(await runHere(['ls', '--url', url, '--token', `${token}x`])).toMatchObject({ code: 4 })
    expect(await runHere(['ls', '--url', url])).toMatchObject({ code: 2 })
    expect(await runHere(['ls', '--url', 'http://127.0.0.1:1', '--token', token])).toMatchObject({ code: 3 })
  })
})
