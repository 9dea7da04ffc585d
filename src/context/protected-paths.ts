import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { auditFilesIn } from '../domain/server/audit-target.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import type { Settings } from '../domain/settings/settings.ts'
import { agedPath } from '../platform/logging/rotating-file.ts'
import { parseVirtualPath, type VirtualPath } from '../domain/files/virtual-path.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import { type ByteCache, memoryCache } from '../platform/cache/byte-cache.ts'
import type { Clock } from '../platform/clock.ts'
import { MEMORY_PLAN } from '../platform/limits/memory-plan.ts'
import { DiskCache } from '../platform/cache/disk-cache.ts'
import { systemRandom } from '../platform/security/random.ts'

/** Number of rotated log files. */
const LOG_FILES = 10

export interface DaemonPaths {
  readonly dataFolder: string | undefined
  readonly options: Pick<ServerOptions, 'cert' | 'key' | 'socket' | 'log' | 'accessLog' | 'auditExport' | 'cacheDir'>
  readonly configFile: string | undefined
  readonly settings: Pick<Settings, 'branding'>
}

/**
 * All paths that belong to the daemon: reading them would reveal keys and other users' images, and the daemon trusts what is
 * written there. /proc exposes the memory and environment of processes.
 */
export function protectedPathsOf({ dataFolder, options, configFile, settings }: DaemonPaths): string[] {
  const { cert, key, socket, log, accessLog, auditExport, cacheDir } = options
  const ownLogs = [log, accessLog].filter((name) => !['', 'stdout', 'stderr'].includes(name))
  const logFiles = [...ownLogs, ...auditFilesIn(auditExport)]
  const logs = logFiles.flatMap((path) => Array.from({ length: LOG_FILES }, (_, age) => agedPath(path, age)))
  const thumbnails = cacheDir === '' ? '' : thumbnailFolder(cacheDir)
  const named = [dataFolder ?? '', configFile ?? '', cert, key, socket, thumbnails, settings.branding.files, ...logs]
  return ['/proc', ...named.filter((path) => path !== '')]
}

/**
 * Protected paths beneath the served folder, for example the data folder if a home folder is served. They become built-in
 * rules, which explain a refusal and prevent moving or deleting the folders around them.
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
/** A subfolder, since clearing the cache must not delete other files in the cache folder. */
const OWN_FOLDER = 'thumbnails'

function thumbnailFolder(parent: string): string {
  return join(parent, OWN_FOLDER)
}

/** The thumbnail cache: in `cacheDir`, else in the data folder, else in memory. */
export function thumbnailCache(dataFolder: string | undefined, cacheDir: string, clock: Clock): ByteCache {
  const parent = cacheDir !== '' ? cacheDir : dataFolder === undefined ? undefined : join(dataFolder, 'cache')
  if (parent === undefined) return memoryCache(MEMORY_PLAN.cache)
  return new DiskCache({ folder: thumbnailFolder(parent), limit: GIBIBYTE, clock, random: systemRandom })
}
