import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { openTerminal, type OpenTerminal } from '../../helpers/api/open-terminal.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'

/** Prints its process group. Its first child, which has a child of its own, ignores SIGTERM and SIGINT. */
const COMMAND = `sh -c 'echo $$; (trap "" TERM INT; sleep 600 & wait) & sleep 600 & wait'`
const STUBBORN = `sh -c 'trap "" TERM INT; echo $$; sleep 600 & while :; do sleep 1; done'`

/** The processes of a group that have not ended: pid, state and group, see proc_pid_stat(5). */
async function groupOf(leader: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const states = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [state = 'Z', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return `${pid} ${state} ${group}`
  })
  return (await Promise.all(states)).filter((line) => line.endsWith(` ${leader}`) && !line.includes(' Z '))
}

async function daemonWithTerminal(): Promise<TestDaemon> {
  const daemon = await startTestDaemon({ args: ['--enable-exec'] })
  const data = { id: 1, perm: { admin: true, execute: true, download: true }, commands: ['sh'] }
  const body = JSON.stringify({ what: 'user', which: ['perm', 'commands'], current_password: daemon.password, data })
  const answer = await daemon.fetch('/api/users/1', { method: 'PUT', body })
  expect(answer.status).toBe(200)
  return daemon
}

async function begin(daemon: TestDaemon, line: string): Promise<OpenTerminal & { readonly leader: number }> {
  const headers = { 'x-auth': daemon.token }
  const terminal = await openTerminal(new URL(daemon.url), { headers, protocols: ['filemgr.terminal'] })
  terminal.socket.send(line)
  await expect.poll(() => terminal.lines.length).toBe(1)
  const leader = Number(terminal.lines[0])
  await expect.poll(async () => (await groupOf(leader)).length).toBeGreaterThan(1)
  return { ...terminal, leader }
}

describe('a command in the terminal leaves no process behind', () => {
  it('when Ctrl-C interrupts it, its connection is closed or its session is revoked', async () => {
    await using daemon = await daemonWithTerminal()
    const [interrupted, closed, revoked] = [
      await begin(daemon, COMMAND),
      await begin(daemon, STUBBORN),
      await begin(daemon, STUBBORN),
    ]
    interrupted.socket.send('\u0003')
    expect(await interrupted.ended).toMatchObject({ code: 1000, reason: 'SIGINT' })
    await expect.poll(async () => await groupOf(interrupted.leader)).toEqual([])
    closed.socket.close()
    await expect.poll(async () => await groupOf(closed.leader)).toEqual([])
    expect((await groupOf(revoked.leader)).length).toBeGreaterThan(1)
    await daemon.fetch('/api/logout', { method: 'POST' })
    expect(await revoked.ended).toMatchObject({ code: 1008, reason: 'the session has ended' })
    await expect.poll(async () => await groupOf(revoked.leader)).toEqual([])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('when the daemon is stopped by %s', async (signal) => {
    await using daemon = await daemonWithTerminal()
    const [polite, stubborn] = [await begin(daemon, COMMAND), await begin(daemon, STUBBORN)]
    expect(await daemon.stop(signal)).toMatchObject({ code: 0 })
    expect([await groupOf(polite.leader), await groupOf(stubborn.leader)]).toEqual([[], []])
    expect((await stubborn.ended).code).toBe(1001)
  })
})
