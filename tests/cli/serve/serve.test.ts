import { chmod, readdir, readFile, rename, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { containing, matching } from '../../helpers/texts.ts'

const KEEP = ['--port', '0', '--json']

describe('the first start', () => {
  it('prints one JSON line whose password and token sign in', async () => {
    await using daemon = await startTestDaemon({ files: { 'a.txt': 'hello' }, ownAccount: true })
    expect(daemon).toMatchObject({ url: matching(/^http:\/\/127\.0\.0\.1:\d+\/$/), username: 'admin' })
    expect(await (await daemon.fetch('api/raw/a.txt')).text()).toBe('hello')
    const body = JSON.stringify({ username: daemon.username, password: daemon.password })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
    expect(await daemon.stop()).toMatchObject({
      code: 0,
      stdout: matching(/^\{"event":"listening",.*\}\n$/),
    })
  })

  it('prints the password and a sign-in link for people', async () => {
    await using folder = await tempFolder()
    await using running = startCli(['--data', folder.at('d'), 'serve', folder.path, '--port', '0'])
    expect(await running.firstLine()).toMatch(/^filemgr \S+ serves \S+ at http:/)
    running.kill('SIGTERM')
    const { stderr } = await running.ended()
    expect(stderr).toMatch(/sign in as admin with the password \S{16,} \(shown only now\), or open.*\/login#code=\S+\n/)
  })

  it('exchanges the code of the sign-in link for a token, once', async () => {
    await using folder = await tempFolder()
    await using running = startCli(['serve', folder.path, '--ephemeral', '--port', '0'], { env: CHEAP_ACCOUNT })
    const [, url] = /at (\S+)$/.exec(await running.firstLine()) ?? []
    const code = await running.notice(/(?<=login#code=)\S+/)
    const redeem = async () => await fetch(`${url}api/login/code`, { method: 'POST', body: JSON.stringify({ code }) })
    const first = await redeem()
    expect(first.status).toBe(200)
    expect((await redeem()).status).toBe(403)
    const sessions = await fetch(`${url}api/sessions`, { headers: { 'X-Auth': await first.text() } })
    expect(sessions.status).toBe(200)
  })

  it('saves the root, and a later start without a folder serves it again', async () => {
    await using folder = await tempFolder({ 'files/a.txt': 'hello' })
    const data = folder.at('d')
    await using first = await startTestDaemon({ data, root: folder.at('files') })
    await first.stop()
    await using bare = startCli(['--data', data, ...KEEP], { cwd: '/', env: {} })
    const { url } = JSON.parse(await bare.firstLine()) as { url: string }
    const login = { method: 'POST', body: JSON.stringify({ username: 'admin', password: first.password }) }
    const token = await (await fetch(`${url}api/login`, login)).text()
    expect(await (await fetch(`${url}api/raw/a.txt`, { headers: { 'X-Auth': token } })).text()).toBe('hello')
  })

  it('that fails before it prints the password lets the next start print it', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const data = folder.at('d')
    const log = ['--log', folder.at('missing/log')]
    const failed = await runCli(['--data', data, 'serve', folder.at('files'), ...KEEP, ...log])
    expect(failed).toMatchObject({ stdout: '' })
    expect(failed.code).not.toBe(0)
    expect((await stat(`${data}/first-password.json`)).mode & 0o777).toBe(0o600)
    await using daemon = await startTestDaemon({ data, root: folder.at('files'), ownAccount: true })
    const body = JSON.stringify({ username: daemon.username, password: daemon.password })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
    expect(await readdir(data)).not.toContain('first-password.json')
  })

  it('uses the name and password given by flags, and prints no password', async () => {
    const args = ['--username', 'eve', '--password', 'a long passphrase']
    await using daemon = await startTestDaemon({ args, ownAccount: true })
    expect(daemon).toMatchObject({ username: 'eve', password: '' })
    const body = JSON.stringify({ username: 'eve', password: 'a long passphrase' })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  })

  it('uses a password that looks like a hash as the hash, as scripts for File Browser expect', async () => {
    const { stdout } = await runHere(['hash', 'a long passphrase'])
    await using daemon = await startTestDaemon({
      env: { FB_USERNAME: 'eve', FB_PASSWORD: stdout.trim() },
      ownAccount: true,
    })
    const body = JSON.stringify({ username: 'eve', password: 'a long passphrase' })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  })

  it('reads the password from the file that a variable names, and warns of unknown variables', async () => {
    await using folder = await tempFolder({ secret: 'a long passphrase\n' })
    const env = { FILEMGR_PASSWORD_FILE: folder.at('secret'), FILEMGR_PROT: '9000', FILEMGR_READONLY: 'true' }
    await using daemon = await startTestDaemon({ env, ownAccount: true })
    const body = JSON.stringify({ username: 'admin', password: 'a long passphrase' })
    expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
    const { stderr } = await daemon.stop()
    expect(stderr).toContain('filemgr: FILEMGR_PROT is set, but filemgr has no such option\n')
    expect(stderr).not.toContain('FILEMGR_READONLY')
  })

  it('leaves no files behind with --ephemeral', async () => {
    await using folder = await tempFolder({ 'files/a.txt': 'a' })
    const env = { HOME: folder.at('home'), TMPDIR: folder.path }
    await using daemon = await startTestDaemon({ root: folder.at('files'), env })
    await daemon.stop()
    expect(await readdir(folder.path, { recursive: true })).toEqual(['files', 'files/a.txt'])
  })
})

describe('serve', () => {
  it('serves without sign-in on the loopback address, and elsewhere only with --no-auth-remote', async () => {
    await using daemon = await startTestDaemon({ args: ['--noauth'] })
    expect(daemon).toMatchObject({ password: '', token: '' })
    expect(await (await fetch(daemon.url)).text()).toContain('"NoAuth":true')
    const open = ['serve', '.', '--ephemeral', '--address', '0.0.0.0', ...KEEP, '--no-auth']
    expect(await runCli(open, { env: CHEAP_ACCOUNT })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: containing('--no-auth-remote'),
    })
    await using running = startCli([...open, '--no-auth-remote'], { env: CHEAP_ACCOUNT })
    expect(JSON.parse(await running.firstLine())).toMatchObject({ event: 'listening' })
  })

  it('prints a URL for this machine when it listens on 0.0.0.0', async () => {
    await using running = startCli(['serve', '.', '--ephemeral', '--port', '0', '--address', '0.0.0.0'], {
      env: CHEAP_ACCOUNT,
    })
    expect(await running.firstLine()).toMatch(/at http:\/\/127\.0\.0\.1:\d+\/$/)
  })

  it('opens the sign-in link in a browser with --open, and keeps serving if there is none', async () => {
    const browser = '#!/bin/sh\nprintf "%s" "$1" >"$OPENED.part"; mv "$OPENED.part" "$OPENED"\n'
    await using folder = await tempFolder({ browser, 'files/': '' })
    await chmod(folder.at('browser'), 0o755)
    const line = ['serve', folder.at('files'), '--ephemeral', '--port', '0', '--open']
    const opened = async () => await readFile(folder.at('opened'), 'utf8').catch(() => '')
    await using running = startCli(line, {
      env: { ...CHEAP_ACCOUNT, BROWSER: folder.at('browser'), OPENED: folder.at('opened') },
    })
    const [, url = ''] = /at (\S+)$/.exec(await running.firstLine()) ?? []
    await expect.poll(opened).toMatch(new RegExp(`^${url}login#code=`))
    await using without = startCli(line, { env: { ...CHEAP_ACCOUNT, BROWSER: folder.at('nothing') } })
    const [, other = ''] = /at (\S+)$/.exec(await without.firstLine()) ?? []
    expect((await fetch(`${other}health`)).status).toBe(200)
  })

  it('prints a QR code', async () => {
    await using running = startCli(['serve', '.', '--ephemeral', '--port', '0', '--qr'], { env: CHEAP_ACCOUNT })
    await running.firstLine()
    // Every code has the upper border of its corners, whatever address it holds.
    expect(await running.notice(/█▀{7}█/)).toBe('█▀▀▀▀▀▀▀█')
  })

  it('serves below a base URL, and what a proxy has taken the prefix from', async () => {
    await using daemon = await startTestDaemon({ args: ['--baseURL', '/files'] })
    expect(daemon.url).toMatch(/\/files\/$/)
    expect((await fetch(`${daemon.url}health`)).status).toBe(200)
    expect((await fetch(new URL('/health', daemon.url))).status).toBe(200)
  })

  it('refuses every change with --read-only', async () => {
    await using daemon = await startTestDaemon({ args: ['--read-only'] })
    expect((await daemon.fetch('api/resources/new.txt', { method: 'POST', body: 'x' })).status).toBe(403)
  })

  it('reads its values from a config file and the environment', async () => {
    await using folder = await tempFolder({ 'c.yaml': 'baseURL: /from-file\nlog: ""\n' })
    const options = { args: ['-c', folder.at('c.yaml')], env: { FILEMGR_READ_ONLY: 'true' } }
    await using daemon = await startTestDaemon(options)
    expect(daemon.url).toContain('/from-file/')
    expect((await daemon.fetch('api/resources/new.txt', { method: 'POST', body: 'x' })).status).toBe(403)
  })

  it('ignores a config file in the served folder', async () => {
    await using folder = await tempFolder({ 'filemgr.yaml': 'noAuth: true\n' })
    await using daemon = await startTestDaemon({ root: folder.path, cwd: folder.path })
    expect(await (await fetch(daemon.url)).text()).toContain('"NoAuth":false')
    expect((await daemon.stop()).stderr).toContain('is ignored because it is in the served folder')
  })

  it('writes its log to a file, and reopens it on SIGHUP', async () => {
    await using folder = await tempFolder()
    await using daemon = await startTestDaemon({ args: ['--log', folder.at('log')] })
    const fail = async () => await fetch(`${daemon.url}api/login`, { method: 'POST', body: '{"username":"admin"}' })
    await fail()
    await expect.poll(async () => await readFile(folder.at('log'), 'utf8')).toContain('/api/login: 403 127.0.0.1')
    await rename(folder.at('log'), folder.at('log.1'))
    process.kill(daemon.pid, 'SIGHUP')
    await expect
      .poll(async () => {
        await fail()
        return await readdir(folder.path)
      })
      .toEqual(['log', 'log.1'])
  })

  it.each(['stdout', 'stderr'])(
    'keeps serving and stops cleanly after the reader of its log on %s has gone',
    async (log) => {
      await using folder = await tempFolder()
      const data = folder.at('d')
      await using running = startCli(['--data', data, 'serve', folder.path, '--port', '0', '--log', log], {
        env: CHEAP_ACCOUNT,
      })
      const [, url = ''] = /at (\S+)$/.exec(await running.firstLine()) ?? []
      running.closeOutput()
      for (let turn = 0; turn < 3; turn += 1) await fetch(`${url}api/login`, { method: 'POST', body: '{}' })
      expect((await fetch(`${url}health`)).status).toBe(200)
      running.kill('SIGTERM')
      expect((await running.ended()).code).toBe(0)
      expect(await readdir(data)).not.toContain('daemon.json')
    },
  )

  it('exits with code 6 and names the daemon that uses the data folder', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const second = await store.run(['serve', store.root, ...KEEP])
    expect(second).toMatchObject({ code: 6, stdout: '' })
    expect(second.stderr).toContain(`pid ${daemon.pid} at ${daemon.url}`)
  })
})
