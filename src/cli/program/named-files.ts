import { randomBytes } from 'node:crypto'
import { type BigIntStats, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { unwritable } from '../../platform/files/error-code.ts'
import { readTextFile, textOfFile } from '../../platform/text/read-text-file.ts'
import type { Invocation, Terminal } from './command.ts'

/**
 * Reads a file named on the command line, or standard input for "-". Warns if its encoding was guessed.
 *
 * @throws NOT_FOUND, INVALID_INPUT
 */
export async function readText(name: string, { terminal, output }: Invocation): Promise<string> {
  const { cwd, stdin } = terminal
  const onGuess = (message: string) => output.warning(message)
  if (name === '-') return await textOfFile(await readInput(stdin), 'standard input', onGuess)
  return await readTextFile(resolve(cwd(), name), onGuess, name).catch((error: unknown) => unreadable(name, error))
}

/** As `readText`, for texts with file names, which a wrong guess of the encoding would change. @throws also for such a text */
export async function readExactText(name: string, { stdin, cwd }: Pick<Terminal, 'stdin' | 'cwd'>): Promise<string> {
  if (name === '-') return await textOfFile(await readInput(stdin), 'standard input')
  return await readTextFile(resolve(cwd(), name), undefined, name).catch((error: unknown) => unreadable(name, error))
}

const MISSING = ['ENOENT', 'ENOTDIR']
const REFUSED = ['EACCES', 'EPERM', 'EROFS']

/** Far more than any list of accounts has. */
const MAX_INPUT = 256 * 1024 * 1024

/** All of standard input, unless that has no end. @throws TOO_LARGE */
async function readInput(stdin: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stdin) {
    const bytes = Buffer.from(part as Uint8Array | string)
    size += bytes.length
    if (size > MAX_INPUT) fail('TOO_LARGE', 'standard input is longer than 256 MiB, which no such file is')
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

/** @throws NOT_FOUND; FORBIDDEN or INVALID_INPUT with the system's error code */
export function unreadable(name: string, error: unknown): never {
  if (isFilemgrError(error)) throw error
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  if (MISSING.includes(code)) fail('NOT_FOUND', `there is no file ${name}`)
  return fail(REFUSED.includes(code) ? 'FORBIDDEN' : 'INVALID_INPUT', `${name} cannot be read (${code})`)
}

/** Writes a file that only its owner can read, replacing an old one atomically. @throws INVALID_INPUT, NO_SPACE */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(9).toString('base64url')}.fm-tmp`)
  try {
    if (takesStream(path)) {
      await writeFile(path, text)
      return
    }
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw unwritable(path, error, 'INVALID_INPUT')
  }
}

/** Names of open files, which a shell may have opened on a file of the disk. Other files below /dev, as in /dev/shm, are plain ones. */
const OPEN_FILE = /^\/(?:dev\/(?:fd\/|std(?:in|out|err)$)|proc\/)/

/** Whether what is at the path is written into and must never be replaced: a pipe or a device, such as /dev/stdout. */
export function takesStream(path: string | Buffer): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (isStream(stats) || OPEN_FILE.test(String(path)))
}

/** A pipe or a device, such as /dev/fd/63 for the shell's "<(command)" and ">(command)". */
export function isStream(stats: Pick<BigIntStats, 'isFIFO' | 'isCharacterDevice'>): boolean {
  return stats.isFIFO() || stats.isCharacterDevice()
}
