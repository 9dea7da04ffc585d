import { once } from 'node:events'
import { chmod, readdir, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { containing } from '../../helpers/texts.ts'

/** A start that has to fail, with one line and before it creates the data folder. */
async function refused(folder: TempFolder, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: folder.path, env, enforcePermissions: true }
  const { code, stdout, stderr } = await runCli(['--data', 'd', 'serve', '--port', '0', ...args], options)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^filemgr: [^\n]+\n$/)
  expect(await readdir(folder.path)).not.toContain('d')
  return { code, stderr }
}

describe('serve refuses with exit code 2 and one line', () => {
  it.each([
    ['a missing root', ['nowhere'], 'does not exist'],
    ['a root that is a file', ['file.txt'], 'is not a folder'],
    ['a root that may not be read', ['locked'], 'cannot be read by this account'],
    ['two roots', ['.', '--root', '.'], 'given twice'],
    ['a certificate without key', ['.', '--cert', 'tls.crt'], '--key'],
    ['a key without certificate', ['.', '--key', 'tls.key'], '--cert'],
    ['a certificate that is missing', ['.', '--cert', 'no.crt', '--key', 'tls.key'], 'no.crt does not exist'],
    [
      'a key of another certificate',
      ['.', '--cert', 'tls.crt', '--key', 'other.key'],
      'are not a PEM certificate and its key',
    ],
    ['an invalid duration', ['.', '--token-expiration-time', 'soon'], '--token-expiration-time'],
    ['an address of another machine', ['.', '--address', '192.0.2.1'], '--address 192.0.2.1'],
    ['a socket and a port', ['.', '--socket', 's'], '--port'],
    ['a socket in a missing folder', ['.', '--socket', 'no/s', '--port=0'], '--socket'],
    ['a cache folder in the served folder', ['.', '--cache-dir', 'thumbs/here'], 'lies in the served folder'],
    [
      'a cache folder in the served folder, behind a link',
      ['locked/..', '--cache-dir', 'away'],
      'lies in the served folder',
    ],
    ['several processes without PostgreSQL', ['.', '--processes', '2'], '--processes 2 needs a store in PostgreSQL'],
    ['no processes', ['.', '--processes', '0'], '--processes must be between 1 and 64'],
    ['a config file that is missing', ['.', '--config', 'no.yaml'], 'no.yaml'],
    ['a config file that is malformed', ['.', '--config', 'bad.json'], 'bad.json line 2'],
  ])('%s', async (_name, args, message) => {
    await using folder = await tempFolder({ 'file.txt': '', 'locked/': '', 'bad.json': '{\n"port":: 1}' })
    await chmod(folder.at('locked'), 0o000)
    await symlink('.', folder.at('away'))
    selfSigned(folder)
    selfSigned(folder, 'other')
    const { code, stderr } = await refused(folder, args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('a port that is in use', async () => {
    await using folder = await tempFolder()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const { code, stderr } = await refused(folder, ['.', '--port', port])
    taken.close()
    expect(code).toBe(2)
    expect(stderr).toContain(`--port ${port} on 127.0.0.1 is in use`)
  })

  it('a wrong value in the environment, naming the variable', async () => {
    await using folder = await tempFolder()
    const { code, stderr } = await refused(folder, ['.'], { FILEMGR_READ_ONLY: 'perhaps' })
    expect(code).toBe(2)
    expect(stderr).toContain('FILEMGR_READ_ONLY')
  })
})

describe('serve refuses with exit code 6 and one line', () => {
  it('a data folder that cannot be written to', async () => {
    await using folder = await tempFolder({ 'files/': '', 'data/': '' })
    await chmod(folder.at('data'), 0o500)
    const args = ['--data', folder.at('data'), 'serve', folder.at('files'), '--port', '0']
    const { code, stdout, stderr } = await runCli(args, { enforcePermissions: true })
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(stderr).toMatch(/^filemgr: [^\n]*data[^\n]* is not writable[^\n]*\n$/)
    expect(await readdir(folder.at('data'))).toEqual([])
  })

  it('a data folder below a file', async () => {
    await using folder = await tempFolder({ 'files/': '', file: '' })
    const args = ['--data', folder.at('file/data'), 'serve', folder.at('files'), '--port', '0']
    expect(await runCli(args)).toMatchObject({
      code: 6,
      stdout: '',
      stderr: containing(folder.at('file/data')),
    })
  })

  it('a damaged store', async () => {
    await using folder = await tempFolder({ 'files/': '', 'data/': '' })
    await chmod(folder.at('data'), 0o700)
    await writeFile(folder.at('data/store.json'), '{"version": 99}', { mode: 0o600 })
    const args = ['--data', folder.at('data'), 'serve', folder.at('files'), '--port', '0']
    expect(await runCli(args)).toMatchObject({ code: 6, stdout: '' })
  })
})

it('serves a folder that cannot be written to, with a notice', async () => {
  await using folder = await tempFolder({ 'a.txt': 'hello' })
  await chmod(folder.path, 0o500)
  await using daemon = await startTestDaemon({ root: folder.path, enforcePermissions: true })
  expect(await (await daemon.fetch('api/raw/a.txt')).text()).toBe('hello')
  expect((await daemon.fetch('api/resources/b.txt', { method: 'POST', body: 'x' })).status).toBe(403)
  const { stderr } = await daemon.stop()
  expect(stderr).toContain('is read-only; every change will be refused')
  expect(stderr).toMatch(
    new RegExp(
      `"cause":"EACCES in open: the account \\S+ may not write to ${folder.path}","msg":"/api/resources/b.txt: 403 `,
    ),
  )
  await chmod(folder.path, 0o700)
})

it('a file that cannot leave its folder does not appear at another place either', async () => {
  await using folder = await tempFolder({ 'locked/a.txt': 'hello' })
  await chmod(folder.at('locked'), 0o500)
  await using daemon = await startTestDaemon({ root: folder.path, enforcePermissions: true })
  const renamed = await daemon.fetch('api/resources/locked/a.txt?action=rename&destination=%2Fb.txt', {
    method: 'PATCH',
  })
  expect(renamed.status).toBe(403)
  expect(await readdir(folder.path)).toEqual(['locked'])
  await chmod(folder.at('locked'), 0o700)
})
