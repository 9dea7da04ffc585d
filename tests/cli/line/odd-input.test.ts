import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { programLine } from '../../helpers/cli/program.ts'
import { bareEnvironment } from '../../helpers/cli/run-cli.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

/** All ways in which commands read standard input. */
const READERS = [
  ['hash'],
  ['users', 'passwd', 'admin', '--password-stdin'],
  ['users', 'add', 'bob', '--password-stdin'],
  ['users', 'import', '-'],
  ['settings', 'import', '-', '--format', 'json'],
  ['restore', '-', '--yes'],
  ['put', '-', '/x'],
  ['shares', 'add', '/', '--share-password-stdin'],
  ['serve', '.', '--ephemeral', '--port', '0', '--password-stdin'],
  ['serve', '.', '--ephemeral', '--port', '0', '--share', '--share-password-stdin'],
]

it.each([
  ['closed', '<&-'],
  ['empty', '< /dev/null'],
  ['a folder', '< /'],
  ['bytes without a meaning', '< junk'],
  ['endless', '< /dev/zero'],
])('standard input that is %s is exit code 2 and one line', async (_, redirection) => {
  await using store = await testStore()
  await writeFile(store.at('junk'), Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0x00]), randomBytes(3000)]))
  for (const words of READERS) {
    const line = ['-c', `exec "$0" "$@" ${redirection}`, ...programLine(), '--data', store.data, ...words]
    const env = { ...bareEnvironment(), FILEMGR_URL: 'http://127.0.0.1:9', FILEMGR_TOKEN: 'a.b.c' }
    const ended = await new Promise<object>((resolve) => {
      execFile('sh', line, { env, cwd: store.at(''), timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
    const unreachable = words[0] === 'put'
    expect({ words, ...ended }).toEqual({
      words,
      code: unreachable ? 3 : 2,
      stdout: '',
      stderr: expect.stringMatching(/^filemgr: (?!internal)[^\n]+\n$/) as string,
    })
  }
})
