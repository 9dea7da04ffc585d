import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A tool in node_modules/.bin, or `node`, with its arguments. */
export type CommandLine = readonly [string, ...string[]]

export const repository = join(import.meta.dirname, '..')

/** Starts a tool in the repository. Tools run "env node", so PATH has our own Node before the system's. */
export function startTool([tool, ...args]: CommandLine, options: SpawnOptions = {}): ChildProcess {
  const path = `${join(repository, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  return spawn(tool, args, {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
    env: { ...process.env, PATH: path, ...options.env },
  })
}

/** Waits for the process to end; being killed by a signal counts as 1. */
export async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
