import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))

export interface Writer {
  readonly process: ChildProcess
  /** Resolves when its first change was acknowledged, or when it ended without one. */
  readonly busy: Promise<unknown>
  /** The shares that were acknowledged, once the process has ended. */
  readonly acknowledged: Promise<number[]>
}

/** Starts a process that adds shares to the store of a folder, one after the other. */
export function startWriter(folder: string, updates: number): Writer {
  const child = spawn(process.execPath, [WRITER, folder, String(updates)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  // The last line counts only when it is whole.
  const acknowledged = once(child, 'close').then(() => output.split('\n').slice(0, -1).map(Number))
  const busy = Promise.race([once(child.stdout, 'data'), acknowledged])
  return { process: child, busy, acknowledged }
}
