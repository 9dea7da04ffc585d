import { fail } from '../domain/errors.ts'
import { isBucketUrl } from '../domain/server/addresses.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import type { OptionSources } from '../options.ts'
import { liesBeneath } from '../platform/files/served-root.ts'
import { requireUsableOptions } from '../services/server/usable-options.ts'

/** Checks values before anything is opened. @throws INVALID_INPUT naming the option */
export function checkValues(options: ServerOptions, sources: OptionSources): void {
  requireUsableOptions(options)
  const rival = (['address', 'port', 'cert', 'key'] as const).find((name) => sources[name] === 'flag')
  if (options.socket !== '' && rival !== undefined) {
    fail('INVALID_INPUT', `--socket replaces the TCP port: leave out --${rival}`, { field: rival })
  }
}

/** Thumbnails in the served folder would reveal images that rules hide. @throws INVALID_INPUT */
export async function checkCacheFolder({ cacheDir, root }: Pick<ServerOptions, 'cacheDir' | 'root'>): Promise<void> {
  if (cacheDir === '' || isBucketUrl(root) || !(await liesBeneath(cacheDir, root))) return
  const advice = 'all users could open the thumbnails in it; name a folder outside of it, or leave it out'
  fail('INVALID_INPUT', `--cache-dir: ${cacheDir} lies in the served folder: ${advice}`, { field: 'cacheDir' })
}
