import { readFile } from 'node:fs/promises'

/** Bytes. */
const MAX_SIZE = 4096

/** The secret in a file, without the line break at its end; undefined if the file is empty or too large. @throws errors of the system */
export async function readSecretFile(path: string): Promise<string | undefined> {
  const value = (await readFile(path, 'utf8')).trimEnd()
  return value === '' || value.length > MAX_SIZE ? undefined : value
}
