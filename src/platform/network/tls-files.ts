import { readFile } from 'node:fs/promises'
import { fail } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'

/** Options for node:https. */
export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
  readonly minVersion: 'TLSv1.2'
}

/**
 * Reads certificate and key, and checks that they belong together.
 *
 * @throws INVALID_INPUT saying which file is wrong and what to do
 */
export async function loadTls({ cert, key }: Pick<ServerOptions, 'cert' | 'key'>): Promise<TlsFiles | undefined> {
  if (cert === '' && key === '') return undefined
  if (key === '') fail('INVALID_INPUT', `--cert ${cert} needs its key: add --key FILE`, { field: 'key' })
  if (cert === '') fail('INVALID_INPUT', `--key ${key} needs its certificate: add --cert FILE`, { field: 'cert' })
  const files = { cert: await read('cert', cert), key: await read('key', key), minVersion: 'TLSv1.2' as const }
  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext(files)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `--cert ${cert} and --key ${key} are not a PEM certificate and its key (${reason})`
    fail('INVALID_INPUT', message, { field: 'cert' }, { cause: error })
  }
  return files
}

async function read(option: 'cert' | 'key', path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown error'})`
    fail('INVALID_INPUT', `--${option}: ${path} ${problem}; choose a PEM file`, { field: option }, { cause: error })
  }
}
