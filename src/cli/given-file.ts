import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { fail } from '../domain/errors.ts'
import type { Terminal } from './command.ts'

/** The text of a file that the line names, or of the standard input for "-". @throws NOT_FOUND, INVALID_INPUT */
export async function readText(name: string, { cwd, stdin }: Terminal): Promise<string> {
  if (name === '-') return await readAll(stdin)
  return await readFile(resolve(cwd(), name), 'utf8').catch((error: unknown) => unreadable(name, error))
}

/** @throws NOT_FOUND, INVALID_INPUT with the system's word for what was wrong with a file that the line names */
export function unreadable(name: string, error: unknown): never {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  return fail(code === 'ENOENT' ? 'NOT_FOUND' : 'INVALID_INPUT', `${name} cannot be read (${code})`)
}
