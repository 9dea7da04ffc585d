import { execFile } from 'node:child_process'
import { programLine } from './program.ts'
import { bareEnvironment } from './run-cli.ts'

interface Ended {
  readonly code: number
  readonly stderr: string
}

/** Starts `filemgr` with the output of a shell's redirection, such as "> /dev/full". */
export function startInto(redirection: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const line = ['-c', `exec "$0" "$@" ${redirection}`, ...programLine(), ...args]
  const ended = Promise.withResolvers<Ended>()
  const child = execFile('sh', line, { env: { ...bareEnvironment(), ...env } }, (error, _stdout, stderr) =>
    ended.resolve({ code: error === null ? 0 : Number(error.code), stderr }),
  )
  return { kill: () => child.kill(), ended: ended.promise }
}

export const runInto = async (...args: Parameters<typeof startInto>): Promise<Ended> => await startInto(...args).ended

export const NO_ROOM = 'standard output cannot be written (no space left)\n'
