import { type Encoding, ENCODINGS } from '../text/encodings.ts'

/** Those in which an archive can have names: no name has a byte order mark, or zero bytes. */
export const NAME_ENCODINGS: readonly Encoding[] = ENCODINGS.filter(
  (encoding) => encoding === 'utf-8' || !encoding.startsWith('utf-'),
)
