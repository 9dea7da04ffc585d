import { execFile } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { freePort } from '../helpers/free-port.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const DEPLOY = join(import.meta.dirname, '../../docs/deploy')
const execute = promisify(execFile)

it('fail2ban finds wrong passwords, tokens and what exceeds a limit in the log, and nothing else', async () => {
  await using folder = await tempFolder()
  const log = folder.at('filemgr.log')
  await using daemon = await startTestDaemon({ args: ['--log', log, '--log-format', 'json'] })
  const body = JSON.stringify({ username: 'admin', password: 'wrong' })
  const guess = async () => (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status
  for (let tries = 0; tries < 5; tries += 1) expect(await guess()).toBe(403)
  expect(await guess()).toBe(429)
  const wrong = { headers: { 'x-auth': 'fmgr_wrong' } }
  expect((await fetch(`${daemon.url}api/resources/`, wrong)).status).toBe(401)
  for (const harmless of ['api/resources/', 'missing', 'api/login:%20403%20192.0.2.7%20<nil>'])
    await fetch(`${daemon.url}${harmless}`)
  await daemon.stop()
  const { stdout } = await execute('fail2ban-regex', ['--out', 'ip', log, join(DEPLOY, 'fail2ban-filter.conf')])
  expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 7 }, () => '127.0.0.1'))
})

it('the linter of Prometheus finds nothing to complain about in the metrics', async () => {
  const address = `127.0.0.1:${await freePort()}`
  await using daemon = await startTestDaemon({ args: ['--metrics', address], files: { 'a.txt': 'a' } })
  for (const path of ['api/raw/a.txt', 'api/raw/missing', 'health'])
    await fetch(`${daemon.url}${path}`, { headers: { 'x-auth': daemon.token } })
  await using folder = await tempFolder()
  await folder.fill({ metrics: await (await fetch(`http://${address}/metrics`)).text() })
  const check = `promtool check metrics < '${folder.at('metrics')}'`
  expect(await execute('sh', ['-c', check])).toEqual({ stdout: '', stderr: '' })
})

it('Prometheus accepts our configuration and its alerts', async () => {
  await using folder = await tempFolder()
  for (const name of ['prometheus.yml', 'filemgr-alerts.yml'])
    await folder.fill({ [name]: await readFile(join(DEPLOY, name), 'utf8') })
  const { stdout } = await execute('promtool', ['check', 'config', '--lint-fatal', folder.at('prometheus.yml')])
  expect(stdout).toContain('9 rules found')
})

it('logrotate moves the logs, and the daemon goes on in new files', async () => {
  await using folder = await tempFolder({ 'logs/': '' })
  const [log, access, copy] = ['filemgr', 'access', 'activity'].map((name) => folder.at(`logs/${name}.log`))
  const args = ['--log', log ?? '', '--access-log', access ?? '', '--audit-export', copy ?? '', '--log-format', 'json']
  await using daemon = await startTestDaemon({ args, files: { 'a.txt': 'a' } })
  const headers = { 'x-auth': daemon.token }
  const use = async () => {
    for (const path of ['api/raw/a.txt', 'api/raw/missing']) await fetch(`${daemon.url}${path}`, { headers })
  }
  await use()
  const rules = (await readFile(join(DEPLOY, 'logrotate.conf'), 'utf8'))
    .replace('/var/log/filemgr/', `${folder.path}/logs/`)
    .replace('systemctl reload filemgr', `kill -HUP ${daemon.pid}`)
    .replace('{', `{\n  su ${userInfo().username} ${(await execute('id', ['-gn'])).stdout.trim()}`)
  await folder.fill({ 'logrotate.conf': rules })
  await chmod(folder.at('logrotate.conf'), 0o644)
  await execute('logrotate', ['--force', '--state', folder.at('state'), folder.at('logrotate.conf')], {
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  })
  for (const path of [log, access, copy]) {
    expect(await readFile(`${path}.1`, 'utf8')).not.toBe('')
    await expect
      .poll(async () => {
        await use()
        return await readFile(path ?? '', 'utf8').catch(() => '')
      })
      .toContain('{')
  }
})
