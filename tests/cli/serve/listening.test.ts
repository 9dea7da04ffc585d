import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestTls } from 'node:https'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

async function ask(request: typeof requestPlain, options: RequestOptions, body?: string): Promise<string> {
  const [answer] = (await once(request(options).end(body), 'response')) as [IncomingMessage]
  return await text(answer)
}

describe('TLS', () => {
  it('is used with a certificate and key, and versions before 1.2 are refused', async () => {
    await using folder = await tempFolder()
    const { cert, key } = selfSigned(folder)
    await using running = startCli(['serve', '.', '--ephemeral', '--port', '0', '--json', '-t', cert, '-k', key], {
      env: CHEAP_ACCOUNT,
    })
    const { url } = JSON.parse(await running.firstLine()) as { url: string }
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/)
    const port = Number(new URL(url).port)
    const ca = await readFile(cert)
    const answer = await ask(requestTls, { host: '127.0.0.1', port, path: '/health', ca } as RequestOptions)
    expect(JSON.parse(answer)).toEqual({ status: 'OK' })
    const old = connect({
      host: '127.0.0.1',
      port,
      ca,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol version|unsupported protocol|no protocols/i)
  })
})

describe('a unix socket', () => {
  it('answers, has the given mode, and is removed when the daemon stops', async () => {
    await using folder = await tempFolder()
    const socket = folder.at('s')
    await using running = startCli(
      ['serve', '.', '--ephemeral', '--json', '--socket', socket, '--socketPerm', '0600'],
      {
        env: CHEAP_ACCOUNT,
      },
    )
    expect(JSON.parse(await running.firstLine())).toMatchObject({ url: `unix:${socket}` })
    expect((await stat(socket)).mode & 0o777).toBe(0o600)
    expect(await ask(requestPlain, { socketPath: socket, path: '/health' })).toContain('OK')
    running.kill('SIGTERM')
    expect(await running.ended()).toMatchObject({ code: 0 })
    await expect(stat(socket)).rejects.toThrow('ENOENT')
  })

  it('makes serve print a sign-in link without a host, which only the proxy in front knows', async () => {
    await using folder = await tempFolder()
    const socketPath = folder.at('s')
    const line = ['serve', '.', '--ephemeral', '--share', '--socket', socketPath, '--base-url', '/fb']
    await using running = startCli(line, { env: CHEAP_ACCOUNT })
    const notice = await running.notice(/at the address of the proxy in front, .*\/fb\/login#code=[\w-]+/)
    const code = /#code=([\w-]+)/.exec(notice)?.[1]
    const redeem = { socketPath, path: '/fb/api/login/code', method: 'POST' }
    expect(await ask(requestPlain, redeem, JSON.stringify({ code }))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('lets people sign in although their address is unknown', async () => {
    await using folder = await tempFolder()
    const socketPath = folder.at('s')
    const line = ['serve', '.', '--ephemeral', '--json', '--socket', socketPath, '--password', 'correct horse 12']
    await using running = startCli(line)
    await running.firstLine()
    const credentials = JSON.stringify({ username: 'admin', password: 'correct horse 12' })
    const token = await ask(requestPlain, { socketPath, path: '/api/login', method: 'POST' }, credentials)
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const sessions = await ask(requestPlain, { socketPath, path: '/api/sessions', headers: { 'x-auth': token } })
    expect(JSON.parse(sessions)).toContainEqual(expect.objectContaining({ address: '', current: true }))
  })

  it('replaces the socket of a killed daemon, but not of a running one', async () => {
    await using folder = await tempFolder()
    const line = ['serve', '.', '--ephemeral', '--json', '--socket', folder.at('s')]
    await using first = startCli(line, { env: CHEAP_ACCOUNT })
    await first.firstLine()
    expect(await runCli(line, { env: CHEAP_ACCOUNT })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: containing('is in use'),
    })
    first.kill('SIGKILL')
    await first.ended()
    await using second = startCli(line, { env: CHEAP_ACCOUNT })
    expect(await second.firstLine()).toContain('listening')
  })

  it('never replaces a file', async () => {
    await using folder = await tempFolder()
    await writeFile(folder.at('s'), 'mine')
    expect(
      await runCli(['serve', '.', '--ephemeral', '--socket', folder.at('s')], { env: CHEAP_ACCOUNT }),
    ).toMatchObject({
      code: 2,
      stdout: '',
    })
    expect(await readFile(folder.at('s'), 'utf8')).toBe('mine')
  })
})

/** A connection that the daemon waits for: its upload has begun and does not end. */
async function hangingUpload({ url, token, root }: TestDaemon): Promise<Socket> {
  const { port, host } = new URL(url)
  const socket = createConnection(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const head = [`POST /api/resources/slow.bin HTTP/1.1`, `Host: ${host}`, `X-Auth: ${token}`, 'Content-Length: 10']
  socket.write(`${head.join('\r\n')}\r\n\r\n12345`)
  await expect.poll(async () => await readdir(root)).toHaveLength(1)
  return socket
}

describe('a daemon', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with exit code 0 on %s, and removes daemon.json', async (signal) => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    expect(JSON.parse(await readFile(`${store.data}/daemon.json`, 'utf8'))).toMatchObject({
      pid: daemon.pid,
      url: daemon.url,
    })
    expect(await daemon.stop(signal)).toMatchObject({ code: 0, signal: null })
    await expect(stat(`${store.data}/daemon.json`)).rejects.toThrow('ENOENT')
  })

  it('lets a running upload finish after the first signal', async () => {
    await using daemon = await startTestDaemon()
    const socket = await hangingUpload(daemon)
    const answer = text(socket)
    process.kill(daemon.pid, 'SIGTERM')
    await expect.poll(async () => await canConnect(daemon.url)).toBe(false)
    socket.write('67890')
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(await daemon.ended()).toMatchObject({ code: 0 })
  })

  it('ends at once after a second signal', async () => {
    await using daemon = await startTestDaemon()
    const socket = await hangingUpload(daemon)
    socket.on('error', () => undefined)
    process.kill(daemon.pid, 'SIGTERM')
    await expect.poll(async () => await canConnect(daemon.url)).toBe(false)
    expect(await daemon.stop('SIGINT')).toMatchObject({ code: null, signal: 'SIGINT' })
    socket.destroy()
  })
})

async function canConnect(url: string): Promise<boolean> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
