import type { Context } from '../context.ts'
import type { Invocation } from './command.ts'
import { findDaemon } from './find-daemon.ts'

/** How the link of a share reads: at the running daemon, else where one would listen; the path alone where that is not known. */
export async function shareAddress(invocation: Invocation, { options }: Context): Promise<(hash: string) => string> {
  const daemon = await findDaemon(invocation)
  const path = `${options.baseURL.replace(/\/+$/, '')}/`
  if (daemon !== undefined && !daemon.url.startsWith('unix:') && daemon.url !== '') return linksBelow(daemon.url)
  if (daemon !== undefined || options.socket !== '' || options.port === 0) return linksBelow(path)
  const { reachableUrls } = await import('../daemon/listen.ts')
  return linksBelow(reachableUrls(options, options.port)[0] ?? path)
}

/** @param url of the daemon, with a slash at its end */
export function linksBelow(url: string): (hash: string) => string {
  return (hash) => `${url}share/${hash}`
}
