import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { programLine } from '../../helpers/cli/program.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

async function serve(args: readonly string[] = []) {
  const store = await storeWithToken({ 'files/a.txt': 'alpha' })
  const daemon = await startTestDaemon({ data: store.data, root: store.root, args })
  const env = { FILEMGR_TOKEN: store.token }
  return {
    store,
    daemon,
    env,
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const originOf = ({ url }: TestDaemon) => new URL(url).origin

describe('the address of a server', () => {
  it('may be one that the browser shows, or that of a call', async () => {
    await using world = await serve()
    for (const rest of [
      '',
      '/',
      '/files',
      '/files/files/',
      '/share/abc',
      '/settings/profile',
      '/login?x=1#y',
      '/api/',
    ]) {
      const url = originOf(world.daemon) + rest
      expect([rest, await runCli(['ls', '/files', '--quiet', '--url', url], world)]).toMatchObject([
        rest,
        { code: 0, stdout: 'a.txt\n', stderr: '' },
      ])
    }
  })

  it('may have a base path that is called like a screen', async () => {
    await using world = await serve(['--base-url', '/files'])
    for (const rest of ['/files', '/files/files/files/', '/files/login']) {
      const url = originOf(world.daemon) + rest
      expect([rest, await runCli(['ls', '/files', '--quiet', '--url', url], world)]).toMatchObject([
        rest,
        { code: 0, stdout: 'a.txt\n', stderr: '' },
      ])
    }
  })

  it('is refused in one line if a page or nothing of filemgr is there', async () => {
    await using world = await serve()
    const url = `${originOf(world.daemon)}/other`
    const refused = {
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^filemgr: .*\/other\/ is not the address.*\n$/) as string,
    }
    const sample = `${world.store.root}/files/a.txt`
    for (const words of [
      ['ls', '/'],
      ['du', '/'],
      ['get', '/files/a.txt', '-'],
      ['put', sample, '/b.txt'],
    ])
      expect([words, await runCli([...words, '--url', url], world)]).toMatchObject([words, refused])
  })

  it('of a server that answers something else is reported', async () => {
    await using server = createServer((_request, reply) => void reply.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { FILEMGR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, FILEMGR_TOKEN: 'a.b.c' }
    for (const words of [['ls'], ['du'], ['rename', '/', 'a', '--template', 'b', '--yes']])
      expect(await runCli(words, { env })).toMatchObject({
        code: 3,
        stdout: '',
        stderr: 'filemgr: the server did not answer like filemgr; check the address\n',
      })
  })
})

describe('pipes', () => {
  const inShell = async ({ daemon, env }: Awaited<ReturnType<typeof serve>>, script: string) => {
    const filemgr = programLine()
      .map((word) => `'${word}'`)
      .join(' ')
    const text = `filemgr() { ${filemgr} "$@"; }; ${script}`
    const more = { PATH: process.env['PATH'] ?? '', FILEMGR_URL: daemon.url }
    return await promisify(execFile)('bash', ['--norc', '-c', text], { env: { ...more, ...env } })
  }

  it('are uploaded to their end, under the name of the target', async () => {
    await using world = await serve()
    await inShell(world, 'filemgr put <(head -c 300000 /dev/zero; echo end) /piped.txt')
    expect((await readFile(`${world.store.root}/piped.txt`, 'latin1')).slice(-4)).toBe('end\n')
    expect((await stat(`${world.store.root}/piped.txt`)).size).toBe(300_004)
    await inShell(world, 'echo one | filemgr put /dev/stdin /one.txt')
    expect(await readFile(`${world.store.root}/one.txt`, 'utf8')).toBe('one\n')
  })

  it('need a name, which a folder does not give them', async () => {
    await using world = await serve()
    await expect(inShell(world, 'filemgr put <(echo piped) /files/')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^filemgr: \/dev\/fd\/\d+ has no name of its own; .*\n$/) as string,
    })
  })

  it('take a download', async () => {
    await using world = await serve()
    await using folder = await tempFolder()
    const got = `${folder.path}/got`
    await inShell(world, `mkfifo ${got}.fifo; cat ${got}.fifo > ${got} & filemgr get /files/a.txt ${got}.fifo && wait`)
    expect(await readFile(got, 'utf8')).toBe('alpha')
  })
})
