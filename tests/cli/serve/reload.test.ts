import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { programLine } from '../../helpers/cli/program.ts'
import { bareEnvironment, startCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** Bit 0 of SigCgt is SIGHUP. */
async function catchesHangup(pid: number): Promise<boolean> {
  const [, mask = '0'] = /SigCgt:\s*([0-9a-f]+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return (BigInt(`0x${mask}`) & 1n) === 1n
}

describe('SIGHUP', () => {
  it.each([
    ['the default log', []],
    ['a log on stdout', ['--log', 'stdout']],
    ['a pretty log', ['--log-format', 'pretty']],
    ['no log', ['--log', '']],
  ])('does not end a daemon with %s', async (_, args) => {
    await using daemon = await startTestDaemon({ args })
    for (let turn = 0; turn < 3; turn += 1) {
      process.kill(daemon.pid, 'SIGHUP')
      expect((await fetch(`${daemon.url}health`)).status).toBe(200)
    }
    expect(await daemon.stop()).toMatchObject({ code: 0, signal: null })
  })

  it('does not end a daemon whose log folder is gone', async () => {
    await using folder = await tempFolder({ 'logs/': '' })
    await using daemon = await startTestDaemon({ args: ['--log', folder.at('logs/x.log')] })
    await rename(folder.at('logs'), folder.at('elsewhere'))
    process.kill(daemon.pid, 'SIGHUP')
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body: '{"username":"admin"}' })).status).toBe(403)
    expect(await daemon.stop()).toMatchObject({ code: 0, signal: null })
  })

  it('does not end a daemon that does not listen yet', async () => {
    await using folder = await tempFolder()
    const [program, ...first] = programLine()
    const line = [...first, 'serve', folder.path, '--ephemeral', '--port', '0', '--password-stdin']
    const child = spawn(program, line, { env: bareEnvironment() })
    const ended = once(child, 'exit')
    await expect.poll(async () => await catchesHangup(child.pid ?? 0)).toBe(true)
    child.kill('SIGHUP')
    child.stdin.end('a long passphrase\n')
    const [ready] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    expect(ready).toContain('serves')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('is nothing to a daemon that has stopped', async () => {
    const before = process.listenerCount('SIGHUP')
    await (await startTestServer())[Symbol.asyncDispose]()
    expect(process.listenerCount('SIGHUP')).toBe(before)
  })

  it('does not interrupt a daemon that is stopping', async () => {
    await using folder = await tempFolder()
    await using running = startCli(['serve', folder.path, '--ephemeral', '--port', '0'], { env: CHEAP_ACCOUNT })
    await running.firstLine()
    running.kill('SIGTERM')
    await running.notice(/stopping/)
    running.kill('SIGHUP')
    expect(await running.ended()).toMatchObject({ code: 0, signal: null })
  })

  it('loads a renewed certificate, and keeps the old one if the new one is broken', async () => {
    await using folder = await tempFolder()
    const { cert, key } = selfSigned(folder)
    await using running = startCli(['serve', folder.path, '--ephemeral', '--port', '0', '-t', cert, '-k', key], {
      env: CHEAP_ACCOUNT,
    })
    const port = Number(/:(\d+)\/$/.exec(await running.firstLine())?.[1])
    const before = await fingerprintAt(port)

    await writeFile(cert, 'half a certificate')
    running.kill('SIGHUP')
    await running.notice(/the certificate was not reloaded/)
    expect(await fingerprintAt(port)).toBe(before)

    const renewed = selfSigned(folder, 'other')
    await copyFile(renewed.key, key)
    await copyFile(renewed.cert, cert)
    running.kill('SIGHUP')
    await expect.poll(async () => await fingerprintAt(port)).not.toBe(before)
    running.kill('SIGTERM')
    expect(await running.ended()).toMatchObject({ code: 0, signal: null })
  })
})

/** The certificate that a new connection is shown. */
async function fingerprintAt(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}
