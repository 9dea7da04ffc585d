import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('commands with a token compress files, list an archive and extract it', async () => {
  await using daemon = await startTestDaemon({
    files: { 'photos/a.txt': 'one', 'photos/sub/b.txt': 'two', 'out/': '' },
  })
  const answer = await daemon.fetch('/api/tokens', {
    method: 'POST',
    body: JSON.stringify({
      ...{ name: 'x', permissions: ['create', 'modify', 'download'], current_password: daemon.password },
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
