import { open } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { GlobalFlags, Terminal } from './command.ts'

/** --data, else FILEMGR_DATA, else FB_DATABASE of File Browser, else the place where this system keeps the data of a person or a service. */
export function dataFolder({ data }: GlobalFlags, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
  const named = data ?? env['FILEMGR_DATA'] ?? env['FB_DATABASE']
  if (named === '') fail('INVALID_INPUT', '--data needs the name of a folder', { field: 'data' })
  return named === undefined ? defaultDataFolder(env) : resolve(cwd(), named)
}

function defaultDataFolder(env: Terminal['env']): string {
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'filemgr')
  if (process.getuid?.() === 0) return '/var/lib/filemgr'
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'filemgr')
}

/** Old scripts name File Browser's database here. @throws INVALID_INPUT pointing to the way to move it */
export async function refuseDatabase(folder: string): Promise<void> {
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
    fail('INVALID_INPUT', `--data: ${folder} is a File Browser database; ${advice}`, { field: 'data' })
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
