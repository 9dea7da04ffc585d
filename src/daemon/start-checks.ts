import { access, constants, stat } from 'node:fs/promises'
import { parseDuration } from '../domain/duration.ts'
import { fail } from '../domain/errors.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import type { OptionSources } from '../options.ts'
import { isLoopback } from './addresses.ts'

/** What a start can know about its values before it opens anything. @throws INVALID_INPUT naming the option */
export function checkValues(options: ServerOptions, sources: OptionSources): void {
  const life = parseDuration(options.tokenExpirationTime)
  if (life === undefined || life < 1000) {
    const message = `--token-expiration-time must be a duration such as 30m or 2h30m, not "${options.tokenExpirationTime}"`
    fail('INVALID_INPUT', message, { field: 'tokenExpirationTime' })
  }
  const rival = (['address', 'port', 'cert', 'key'] as const).find((name) => sources[name] === 'flag')
  if (options.socket !== '' && rival !== undefined) {
    fail('INVALID_INPUT', `--socket takes the place of a port: leave --${rival} out`, { field: rival })
  }
  // A forgotten --no-auth on a public address would hand the folder to the whole network.
  if (options.noAuth && !options.noAuthRemote && options.socket === '' && !isLoopback(options.address)) {
    const advice = 'everybody who reaches it could do everything; add --no-auth-remote if that is meant'
    fail('INVALID_INPUT', `--no-auth on the address ${options.address}: ${advice}`, { field: 'noAuth' })
  }
}

/** Whether the folder that is to be served can be written to. @throws INVALID_INPUT when it cannot be served at all */
export async function checkRoot(root: string): Promise<{ writable: boolean }> {
  const problem = await problemOf(root)
  if (problem !== undefined) fail('INVALID_INPUT', `--root: ${root} ${problem}`, { field: 'root' })
  return { writable: await may(root, constants.W_OK) }
}

async function problemOf(root: string): Promise<string | undefined> {
  try {
    if (!(await stat(root)).isDirectory()) return 'is not a folder; name the folder to serve'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; name an existing folder'
    return `cannot be reached (${code ?? 'unknown error'})`
  }
  return (await may(root, constants.R_OK | constants.X_OK)) ? undefined : 'may not be read by this account'
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}
