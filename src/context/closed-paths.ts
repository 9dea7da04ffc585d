import type { ServerOptions } from '../domain/server-options.ts'
import type { Settings } from '../domain/settings.ts'
import { agedPath } from '../platform/rotating-file.ts'
import { thumbnailFolder } from './thumbnail-cache.ts'

/** Files that are logged to before the oldest one goes. */
const LOG_FILES = 10

export interface DaemonPlaces {
  readonly dataFolder: string | undefined
  readonly options: Pick<ServerOptions, 'cert' | 'key' | 'socket' | 'log' | 'cacheDir'>
  readonly configFile: string | undefined
  readonly settings: Pick<Settings, 'branding'>
}

/**
 * Paths of all that belongs to the daemon. Reading there gives away keys and the pictures of others; what is written there, the
 * daemon believes. /proc holds the memory and the environment of processes.
 */
export function closedPaths({ dataFolder, options, configFile, settings }: DaemonPlaces): string[] {
  const { cert, key, socket, log, cacheDir } = options
  const isLogFile = !['', 'stdout', 'stderr'].includes(log)
  const logs = isLogFile ? Array.from({ length: LOG_FILES }, (_, age) => agedPath(log, age)) : []
  const thumbnails = cacheDir === '' ? '' : thumbnailFolder(cacheDir)
  const named = [dataFolder ?? '', configFile ?? '', cert, key, socket, thumbnails, settings.branding.files, ...logs]
  return ['/proc', ...named.filter((path) => path !== '')]
}
