import { startCli, type CliOptions, type CliResult } from './run-cli.ts'
import { tempFolder } from './temp-folder.ts'

export interface TestDaemonOptions extends CliOptions {
  /** Content of the served folder by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The folder to serve, in place of a temporary one made of `files`. */
  readonly root?: string
  /** Data folder; without it the daemon is ephemeral. */
  readonly data?: string
  /** More flags. */
  readonly args?: readonly string[]
}

/** A real daemon on a free port. Disposing of it stops it and removes what it served. */
export interface TestDaemon extends AsyncDisposable {
  /** With a slash at its end. */
  readonly url: string
  readonly pid: number
  readonly root: string
  readonly username: string
  /** Empty when the data folder had its accounts already. */
  readonly password: string
  /** Of a session of the administrator, for X-Auth; empty as the password is. */
  readonly token: string
  /** Asks the daemon as the administrator. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends a signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<CliResult>
  /** Resolves when the process has ended, for whatever reason. */
  ended(): Promise<CliResult>
}

interface ReadyLine {
  readonly url: string
  readonly pid: number
  readonly username?: string
  readonly password?: string
  readonly token?: string
}

/**
 * Starts `filemgr serve` and waits until it listens: `await using daemon = await startTestDaemon({ files: { 'a.txt': 'a' } })`.
 *
 * @throws with what it said when it does not start
 */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const { files = {}, data, args = [], ...how } = options
  const folder = await tempFolder(files)
  const root = options.root ?? folder.path
  const place = data === undefined ? ['--ephemeral'] : ['--data', data]
  const running = startCli(['serve', root, '--port', '0', '--json', ...place, ...args], how)
  try {
    const ready = JSON.parse(await running.firstLine()) as ReadyLine
    const { url, pid, username = '', password = '', token = '' } = ready
    const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
      running.kill(signal)
      return await running.ended()
    }
    return {
      ...{ url, pid, root, username, password, token, stop, ended: async () => await running.ended() },
      fetch: async (path, init) => {
        const headers = new Headers(init?.headers)
        headers.set('X-Auth', token)
        return await fetch(new URL(path.replace(/^\//, ''), url), { ...init, headers })
      },
      async [Symbol.asyncDispose]() {
        const overdue = setTimeout(() => running.kill('SIGKILL'), 15_000)
        await stop()
        clearTimeout(overdue)
        await folder[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    throw error
  }
}
