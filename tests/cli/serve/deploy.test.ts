import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createLogger } from '../../../src/platform/logging/logger.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'

const DEPLOY = join(import.meta.dirname, '../../../docs/deploy')
const FILEMGR = join(import.meta.dirname, '../../../bin/filemgr')
const deploy = async (name: string) => await readFile(join(DEPLOY, name), 'utf8')

/** The values of an option, whose further lines are indented. */
const filterLines = async (name: string) => {
  const found = new RegExp(`^${name} = (.*(?:\\n +.*)*)$`, 'm').exec(await deploy('fail2ban-filter.conf'))?.[1] ?? ''
  return found.split('\n').map((line) => line.trim())
}

/** A regular expression of fail2ban, whose "<HOST>" stands for an address. */
const failure = (text: string) => new RegExp(text.replace('<HOST>', '(?<host>[0-9a-f.:]+)'))
/** The expression that is published for File Browser. */
const PUBLISHED = '^.*/api/login: 403 <HOST> <nil>*'

/** A date pattern of fail2ban as a regular expression. */
const timePattern = (text: string) =>
  new RegExp(
    text.replaceAll(
      /%%(\w)/g,
      (_, part: string) => ({ Y: '\\d{4}', f: '\\d{1,6}', z: '(?<zone>Z)' })[part] ?? '\\d{2}',
    ),
  )

/** Where the lines come from that one of the expressions of the filter matches. */
const hostsIn = async (lines: readonly string[]) => {
  const expressions = (await filterLines('failregex')).map(failure)
  return lines.flatMap((line) => expressions.map((one) => one.exec(line)?.groups?.['host']).find(Boolean) ?? [])
}

it('the fail2ban filter finds failed sign-ins in the log, and forged requests ban nobody else', async () => {
  await using folder = await tempFolder()
  const log = folder.at('filemgr.log')
  await using daemon = await startTestDaemon({ args: ['--log', log, '--log-format', 'json', '--base-url', '/files'] })
  const send = async (path: string, payload: object) =>
    (await fetch(`${daemon.url}api/${path}`, { method: 'POST', body: JSON.stringify(payload) })).status
  const guess = async () => await send('login', { username: 'admin', password: 'wrong' })
  for (let tries = 0; tries < 5; tries += 1) expect(await guess()).toBe(403)
  expect(await guess()).toBe(429)
  expect(await send('login/code', { code: 'wrong' })).toBe(403)
  const headers = { 'x-auth': 'fmgr_wrong' }
  expect((await fetch(`${daemon.url}api/resources/`, { headers })).status).toBe(401)
  // Such as a page whose session has expired.
  expect((await fetch(`${daemon.url}api/resources/`)).status).toBe(401)
  for (const forged of [
    'api/login:%20403%20192.0.2.7%20<nil>',
    'api/login:%20403%20192.0.2.7%20<nil>%22%7D',
    'api/x%22,%22msg%22:%22/api/login:%20403%20192.0.2.7%20%3Cnil%3E%22%7D%0A',
  ]) {
    await fetch(`${daemon.url}${forged}`)
  }
  await daemon.stop()
  const lines = (await readFile(log, 'utf8')).split('\n')
  expect(lines.filter((line) => line.includes('192.0.2.7')).length).toBeGreaterThan(0)
  expect(await hostsIn(lines)).toEqual(Array.from({ length: 8 }, () => '127.0.0.1'))
  const found = lines.find((line) => line.includes('/api/login: 403 127')) ?? ''
  // fail2ban needs the zone if it runs in a different time zone.
  expect(timePattern((await filterLines('datepattern'))[0] ?? '').exec(found)?.groups?.['zone']).toBe('Z')
  expect(failure(PUBLISHED).exec(found)?.groups?.['host']).toBe('127.0.0.1')
})

it('the fail2ban filter is not misled by forged names in other lines of the log', async () => {
  await using folder = await tempFolder()
  const texts = [
    '/api/login: 403 192.0.2.7 <nil>',
    '/api/public/dl/x: 429 192.0.2.7 <nil>',
    'an API token from 192.0.2.7 was refused: it is unknown',
  ]
  {
    using log = await createLogger({ destination: folder.at('log') })
    const within = (text: string) => [text, `"msg":"${text}"}`, `\n{"msg":"${text}"}\n`, `"}\n{"msg":"${text}"}`]
    for (const name of texts.flatMap(within)) {
      log.warn({ stdout: name, err: new Error(name) }, 'a hook failed')
      log.warn(`/api/raw/${name}: 404 192.0.2.1 <nil>`)
      log.warn(`${name}: 404 192.0.2.1 <nil>`)
      log.warn(`a hook failed: ${name}`)
    }
  }
  const lines = (await readFile(folder.at('log'), 'utf8')).split('\n')
  expect(lines).toHaveLength(49)
  expect(await hostsIn(lines)).toEqual([])
})

