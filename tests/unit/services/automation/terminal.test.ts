import { describe, expect, it } from 'vitest'
import { runProcess, type ProcessRequest } from '../../../../src/platform/processes/process-runner.ts'
import { createTerminal, TERMINAL_LIMITS, type TerminalDeps } from '../../../../src/services/automation/terminal.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { testContext } from '../../../helpers/test-context.ts'

const PERMISSIONS = { ...make.user().perm, execute: true }
const ACCOUNTS = ['ann', 'bob'].map((username) => make.user({ username, perm: PERMISSIONS, commands: ['sh', 'yes'] }))

/** A terminal of its own, with the limits of a server unless others are given. */
async function world(deps: Pick<TerminalDeps, 'limits' | 'run'> = {}) {
  await using held = new AsyncDisposableStack()
  const context = held.use(await testContext({ users: [make.admin(), ...ACCOUNTS] }))
  const { access, audit } = context.services
  const terminal = createTerminal({ access, audit, store: context.store, options: { enableExec: true }, ...deps })
  const ann = await context.actor('ann')
  const run = async (line: string, signal = new AbortController().signal, actor = ann) => {
    const lines: string[] = []
    const send = async (text: string) => void lines.push(text)
    const outcome = await terminal.run(actor, { folder: '/', line, address: '127.0.0.1', send, signal })
    return { outcome, lines }
  }
  const all = held.move()
  return { context, terminal, ann, run, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

describe('the limits of the terminal', () => {
  it('are ten minutes and 10 MiB for each command, whose two outputs are merged', async () => {
    const asked: ProcessRequest[] = []
    await using setup = await world({
      run: async (request) => {
        asked.push(request)
        return await runProcess(request)
      },
    })
    expect(await setup.run("sh -c 'echo done'")).toEqual({ outcome: 'exit 0', lines: ['done'] })
    expect(asked).toMatchObject([
      { timeout: 600_000, outputLimit: 10_485_760, merged: true, argv: ['sh', '-c', 'echo done'] },
    ])
    expect(TERMINAL_LIMITS).toEqual({ time: 600_000, output: 10_485_760, commands: 3, connections: 16 })
  })

  it('end a command with all its children after its time', async () => {
    await using setup = await world({ limits: { time: 3000 } })
    const { outcome, lines } = await setup.run(`sh -c 'echo $$; sh -c "trap : TERM; sleep 600 & wait" & echo $!; wait'`)
    expect([outcome, lines.length]).toEqual(['timeout', 2])
    await expect.poll(() => lines.map(Number).filter(isAlive)).toEqual([])
  })

  it('end a command that writes too much, after the allowed part was sent', async () => {
    await using setup = await world({ limits: { output: 1000 } })
    const { outcome, lines } = await setup.run('yes')
    expect([outcome, lines]).toEqual(['output', Array.from({ length: 500 }, () => 'y')])
  })

  it('count commands for each user, until each has ended, however it did', async () => {
    await using setup = await world({ limits: { commands: 1 } })
    const stop = new AbortController()
    const first = setup.run('yes', stop.signal)
    await expect.poll(async () => (await setup.run("sh -c 'exit 0'")).outcome).toBe('refused')
    const { lines } = await setup.run('yes')
    expect(lines).toEqual(['You are already running 1 commands: stop one of them first.'])
    expect((await setup.run("sh -c 'exit 4'", undefined, await setup.context.actor('bob'))).outcome).toBe('exit 4')
    stop.abort()
    expect((await first).outcome).toBe('abort')
    expect((await setup.run('sh -c "exit 5"')).outcome).toBe('exit 5')
  })

  it('count connections for each user, and say how to free one', async () => {
    await using setup = await world()
    const { terminal, ann, context } = setup
    const open = Array.from({ length: TERMINAL_LIMITS.connections }, () => terminal.connect(ann))
    expect(() => terminal.connect(ann)).toThrow(
      errorLike('BUSY', 'you have 16 terminals open already: close one of them first'),
    )
    using _other = terminal.connect(await context.actor('bob'))
    for (let i = 0; i < 2; i += 1) open[0]?.[Symbol.dispose]()
    using _again = terminal.connect(ann)
    expect(() => terminal.connect(ann)).toThrow(errorLike('BUSY'))
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
