import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { ServerOptions } from '../domain/settings/server-options.ts'
import type { Settings } from '../domain/settings/settings.ts'
import { agedPath } from '../platform/logging/rotating-file.ts'
import { parseVirtualPath, type VirtualPath } from '../domain/files/virtual-path.ts'
import { unlessErrno } from '../store/disk/disk.ts'
import { type ByteCache, memoryCache } from '../platform/cache/byte-cache.ts'
import type { Clock } from '../platform/clock.ts'
import { DiskCache } from '../platform/cache/disk-cache.ts'
import { systemRandom } from '../platform/security/random.ts'

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
export function protectedPathsOf({ dataFolder, options, configFile, settings }: DaemonPlaces): string[] {
  const { cert, key, socket, log, cacheDir } = options
  const isLogFile = !['', 'stdout', 'stderr'].includes(log)
  const logs = isLogFile ? Array.from({ length: LOG_FILES }, (_, age) => agedPath(log, age)) : []
  const thumbnails = cacheDir === '' ? '' : thumbnailFolder(cacheDir)
  const named = [dataFolder ?? '', configFile ?? '', cert, key, socket, thumbnails, settings.branding.files, ...logs]
  return ['/proc', ...named.filter((path) => path !== '')]
}

/**
 * Where files and folders of ours lie beneath the served folder, for the rules that say so to people and keep folders around
 * them in place. Serving a home folder serves our data folder with it.
 */
export async function hiddenPaths(root: string, paths: readonly string[]): Promise<VirtualPath[]> {
  const found = await Promise.all(paths.map(async (path) => await hiddenPath(root, path)))
  return found.filter((path) => path !== undefined)
}

async function hiddenPath(root: string, folder: string): Promise<VirtualPath | undefined> {
  const [realRoot, realFolder] = await Promise.all(
    [root, folder].map(async (path) => await unlessErrno(realpath(path), 'ENOENT', 'ENOTDIR')),
  )
  if (realRoot === undefined || realFolder === undefined) return undefined
  const path = relative(realRoot, realFolder)
  return path === '..' || path.startsWith(`..${sep}`) ? undefined : parseVirtualPath(path)
}

const GIBIBYTE = 1024 ** 3
/** Without a data folder, some thousand thumbnails are kept in memory. */
const IN_MEMORY = 48 * 1024 ** 2
/** Not `folder` itself, which may hold other things: what is cleared is ours. */
const OWN_FOLDER = 'thumbnails'

function thumbnailFolder(parent: string): string {
  return join(parent, OWN_FOLDER)
}

/** Where thumbnails are kept: in the folder that the options name, else in the data folder, else in memory. */
export function thumbnailCache(dataFolder: string | undefined, cacheDir: string, clock: Clock): ByteCache {
  const parent = cacheDir !== '' ? cacheDir : dataFolder === undefined ? undefined : join(dataFolder, 'cache')
  if (parent === undefined) return memoryCache(IN_MEMORY)
  return new DiskCache({ folder: thumbnailFolder(parent), limit: GIBIBYTE, clock, random: systemRandom })
}
