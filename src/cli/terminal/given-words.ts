import { readFileSync } from 'node:fs'
import { bytesOfText, textOfBytes } from '../../domain/files/name-text.ts'

/** The words of the command line. Node loses bytes that are not UTF-8, which names of files may contain; the kernel keeps them. */
export function givenWords(argv: readonly string[]): string[] {
  const words = argv.slice(2)
  if (!words.some((word) => word.includes('\ufffd'))) return words
  const kept = readFileSync('/proc/self/cmdline', 'latin1').split('\0').slice(0, -1)
  return kept.slice(kept.length - words.length).map((word) => textOfBytes(Buffer.from(word, 'latin1')))
}

/** A path among the words for the calls of `node:fs`, which lose those bytes in texts too. */
export function localPath(path: string): string | Buffer {
  return path.isWellFormed() ? path : Buffer.from(bytesOfText(path))
}
