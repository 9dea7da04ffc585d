import { chmod, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { runProcess, type ProcessRequest } from '../../../../../src/platform/processes/process-runner.ts'
import { createHookRunner, type HookRunnerDeps } from '../../../../../src/services/automation/hooks/hook-runner.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'
import { make } from '../../../../helpers/make.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'
import { tempFolder } from '../../../../helpers/temp-folder.ts'
import { testContext } from '../../../../helpers/test-context.ts'

const FACTS = { path: parseVirtualPath('/a.txt') }
/** Neither the script nor its child ends on SIGTERM. */
const STUBBORN = 'trap : TERM; (trap "" TERM; sleep 600) & echo $$ $! >> "$1/pids"; while :; do sleep 1; done'
const UNTIL_RELEASED = 'echo $$ >> "$1/pids"; while [ ! -e "$1/go" ]; do sleep 0.05; done'

/** Runs a script as hook before each upload; `pids()` reads what it writes to "pids" in the folder of its first argument. */
async function world(script: string, deps: Pick<HookRunnerDeps, 'run'> & { readonly tail?: string } = {}) {
  await using held = new AsyncDisposableStack()
  const { tail = '', ...more } = deps
  const folder = held.use(await tempFolder({ script: `#!/bin/sh\n${script}\n` }))
  await chmod(folder.at('script'), 0o700)
  const context = held.use(await testContext({ users: [make.admin(), make.user()] }))
  const { access, audit, settings, users } = context.services
  const line = `${folder.at('script')} ${folder.path}${tail}`
  const log = recordingLog()
  const hooks = held.use(
    createHookRunner({
      roots: { find: () => undefined },
      settings: () => ({ ...settings.current(), commands: { before_upload: [line] } }),
      audit,
      log,
      options: { enableExec: true },
      webhooks: { send: () => undefined },
      ...more,
    }),
  )
  const files = held.use(await access.ofUser(users.find('bob').id))
  const all = held.move()
  return {
    hooks,
    log,
    folder,
    begin: async (signal?: AbortSignal) => await hooks.begin('upload', files, FACTS, { signal }),
    pids: async () =>
      (await readFile(folder.at('pids'), 'utf8').catch(() => '')).split(/\s+/).filter(Boolean).map(Number),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

const noneOf = async (pids: readonly number[]) => await expect.poll(() => pids.filter(isAlive)).toEqual([])

describe('the limits of hooks', () => {
  it('are a minute and 1 MiB for each, unless its entry says otherwise', async () => {
    const asked: ProcessRequest[] = []
    const run = async (request: ProcessRequest) => {
      asked.push(request)
      return await runProcess(request)
    }
    await using setup = await world('exit 0', { run })
    await setup.begin()
    expect(asked).toMatchObject([{ timeout: 60_000, outputLimit: 1_048_576 }])
  })

  it('end a hook that writes too much, with all its children, and count it as failed', async () => {
    await using setup = await world('sleep 600 & echo $$ $! > "$1/pids"; yes; yes')
    await expect(setup.begin()).rejects.toEqual(errorLike('FORBIDDEN'))
    const [line] = setup.log.lines
    expect(line).toMatchObject({ message: 'a hook failed', facts: { ended: 'output', exitCode: null } })
    expect(JSON.stringify(line).length).toBeLessThan(10_000)
    const pids = await setup.pids()
    expect(pids).toHaveLength(2)
    await noneOf(pids)
  })

  it('let eight run at once and 256 wait, and refuse one more', async () => {
    await using setup = await world(UNTIL_RELEASED)
    const gone = new AbortController()
    const running = Array.from({ length: 8 }, async () => await setup.begin())
    const waiting = Array.from({ length: 256 }, async () => await setup.begin(gone.signal))
    const waited = Promise.allSettled(waiting)
    await expect(setup.begin()).rejects.toEqual(errorLike('BUSY'))
    await expect.poll(setup.pids).toHaveLength(8)
    gone.abort()
    for (const end of await waited) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } })
    await writeFile(setup.folder.at('go'), '')
    await Promise.all(running)
    expect(await setup.pids()).toHaveLength(8)
  })

  it('let the next hook run when one has ended', async () => {
    await using setup = await world(UNTIL_RELEASED)
    const all = Array.from({ length: 12 }, async () => await setup.begin())
    await expect.poll(setup.pids).toHaveLength(8)
    await writeFile(setup.folder.at('go'), '')
    await Promise.all(all)
    expect(await setup.pids()).toHaveLength(12)
  })
})

describe('a hook that does not end', () => {
  it('is ended with all its children when its client has gone, and the request is cancelled', async () => {
    await using setup = await world(STUBBORN)
    const gone = new AbortController()
    const refused = expect(setup.begin(gone.signal)).rejects.toEqual(errorLike('CANCELLED'))
    await expect.poll(setup.pids).toHaveLength(2)
    gone.abort()
    await refused
    await noneOf(await setup.pids())
  })

  it.each([
    ['that somebody waits for', ''],
    ['that nobody waits for', ' &'],
  ])('%s ends with the server, which waits for that', async (_kind, tail) => {
    await using setup = await world(STUBBORN, { tail })
    const begun = setup.begin().catch(() => undefined)
    await expect.poll(setup.pids).toHaveLength(2)
    const [leader = 0] = await setup.pids()
    await setup.hooks[Symbol.asyncDispose]()
    expect(isAlive(leader)).toBe(false)
    await noneOf(await setup.pids())
    await begun
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
