import type { Encoding } from '../../domain/text/encodings.ts'
import { encodingSample, provenEncoding } from '../../domain/text/proven-encoding.ts'
import { decodeText } from '../../domain/text/text-codec.ts'

/** The names of encodings in the package. It knows further ones, which are rarer than their mistaken detection. */
const EAST_ASIAN = {
  gb18030: 'gb18030',
  big5: 'big5',
  cp932: 'shift_jis',
  'euc-jp': 'euc-jp',
  cp949: 'euc-kr',
} as const
const CANDIDATES: Record<Kind, Readonly<Record<string, Encoding>>> = {
  content: {
    ...EAST_ASIAN,
    ...{ 'windows-1252': 'windows-1252', 'windows-1250': 'windows-1250', 'windows-1251': 'windows-1251' },
    ...{ 'windows-1253': 'windows-1253', 'windows-1254': 'windows-1254', 'windows-1255': 'windows-1255' },
    ...{ 'windows-1256': 'windows-1256', 'windows-1257': 'windows-1257', cp1258: 'windows-1258', cp874: 'windows-874' },
    ...{ 'koi8-r': 'koi8-r', 'koi8-u': 'koi8-u', ibm866: 'ibm866' },
  },
  // Windows writes names in the code page of DOS of its language, old programs of Unix in the encoding of theirs.
  names: {
    ...EAST_ASIAN,
    ...{ cp437: 'ibm437', cp850: 'ibm850', cp852: 'ibm852', ibm866: 'ibm866' },
    ...{ 'windows-1252': 'windows-1252', 'windows-1251': 'windows-1251', 'koi8-r': 'koi8-r' },
  },
}
/** Accept every byte, so they are the last resort, and preferred where they are as likely as the best. */
const FALLBACK = { content: 'windows-1252', names: 'ibm437' } as const
/** A candidate with this part of the best confidence is as likely. */
const EQUAL = 0.75
/** A text with words that no language has is this much less likely than the package says. */
const ODD = 0.2
/** Words of two scripts ("cafй" for "café"), capitals after small letters ("χΈ"), a final sigma within a word, and boxes. */
const ODD_WORD =
  /\p{Script=Latin}[^\P{L}\p{Script=Latin}]|[^\P{L}\p{Script=Latin}]\p{Script=Latin}|[^\P{Ll}\p{ASCII}]\p{Lu}|ς\p{L}|[─-▟]\p{L}|\p{L}[─-▟]/u
const NO_TEXT = /(?![\t\n\f\r])[\p{Cc}\p{Co}\p{Cn}]/u
const NOT_ASCII = /\P{ASCII}/gu
const NOT_ASCII_LETTER = /(?!\p{ASCII})[\p{L}\p{M}\p{N}]/gu
/** Below this confidence the package knows nothing: one or two characters. */
const UNLIKELY = 0.002

/** Names of files consist of letters, and their programs are others than those that write texts. */
type Kind = 'content' | 'names'

/**
 * The encoding of a text: proven by its bytes, or else the likeliest, of which a person may think better. "binary" for bytes that no
 * text has. Loads a megabyte of statistics when it must guess.
 */
export async function encodingOf(bytes: Uint8Array): Promise<Encoding | 'binary'> {
  return provenEncoding(bytes) ?? (await detectEncoding(encodingSample(bytes), 'content', bytes))
}

/** The likeliest encoding of a sample that is not UTF-8 (see `encodingSample`). All of `whole` is valid in it. */
export async function detectEncoding(sample: Uint8Array, kind: Kind, whole = sample): Promise<Encoding> {
  if (sample.length === 0) return FALLBACK[kind]
  const { detectAll } = await import('jschardet')
  const names = CANDIDATES[kind]
  const likely = detectAll(sample, { detectEncodings: Object.keys(names), minimumThreshold: 0 })
    .flatMap(({ encoding: name, confidence }) => {
      const encoding = names[name?.toLowerCase() ?? '']
      const text = encoding && decodeText(sample, encoding)
      if (encoding === undefined || text === undefined || NO_TEXT.test(text)) return []
      if (decodeText(whole, encoding) === undefined) return []
      if (kind === 'names' && !consistsOfLetters(text)) return []
      return [{ encoding, confidence: confidence * (ODD_WORD.test(text) ? ODD : 1) }]
    })
    .toSorted((one, other) => other.confidence - one.confidence)
  const [best] = likely
  if (best === undefined || best.confidence < UNLIKELY) return kind === 'names' ? shortestOf(whole) : FALLBACK.content
  const isFallback = likely.some(({ encoding, confidence }) => {
    return encoding === FALLBACK[kind] && confidence >= best.confidence * EQUAL
  })
  return isFallback ? FALLBACK[kind] : narrowest(best.encoding, whole)
}

/** Of a name as short as "表.txt", the first encoding in which it is letters: few bytes are valid where characters have two. */
function shortestOf(bytes: Uint8Array): Encoding {
  const found = (['shift_jis', 'gbk', 'big5', 'euc-kr'] as const).find((encoding) => {
    const text = decodeText(bytes, encoding)
    return text !== undefined && !NO_TEXT.test(text) && consistsOfLetters(text)
  })
  return found ?? FALLBACK.names
}

function consistsOfLetters(text: string): boolean {
  return (text.match(NOT_ASCII_LETTER)?.length ?? 0) * 2 >= (text.match(NOT_ASCII)?.length ?? 0)
}

/** GBK, which most programs mean, unless the text has characters that only GB 18030 holds. */
function narrowest(encoding: Encoding, bytes: Uint8Array): Encoding {
  return encoding === 'gb18030' && !hasFourByteCodes(bytes) ? 'gbk' : encoding
}

function hasFourByteCodes(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x81) continue
    // The second byte tells how long the code is.
    const second = bytes[at + 1] ?? 0
    if (second >= 0x30 && second <= 0x39) return true
    at++
  }
  return false
}
