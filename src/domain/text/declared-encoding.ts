import { type Encoding, ENCODINGS, encodingFacts } from './encodings.ts'

/** Bytes in which a document says its encoding. */
const HEAD = 1024
const DECLARED = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w-]+)["']|<meta[^>]*\bcharset\s*=\s*["']?([\w-]+)/i

/** The encoding that an XML or HTML document declares, if it is one that is known. Proof by the bytes goes first: many declare a wrong one. */
export function declaredEncoding(bytes: Uint8Array): Encoding | undefined {
  const [, xml, html] = DECLARED.exec(String.fromCharCode(...bytes.subarray(0, HEAD))) ?? []
  const label = xml ?? html
  const name = label === undefined ? undefined : standardName(label)
  return ENCODINGS.find((encoding) => encodingFacts(encoding).label === name)
}

/** "windows-1252" for "iso-8859-1" and "latin1". */
function standardName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
