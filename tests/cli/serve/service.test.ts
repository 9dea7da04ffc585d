import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type CliResult, runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { type FileTree, tempFolder } from '../../helpers/temp-folder.ts'

const ROOT_ONLY = { code: 4, stdout: '', stderr: expect.stringContaining('sudo') as string }
const IS_ROOT = process.getuid?.() === 0

/** Programs that note how they are called, instead of changing this machine. */
const NOTING = '#!/bin/sh\necho "$(basename "$0") $*" >>"$(dirname "$0")/calls"\n'
const PROGRAMS: FileTree = {
  systemctl: `${NOTING}[ "$1" != show ] || cat "$(dirname "$0")/state"\n[ "$1" != restart ] || exec "$(dirname "$0")/restart"\n[ "$1" != is-system-running ] || exec "$(dirname "$0")/running"\n`,
  running: '#!/bin/sh\necho degraded\nexit 1\n',
  restart: '#!/bin/sh\n',
  useradd: NOTING,
  // The account is not created, so its commands run as root.
  runuser: `${NOTING}shift 3; exec "$@"\n`,
  id: '#!/bin/sh\n[ -e "$(dirname "$0")/calls" ] && grep -q ^useradd "$(dirname "$0")/calls" && echo 65534\n',
  state: 'LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nMainPID=7\nFragmentPath=/etc/x.service\n',
}

async function machine() {
  const folder = await tempFolder(
    Object.fromEntries(Object.entries(PROGRAMS).map(([name, text]) => [`bin/${name}`, text])),
  )
  for (const name of Object.keys(PROGRAMS)) await chmod(folder.at(`bin/${name}`), 0o755)
  await mkdir(folder.at('units'))
  // The account of the service must be able to enter it.
  await chmod(folder.path, 0o755)
  const env = { PATH: `${folder.at('bin')}:${process.env['PATH'] ?? ''}` }
  return {
    at: folder.at,
    fill: folder.fill,
    calls: async () => (await readFile(folder.at('bin/calls'), 'utf8')).split('\n').slice(0, -1),
    service: async (...words: string[]): Promise<CliResult> =>
      await runCli(['--data', folder.at('data'), 'service', ...words], { cwd: folder.path, env }),
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}

it('service install creates the account, folders, store and unit, and starts the unit', async () => {
  await using here = await machine()
  const line = ['install', 'files', '--port', '9000', '--unit-folder', here.at('units')]
  const printed = await here.service(...line, '--dry-run')
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  const installed = await here.service(...line)
  if (!IS_ROOT) {
    expect(installed).toMatchObject(ROOT_ONLY)
    return
  }
  expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('admin') as string })
  const unit = await readFile(here.at('units/filemgr.service'), 'utf8')
  expect(unit).toBe(printed.stdout)
  const [, program = '', ...words] = /^ExecStart=(\S+) (.*)$/m.exec(unit) ?? []
  expect(words).toEqual([`--data ${here.at('data')} serve ${here.at('files')} --port=9000`])
  expect(program).toBe(join(import.meta.dirname, '../../../bin/filemgr'))
  expect((await stat(program)).mode & 0o111).toBe(0o111)
  for (const name of ['files', 'data', 'data/store.json']) expect((await stat(here.at(name))).uid, name).toBe(65_534)
  const calls = await here.calls()
  expect(calls.map((call) => call.split(' ')[0])).toEqual(
    expect.arrayContaining(['useradd', 'runuser', 'systemctl']) as string[],
  )
  expect(calls.slice(-3)).toEqual([
    'systemctl daemon-reload',
    'systemctl enable filemgr.service',
    'systemctl restart filemgr.service',
  ])
  // Again, as after an upgrade: the store and its password stay.
  expect(await here.service(...line)).toMatchObject({ code: 0, stderr: '' })
})

