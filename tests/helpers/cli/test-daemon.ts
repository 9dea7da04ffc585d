import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHEAP_ACCOUNT, PASSWORD } from '../cheap-account.ts'
import { startCli, type CliOptions, type CliResult } from './run-cli.ts'
import { tempFolder } from '../temp-folder.ts'
import { served, serveLine, type ReadyLine, type TestServer, type TestServerOptions } from '../browser/test-server.ts'

export interface TestDaemonOptions extends CliOptions, TestServerOptions {
  /** Whether only the flags and the environment determine the first account, as for users. */
  readonly ownAccount?: boolean
}

/** A daemon in a separate process. */
export interface TestDaemon extends TestServer {
  readonly pid: number
  /** Sends a signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<CliResult>
  /** Resolves when the process has ended, for any reason. */
  ended(): Promise<CliResult>
}

/**
 * Starts `filemgr serve` and waits until it listens: `await using daemon = await startTestDaemon({ files: { 'a.txt': 'a' }
 * })`. At a first start, the password of its administrator costs little to check.
 *
 * @throws with its output if it does not start
 */
export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const folder = await tempFolder(options.files)
  const root = options.root ?? folder.path
  const isFirst = options.data === undefined || !existsSync(join(options.data, 'store.json'))
  const isCheap = isFirst && options.ownAccount !== true
  const env = { ...(isCheap && CHEAP_ACCOUNT), ...options.env }
  const running = startCli(serveLine(root, options), { ...options, env })
  try {
    const ready = JSON.parse(await running.firstLine()) as ReadyLine
    const account = isCheap && ready.token !== undefined ? { password: PASSWORD } : {}
    const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
      running.kill(signal)
      return await running.ended()
    }
    return {
      ...served(root, { ...ready, ...account }),
      pid: ready.pid,
      stop,
      ended: async () => await running.ended(),
      async [Symbol.asyncDispose]() {
        // One of several daemons would go on serving for three seconds, so that a balancer notices.
        const isAmongOthers = options.env?.['FILEMGR_STORE'] !== undefined
        const overdue = setTimeout(() => running.kill('SIGKILL'), 15_000)
        await stop(isAmongOthers ? 'SIGKILL' : 'SIGTERM')
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
