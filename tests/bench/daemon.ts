import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { meterOf, type Meter } from './meter.ts'
import { firstLine, startProgram } from './processes.ts'

export const FILEMGR = join(import.meta.dirname, '../../bin/filemgr')
export const PASSWORD = 'taken for measuring'

/** A daemon as in production: built, with a data folder, accounts and sessions. */
export interface Daemon extends AsyncDisposable {
  readonly port: number
  /** The token of the administrator, for X-Auth. */
  readonly token: string
  /** Begins another session. @returns its token */
  signIn(): Promise<string>
  readonly meter: Meter
  /** Time from starting the program to the first reply of /health. */
  readonly startSeconds: number
}

/** Creates a data folder with an administrator, unless it exists. */
export function createDataFolder(data: string, root: string): void {
  if (existsSync(data)) return
  execFileSync(FILEMGR, ['--data', data, 'init', '--root', root, '--username', 'admin', '--password', PASSWORD])
}

export async function startDaemon(data: string, root: string): Promise<Daemon> {
  createDataFolder(data, root)
  const start = performance.now()
  const program = startProgram(FILEMGR, ['--data', data, 'serve', '--port', '0', '--json', '--log', `${data}.log`])
  try {
    const { url } = JSON.parse(await firstLine(program)) as { url: string }
    await (await fetch(new URL('health', url))).arrayBuffer()
    const startSeconds = (performance.now() - start) / 1000
    const body = JSON.stringify({ username: 'admin', password: PASSWORD })
    const signIn = async () => await (await fetch(new URL('api/login', url), { method: 'POST', body })).text()
    return {
      port: Number(new URL(url).port),
      token: await signIn(),
      signIn,
      meter: meterOf(program.pid),
      startSeconds,
      [Symbol.asyncDispose]: async () => await program[Symbol.asyncDispose](),
    }
  } catch (error) {
    await program[Symbol.asyncDispose]()
    throw error
  }
}