it('the systemd service starts filemgr with flags that exist, and lets it write where it must', async () => {
  const unit = new Map(
    (await deploy('filemgr.service'))
      .split('\n')
      .filter((line) => line !== '' && !/^[#[]/.test(line))
      .map((line) => {
        expect(line).toMatch(/^[A-Z][A-Za-z]+=/)
        return [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const
      }),
  )
  const [program, ...words] = unit.get('ExecStart')?.split(' ') ?? []
  expect(program).toMatch(/\/filemgr$/)
  // The start fails only at the served folder, which does not exist.
  await using folder = await tempFolder()
  const line = words.map((word) => (word.startsWith('/') ? folder.at(`missing${word}`) : word))
  expect(await runCli(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('missing/srv/files') as string })
  expect(words.at(-1)).toBe(unit.get('ReadWritePaths'))
  expect(`/var/lib/${unit.get('StateDirectory') ?? ''}`).toBe(words[words.indexOf('--data') + 1])
  // Node compiles to machine code, so it would not start with this option.
  expect(unit.has('MemoryDenyWriteExecute')).toBe(false)
})

it('the OpenRC service starts filemgr with flags that exist, and paths may contain spaces', async () => {
  await using folder = await tempFolder()
  // As openrc-run does: the script sets variables, which it passes to the supervisor through "eval".
  const line = '. "$0" && eval "printf \'%s\\n\' $command_args"'
  const given = { filemgr_folder: folder.at('missing files'), filemgr_options: '--port 9000' }
  const { stdout } = await promisify(execFile)('sh', ['-euc', line, join(DEPLOY, 'filemgr.openrc')], { env: given })
  const words = stdout.trim().split('\n')
  expect(words).toEqual(['--data', '/var/lib/filemgr', 'serve', given.filemgr_folder, '--port', '9000'])
  const refused = await runCli(words.map((word) => (word.startsWith('/var') ? folder.at('data') : word)))
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('missing files') as string })
})

it('the alerts for Prometheus ask for metrics that exist, and point to commands that exist', async () => {
  const alerts = await deploy('filemgr-alerts.yml')
  const documented = await readFile(join(DEPLOY, '../guide/operations.md'), 'utf8')
  const known = new Set([...documented.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name))
  const used = [...alerts.matchAll(/\b(?:filemgr|process|nodejs)_\w+/g)].map(([name]) => name)
  expect(used.length).toBeGreaterThan(9)
  expect(used.filter((name) => !known.has(name))).toEqual([])
  for (const [, line = ''] of alerts.matchAll(/"filemgr ([^"]+)"/g))
    expect(await runCli([...line.split(' '), '--help']), line).toMatchObject({ code: 0 })
  expect(await deploy('prometheus.yml')).toContain('filemgr-alerts.yml')
})

it('the nightly backup is written by a command that exists, under a name that the clean-up finds', async () => {
  await using store = await testStore()
  const unit = await deploy('filemgr-backup.service')
  const script = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit)?.[1] ?? ''
  const line = script
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replace('/usr/local/bin/filemgr', `'${FILEMGR}'`)
    .replace('/var/lib/filemgr', store.data)
    .replace('/var/backups/filemgr', store.at('.'))
  await promisify(execFile)('sh', ['-c', line])
  const cleanUp = /^ExecStartPost=\/usr\/bin\/find \S+ -name "(\S+)" -mtime \+30 -delete$/m.exec(unit)?.[1] ?? ''
  const { stdout } = await promisify(execFile)('find', [store.at('.'), '-name', cleanUp, '-printf', '%m %f\\n'])
  expect(stdout).toMatch(/^600 state-\d{4}-\d\d-\d\dT\d{4}\.tar\n$/)
  expect(await deploy('filemgr-backup.timer')).toMatch(
    /^OnCalendar=.+\n[^]*^Persistent=true\n[^]*^WantedBy=timers\.target$/m,
  )
})
