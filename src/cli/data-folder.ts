import { existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { GlobalFlags, Terminal } from './program/command.ts'

type Place = Pick<Terminal, 'env' | 'cwd'>

/**
 * --data, else FILEMGR_DATA, else FB_DATABASE of File Browser unless it still names its database, else the place where this
 * system keeps the data of a user or a service.
 */
export function dataFolder({ data }: GlobalFlags, { env, cwd }: Place): string {
  const inPlaceOfOld = namesFile({ env, cwd }) ? undefined : env['FB_DATABASE']
  const named = data ?? env['FILEMGR_DATA'] ?? inPlaceOfOld
  if (named === '') fail('INVALID_INPUT', '--data needs the name of a folder', { field: 'data' })
  return named === undefined ? defaultDataFolder(env) : resolve(cwd(), named)
}

function defaultDataFolder(env: Terminal['env']): string {
  if (process.getuid?.() === 0) return '/var/lib/filemgr'
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'filemgr')
}

/** Whether FB_DATABASE names a file, as it does for File Browser. */
export function namesFile({ env, cwd }: Place): boolean {
  const { FB_DATABASE: path = '' } = env
  return path !== '' && existsSync(resolve(cwd(), path)) && statSync(resolve(cwd(), path)).isFile()
}

/**
 * The data folder for all but `import`: a first start beside an old database would look like the old installation with all its
 * accounts gone.
 *
 * @throws INVALID_INPUT as `refuseDatabase`
 */
export async function ownFolder(globals: GlobalFlags, place: Place): Promise<string> {
  const folder = dataFolder(globals, place)
  await refuseDatabase(folder)
  if (namesFile(place)) await refuseForgottenDatabase(folder, place.env['FB_DATABASE'] ?? '', 'FB_DATABASE', place)
  return folder
}

/** @param namedBy the file or the variable that names the old database. @throws INVALID_INPUT when there is no store yet */
export async function refuseForgottenDatabase(
  folder: string,
  database: string,
  namedBy: string,
  { cwd }: Pick<Place, 'cwd'>,
): Promise<void> {
  const { hasStore } = await import('../context/first-start.ts')
  if (!(await hasStore(folder))) await refuseDatabase(resolve(cwd(), database), namedBy)
}

/** Old scripts and config files name File Browser's database. @throws INVALID_INPUT pointing to the way to move it */
export async function refuseDatabase(folder: string, namedBy = '--data'): Promise<void> {
  let file
  try {
    file = await open(folder)
  } catch (error) {
    // What is missing is made, and what cannot be reached is told, when the store is opened.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
  try {
    if (!(await file.stat()).isFile() || !(await isBoltDatabase(file))) return
    const advice = `move it into a data folder with "filemgr import ${folder}"`
    fail('INVALID_INPUT', `${namedBy}: ${folder} is a File Browser database; ${advice}`, { field: 'data' })
  } finally {
    await file.close()
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>

/** A BoltDB file carries this number in its first page, behind the header of the page. */
async function isBoltDatabase(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 16)
  return bytesRead === 4 && buffer.readUInt32LE() === 0xed0cdaed
}
