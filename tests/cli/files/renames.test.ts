import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { RenameOutcome } from '../../../src/domain/files/renames/renames.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('commands with a token rename files by a pattern, undo it and measure folders', async () => {
  const files = { 'photos/DSC_2.JPG': 'two', 'photos/DSC_1.JPG': 'one', 'photos/sub/x': 'x' }
  await using daemon = await startTestDaemon({ files })
  const made = await daemon.fetch('/api/tokens', {
    method: 'POST',
    body: JSON.stringify({ name: 'x', permissions: ['rename'], current_password: daemon.password }),
  })
  const { token } = (await made.json()) as MadeApiToken
  await using here = await tempFolder()
  const run = async (...words: string[]) =>
    await runCli(words, { cwd: here.path, env: { FILEMGR_URL: daemon.url, FILEMGR_TOKEN: token } })
  const names = async () => (await readdir(join(daemon.root, 'photos'))).toSorted()
  const pattern = ['--template', 'Beach {n}', '--digits', '2', '--letters', 'lower']

  const shown = await run('rename', '/photos', 'DSC_2.JPG', 'DSC_1.JPG', ...pattern, '--dry-run')
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^OLD NAME +NEW NAME\nDSC_2\.JPG +beach 01\.JPG\nDSC_1\.JPG +beach 02\.JPG\n$/)
  expect(await run('rename', '/photos', ...pattern)).toMatchObject({ code: 2, stdout: '' })
  expect(await names()).toEqual(['DSC_1.JPG', 'DSC_2.JPG', 'sub'])

  const done = await run('rename', '/photos', 'DSC_2.JPG', 'DSC_1.JPG', ...pattern, '--yes', '--json')
  expect((JSON.parse(done.stdout) as RenameOutcome).renamed).toHaveLength(2)
  expect(await names()).toEqual(['beach 01.JPG', 'beach 02.JPG', 'sub'])
  await writeFile(here.at('done.json'), done.stdout)
  expect(await run('rename', '/photos', '--undo', 'done.json', '--yes')).toMatchObject({
    code: 0,
    stdout: '2 renamed\n',
  })
  expect(await names()).toEqual(['DSC_1.JPG', 'DSC_2.JPG', 'sub'])

  const clash = await run('rename', '/photos', '--template', 'same', '--yes')
  expect(clash).toMatchObject({ code: 5, stdout: '' })
  expect(clash.stderr).toContain('others would get the same name')
  expect(await names()).toEqual(['DSC_1.JPG', 'DSC_2.JPG', 'sub'])
  expect(await run('rename', '/photos')).toMatchObject({ code: 2 })
  expect(await run('rename', '/photos', '--undo', 'missing.json')).toMatchObject({ code: 3 })
  expect(await run('rename', '/missing', '--find', 'a')).toMatchObject({ code: 3 })

  expect((await run('du', '/photos', '/')).stdout).toMatch(
    /SIZE +FILES +FOLDERS +PATH\n7B +3 +1 +\/photos\n7B +3 +2 +\/\n/,
  )
  const sizes: unknown = JSON.parse((await run('du', '--json')).stdout)
  expect(sizes).toEqual([{ path: '/', bytes: 7, files: 3, folders: 2 }])
})
