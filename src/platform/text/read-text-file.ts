import { readFile } from 'node:fs/promises'
import { fail } from '../../domain/errors.ts'
import { encodingFacts, decodeUnicode } from '../../domain/text/encodings.ts'
import { provenEncoding } from '../../domain/text/proven-encoding.ts'

/** Called if the encoding was guessed, which the person should know. */
type OnGuess = (message: string) => void

/**
 * A text that people write with any program, such as a config file, without its byte order mark.
 *
 * @param onGuess without it, an encoding that must be guessed is refused: a wrong guess would change passwords or file names
 * @throws INVALID_INPUT naming the file; errors of the system
 */
export async function readTextFile(path: string, onGuess?: OnGuess, name = path): Promise<string> {
  return await textOfFile(await readFile(path), name, onGuess)
}

/** As `readTextFile`, of bytes that have been read. @param name of the file, for messages */
export async function textOfFile(bytes: Uint8Array, name: string, onGuess?: OnGuess): Promise<string> {
  const proven = provenEncoding(bytes)
  if (proven === 'binary') return refuse(name)
  if (proven !== undefined) return decodeUnicode(bytes, proven, { exact: false }) ?? ''
  if (onGuess === undefined) return refuse(name)
  // Loaded on demand: most files are UTF-8, and commands must start quickly.
  const { encodingOf } = await import('./detect-encoding.ts')
  const { decodeLoosely } = await import('../../domain/text/text-codec.ts')
  const guessed = await encodingOf(bytes)
  if (guessed === 'binary') return refuse(name)
  onGuess(`${name} is not in UTF-8: it was read as ${encodingFacts(guessed).name}`)
  return decodeLoosely(bytes, guessed)
}

function refuse(name: string): never {
  return fail('INVALID_INPUT', `${name} is neither UTF-8 nor UTF-16; save it as UTF-8 and try again`)
}
