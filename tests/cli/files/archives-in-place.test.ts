import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('commands with a token compress files, list an archive and extract it', async () => {
  await using daemon = await startTestDaemon({
    files: { 'photos/a.txt': 'one', 'photos/sub/b.txt': 'two', 'out/': '' },
  })
  const answer = await daemon.fetch('/api/tokens', {
    method: 'POST',
    body: JSON.stringify({
      name: 'x',
      permissions: ['create', 'modify', 'download'],
      current_password: daemon.password,
    }),
  })
  const { token } = (await answer.json()) as MadeApiToken
  await using here = await tempFolder()
  const run = async (...words: string[]) =>
    await runCli(words, { cwd: here.path, env: { FILEMGR_URL: daemon.url, FILEMGR_TOKEN: token } })

  const made = await run('compress', '/all.tar.gz', '/photos', 'a.txt', 'sub', '--json')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(made.stdout)).toEqual({ made: ['/all.tar.gz'], leftOut: [] })
  expect(await run('compress', '/all.tar.gz', '/photos', 'a.txt')).toMatchObject({ code: 5, stdout: '' })
  expect((await run('compress', '/all.tar.gz', '/photos', 'a.txt', '--rename')).stdout).toBe('/all(1).tar.gz\n')

  expect((await run('ls', '/all.tar.gz', '--inside', '/')).stdout).toMatch(/^NAME.*\nsub\/ .*\na\.txt +3B .*\n$/)
  expect((await run('ls', '/all.tar.gz', '--inside', 'sub', '--quiet')).stdout).toBe('b.txt\n')
  await run('get', '/all.tar.gz', '--inside', 'sub/b.txt')
  expect(await readFile(here.at('b.txt'), 'utf8')).toBe('two')
  expect(await run('ls', '/photos/a.txt', '--inside', '/')).toMatchObject({ code: 2 })

  expect((await run('extract', '/all.tar.gz', '/out')).stdout).toBe('/out/all\n')
  expect((await run('extract', '/all.tar.gz', '/out', 'sub/b.txt')).stdout).toBe('/out/b.txt\n')
  expect(await run('extract', '/all.tar.gz', '/out', 'sub/b.txt')).toMatchObject({ code: 5, stdout: '' })
  expect((await run('extract', '/all.tar.gz', '/out', 'sub/b.txt', '--overwrite', '--quiet')).stdout).toBe(
    '/out/b.txt\n',
  )
  const found = (await readdir(join(daemon.root, 'out'), { recursive: true })).toSorted()
  expect(found).toEqual(['all', 'all/a.txt', 'all/sub', 'all/sub/b.txt', 'b.txt'])
  expect(await run('extract', '/all.tar.gz', '/out', 'none')).toMatchObject({ code: 3 })
  expect(await run('compress', '/x.rar', '/photos', 'a.txt')).toMatchObject({ code: 2 })
})

it('a command says what it has left out, and fails if something is missing', async () => {
  const faulty = zipFile([
    { name: 'a.txt', content: 'a' },
    { name: 'secret.txt', content: 's', flags: 1 },
    { name: '/b.txt', content: 'b' },
  ])
  const named = zipFile([{ name: Buffer.from('8365835883672e747874', 'hex'), content: 't', isUtf8: false }])
  await using daemon = await startTestDaemon({ files: { 'out/': '', 'faulty.zip': faulty, 'named.zip': named } })
  const answer = await daemon.fetch('/api/tokens', {
    method: 'POST',
    body: JSON.stringify({ name: 'x', permissions: ['create', 'download'], current_password: daemon.password }),
  })
  const { token } = (await answer.json()) as MadeApiToken
  const run = async (...words: string[]) =>
    await runCli(words, { env: { FILEMGR_URL: daemon.url, FILEMGR_TOKEN: token } })

  const text = await run('extract', '/faulty.zip', '/out')
  expect(text).toMatchObject({ code: 5, stdout: '/out/faulty\n' })
  const partial = await run('extract', '/faulty.zip', '/out', '--rename', '--json')
  expect(partial.code).toBe(5)
  expect(JSON.parse(partial.stdout)).toEqual({
    made: ['/out/faulty(1)'],
    leftOut: [
      { name: '/b.txt', reason: 'renamed', as: 'b.txt' },
      { name: 'secret.txt', reason: 'encrypted' },
    ],
  })
  expect(text.stderr).toBe(
    'filemgr: "/b.txt" is "b.txt": this name was taken, or cannot be used\n' +
      'filemgr: "secret.txt" was left out: encrypted\n' +
      'filemgr: 1 entry was left out\n',
  )
  expect(await run('extract', '/faulty.zip', '/out', 'secret.txt')).toMatchObject({ code: 2, stdout: '' })
  expect((await run('ls', '/named.zip', '--inside', '/', '--quiet')).stdout).toBe('テスト.txt\n')
  expect((await run('ls', '/named.zip', '--inside', '/', '--quiet', '--encoding', 'gbk')).stdout).not.toBe(
    'テスト.txt\n',
  )
  expect((await run('extract', '/named.zip', '/out', '--encoding', 'shift_jis')).stdout).toBe('/out/テスト.txt\n')
  expect(await run('extract', '/named.zip', '/out', '--encoding', 'utf-16le')).toMatchObject({ code: 2 })
})
