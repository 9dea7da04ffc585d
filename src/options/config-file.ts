import { lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, resolve } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { Environment } from './environment.ts'
import { parseConfig, type ConfigValues } from './parse-config.ts'

/** The second is File Browser's. */
const SYSTEM_FOLDERS = ['/etc/filemgr', '/etc/filebrowser']
const EXTENSIONS = ['json', 'yaml', 'yml', 'toml']

export interface ConfigFile extends ConfigValues {
  readonly path: string
  /** True when nobody named it: it was found in one of the usual folders. */
  readonly discovered: boolean
}

/** Where to look, besides the file that a person named. */
export interface ConfigPlaces {
  readonly named?: string | undefined
  readonly workingFolder: string
  readonly environment: Environment
}

/**
 * The named config file, else the first of filemgr.{json,yaml,yml,toml} and .filebrowser.{…} in the working folder,
 * the home folder, /etc/filemgr and /etc/filebrowser.
 *
 * @throws INVALID_INPUT for a named file that is missing, and for any that is malformed, naming the line
 */
export async function loadConfigFile({
  named,
  workingFolder,
  environment,
}: ConfigPlaces): Promise<ConfigFile | undefined> {
  if (named !== undefined) return await loadNamed(resolve(workingFolder, named))
  const folders = [workingFolder, environment['HOME'], ...SYSTEM_FOLDERS].filter((folder) => folder !== undefined)
  for (const folder of folders) {
    for (const name of ['filemgr', '.filebrowser']) {
      for (const extension of EXTENSIONS) {
        const path = join(folder, `${name}.${extension}`)
        const text = await readIfThere(path)
        if (text !== undefined) return { path, discovered: true, ...(await parseConfig(path, text)) }
      }
    }
  }
  return undefined
}

/**
 * True when a found file lies in a folder that is served. It is not to be believed then: whoever may upload there
 * could put one in place and choose the start-up values of the next start.
 */
export function liesInside(file: ConfigFile, root: string): boolean {
  const path = relative(root, file.path)
  return path !== '' && path.split('/')[0] !== '..' && !isAbsolute(path)
}

async function loadNamed(path: string): Promise<ConfigFile> {
  if (!EXTENSIONS.includes(extname(path).slice(1))) {
    fail('INVALID_INPUT', `config file ${path}: name it .json, .yaml, .yml or .toml`, { field: 'config' })
  }
  const text = await readIfThere(path)
  if (text === undefined) fail('INVALID_INPUT', `config file ${path} does not exist`, { field: 'config' })
  return { path, discovered: false, ...(await parseConfig(path, text)) }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    // Two dozen places are looked at, mostly in vain, and this costs a tenth of an attempt to read.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    fail(
      'INVALID_INPUT',
      `config file ${path} cannot be read (${code ?? 'unknown error'})`,
      { field: 'config' },
      { cause: error },
    )
  }
}