it('service install on a folder of root says how to give the account access', async () => {
  await using here = await machine()
  await here.fill({ 'files/a.txt': 'a' })
  const line = ['install', 'files', '--unit-folder', here.at('units')]
  const access = `setfacl -R -m u:nobody:rwX,d:u:nobody:rwX ${here.at('files')}, or chown -R nobody: ${here.at('files')}`
  const warned = {
    code: 0,
    stderr: expect.stringContaining(
      `the account nobody may not write to ${here.at('files')}, so it serves it read-only: give it access with "${access}"`,
    ) as string,
  }
  expect(await here.service(...line)).toMatchObject(IS_ROOT ? warned : ROOT_ONLY)
  expect(await here.service(...line, '--read-only')).toMatchObject(IS_ROOT ? { code: 0, stderr: '' } : ROOT_ONLY)
  await chmod(here.at('files'), 0o700)
  const refused = { code: 4, stderr: expect.stringContaining('may not read') as string }
  expect(await here.service(...line)).toMatchObject(IS_ROOT ? refused : ROOT_ONLY)
})

it('service install says where to look if the service does not start', async () => {
  await using here = await machine()
  await here.fill({ 'bin/restart': '#!/bin/sh\nexit 1\n' })
  const result = await here.service('install', 'files', '--unit-folder', here.at('units'))
  const failed = { code: 3, stderr: expect.stringContaining('journalctl -u filemgr') as string }
  expect(result).toMatchObject(IS_ROOT ? failed : ROOT_ONLY)
})

it('service install refuses a data folder that belongs to another account', async () => {
  await using here = await machine()
  await here.fill({ 'data/': '' })
  const result = await here.service('install', 'files', '--unit-folder', here.at('units'))
  const refused = { code: 4, stderr: expect.stringContaining('chown') as string }
  expect(result).toMatchObject(IS_ROOT ? refused : ROOT_ONLY)
})

it('service remove stops the service and removes the unit, and nothing else', async () => {
  await using here = await machine()
  await here.fill({ 'units/filemgr.service': '', 'data/store.json': '{}' })
  const result = await here.service('remove', '--unit-folder', here.at('units'))
  if (!IS_ROOT) {
    expect(result).toMatchObject(ROOT_ONLY)
    return
  }
  expect(result).toMatchObject({ code: 0 })
  await expect(stat(here.at('units/filemgr.service'))).rejects.toThrow('ENOENT')
  expect((await stat(here.at('data/store.json'))).size).toBe(2)
  expect(await here.calls()).toContain('systemctl disable --now filemgr.service')
})

it('service status distinguishes a running, a stopped and a missing service', async () => {
  await using here = await machine()
  const { code, stdout } = await here.service('status', '--json')
  const running = { unit: '/etc/x.service', running: true, state: 'active', enabled: true, pid: 7 }
  expect([code, JSON.parse(stdout)]).toEqual([0, running])
  await here.fill({ 'bin/state': 'LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\nMainPID=0\n' })
  expect(await here.service('status')).toMatchObject({ code: 7, stdout: expect.stringContaining('failed') as string })
  await here.fill({ 'bin/state': 'LoadState=not-found\nActiveState=inactive\n' })
  expect(await here.service('status')).toMatchObject({ code: 3, stdout: '' })
})

it('service status says in one line that systemd is not running, as in a container', async () => {
  await using here = await machine()
  await here.fill({ 'bin/running': '#!/bin/sh\necho offline\nexit 1\n' })
  const result = await here.service('status')
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toMatch(/^filemgr: systemd is not running on this machine; \/.+ has notes for OpenRC [^\n]*\n$/)
})

it('a daemon that systemd has started reports when it is ready, alive and stopping', async () => {
  await using folder = await tempFolder()
  await writeFile(folder.at('systemd-notify'), '#!/bin/sh\necho "$NOTIFY_SOCKET $*" >>"${0%/*}/notified"\n', {
    mode: 0o755,
  })
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '20000', PATH: `${folder.path}:${process.env['PATH'] ?? ''}` }
  await using daemon = await startTestDaemon({ env })
  const notified = async () => await readFile(folder.at('notified'), 'utf8').catch(() => '')
  await expect.poll(notified).toContain('/run/x WATCHDOG=1\n')
  expect(await notified()).toMatch(new RegExp(`^/run/x READY=1 STATUS=serving ${daemon.root} at ${daemon.url}\n`))
  expect((await daemon.stop()).code).toBe(0)
  expect(await notified()).toContain('/run/x STOPPING=1\n')
})
