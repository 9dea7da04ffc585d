import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import { textOfBytes } from '../../../src/domain/files/name-text.ts'
import { programLine } from '../../helpers/cli/program.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** In Latin-1. As UTF-8, which they are not, Node would take all three for the same name. */
const NAMES = ['caf\xe9', 'caf\xe8', 'caf\xff']

const inFolder = (root: string, name: string) =>
  Buffer.concat([Buffer.from(`${root}/in/`), Buffer.from(name, 'latin1')])

const namesIn = async (folder: string) =>
  (await readdir(folder, { encoding: 'buffer' })).map((name) => name.toString('latin1')).toSorted()

it('commands take names that are not UTF-8 as the bytes that they are', async () => {
  await using daemon = await startTestDaemon({ files: { 'in/': '' } })
  const made = await daemon.fetch('/api/tokens', {
    method: 'POST',
    body: JSON.stringify({
      name: 'x',
      permissions: ['create', 'rename', 'modify', 'download'],
      current_password: daemon.password,
    }),
  })
  const { token } = (await made.json()) as MadeApiToken
  await using here = await tempFolder()
  const [program, ...words] = programLine()
  const env = { PATH: process.env['PATH'] ?? '', FILEMGR_URL: daemon.url, FILEMGR_TOKEN: token }
  /** Texts of Node are UTF-8, so a shell makes the bytes. */
  const run = async (script: string) => {
    const filemgr = [program, ...words].map((word) => `'${word}'`).join(' ')
    const text = `set -e; e() { printf "caf\\\\$1"; }; filemgr() { ${filemgr} "$@"; }; ${script}`
    return (await promisify(execFile)('sh', ['-c', text], { cwd: here.path, env, encoding: 'latin1' })).stdout
  }
  for (const name of NAMES) await writeFile(inFolder(daemon.root, name), name, 'latin1')
  for (const octal of ['351', '350', '377']) {
    const name = `caf${String.fromCharCode(Number.parseInt(octal, 8))}`
    expect(await run(`filemgr get "/in/$(e ${octal})" -`)).toBe(name)
    expect(await run(`filemgr get "/in/$(e ${octal})" "$(e ${octal})" > log; cat "$(e ${octal})"`)).toBe(name)
    const listed: unknown = JSON.parse(await run(`filemgr ls "/in/$(e ${octal})" --json`))
    expect(listed).toMatchObject([{ name: textOfBytes(Buffer.from(name, 'latin1')), size: 4 }])
  }
  expect((await namesIn(here.path)).filter((name) => name !== 'log')).toEqual(NAMES.toSorted())
  await run(`filemgr put "$(e 350)" /in/copy`)
  await run(`filemgr rename /in "$(e 351)" --template new --yes`)
  expect(await namesIn(join(daemon.root, 'in'))).toEqual(['caf\xe8', 'caf\xff', 'copy', 'new'])
  expect(await run(`filemgr get /in/copy -; filemgr get /in/new -`)).toBe('caf\xe8caf\xe9')
  // New names are text.
  await expect(run(`filemgr put "$(e 350)" /in/sub/`)).rejects.toThrow('a new name must be valid text')
})
