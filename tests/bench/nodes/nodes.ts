import { setTimeout } from 'node:timers/promises'
import { FILEMGR, PASSWORD } from '../daemon.ts'
import { meterOf, type Meter } from '../meter.ts'
import { firstLine, startProgram } from '../processes.ts'

/** Daemons that serve the same files, and a client that asks them in turn. */
export interface Nodes extends AsyncDisposable {
  readonly meters: readonly Meter[]
  /** Asks the next daemon as the administrator. @returns the body @throws unless it succeeds */
  ask(path: string, init?: RequestInit): Promise<Reply>
}

export interface Reply {
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface NodesOptions {
  readonly count: number
  readonly root: string
  /** The data folder of each daemon, by its number. */
  readonly dataOf: (number: number) => string
  readonly env: Readonly<Record<string, string>>
}

interface ReadyLine {
  readonly url: string
  readonly token?: string
}

export async function startNodes({ count, root, dataOf, env }: NodesOptions): Promise<Nodes> {
  await using held = new AsyncDisposableStack()
  const [urls, meters]: [string[], Meter[]] = [[], []]
  let token = ''
  for (let number = 0; number < count; number++) {
    const data = dataOf(number)
    const line = ['--data', data, 'serve', root, '--port', '0', '--json', '--log', `${data}.log`]
    // The first creates the store.
    const account = number === 0 ? { FILEMGR_PASSWORD: PASSWORD } : {}
    const program = held.use(startProgram(FILEMGR, line, { ...env, ...account }))
    const ready = JSON.parse(await firstLine(program)) as ReadyLine
    token ||= ready.token ?? ''
    urls.push(ready.url)
    meters.push(meterOf(program.pid))
  }
  // Meanwhile the daemons load what they do not need for the start.
  await setTimeout(1000)
  const all = held.move()
  let turn = 0
  return {
    meters,
    async ask(path, init = {}) {
      const url = urls[turn++ % urls.length] ?? ''
      const headers = new Headers(init.headers)
      headers.set('x-auth', token)
      const reply = await fetch(new URL(path, url), { ...init, headers })
      const bytes = await reply.bytes()
      if (!reply.ok)
        throw new Error(`${init.method ?? 'GET'} ${path}: ${reply.status} ${Buffer.from(bytes).toString()}`)
      return { headers: reply.headers, bytes }
    },
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}
