import type { Encoding } from '../../domain/text/encodings.ts'
import { encodingSample, provenEncoding } from '../../domain/text/proven-encoding.ts'
import { decodeLoosely, firstValid, isLittleDamaged } from '../../domain/text/text-codec.ts'

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
    'windows-1252': 'windows-1252',
    'windows-1250': 'windows-1250',
    'windows-1251': 'windows-1251',
    'windows-1253': 'windows-1253',
    'windows-1254': 'windows-1254',
    'windows-1255': 'windows-1255',
    'windows-1256': 'windows-1256',
    'windows-1257': 'windows-1257',
    cp1258: 'windows-1258',
    cp874: 'windows-874',
    'koi8-r': 'koi8-r',
    'koi8-u': 'koi8-u',
    ibm866: 'ibm866',
    'iso-8859-2': 'iso-8859-2',
  },
  // Windows writes names in the code page of DOS of its language, old programs of Unix in the encoding of theirs.
  names: {
    ...EAST_ASIAN,
    cp437: 'ibm437',
    cp850: 'ibm850',
    cp852: 'ibm852',
    ibm866: 'ibm866',
    'windows-1252': 'windows-1252',
    'windows-1251': 'windows-1251',
    'koi8-r': 'koi8-r',
  },
}
/** Accept every byte, so they are the last resort, and preferred where they are as likely as the best. */
const FALLBACK = { content: 'windows-1252', names: 'ibm437' } as const
/** A candidate with this part of the best confidence is as likely. */
const EQUAL = 0.7
/** The package prefers the Baltic letters for a few others, such as the only one of "Noël". Texts in those languages have many. */
const FEW = 4
const FEW_BALTIC = 0.2
/** A text with words that no language has is this much less likely than the package says. */
const ODD = 0.2
/**
 * Words of two scripts ("cafй" for "café"), capitals after small letters ("χΈ"), a final sigma within a word, boxes, and letters of
 * Latin of which five in a row have accents ("Êîíñòàíòèí" for "Константин").
 */
const ODD_WORD = new RegExp(
  [
    String.raw`\p{Script=Latin}[^\P{L}\p{Script=Latin}]|[^\P{L}\p{Script=Latin}]\p{Script=Latin}`,
    String.raw`[^\P{Ll}\p{ASCII}]\p{Lu}|ς\p{L}|[─-▟]\p{L}|\p{L}[─-▟]|(?:(?!\p{ASCII})\p{Script=Latin}){5}`,
  ].join('|'),
  'u',
)
/** Letters of Iceland without its vowels are the Turkish "ğ", "ı" and "ş". */
const ICELANDIC = /[ðýþ]/i
const ICELANDIC_VOWEL = /[áæéíóú]/i
const NO_TEXT = /(?![\t\n\f\r])[\p{Cc}\p{Co}\p{Cn}]/u
const NOT_ASCII = /\P{ASCII}/gu
const NOT_ASCII_LETTER = /(?!\p{ASCII})[\p{L}\p{M}\p{N}]/gu
/** Below this confidence the package knows nothing: one or two characters. */
const UNLIKELY = 0.002

/** Bytes above 0x7f. */
const SHORT = 14

/** Names of files consist of letters, and their programs are others than those that write texts. */
type Kind = 'content' | 'names'

/**
 * The encoding of a text: proven by its bytes, or else the likeliest, of which a person may think better. "binary" for bytes that no
 * text has. Loads a megabyte of statistics when it must guess.
 */
export async function encodingOf(bytes: Uint8Array): Promise<Encoding | 'binary'> {
  const proven = provenEncoding(bytes)
  if (proven !== undefined) return proven
  return firstValid(await likelyEncodings(encodingSample(bytes), 'content'), bytes)
}

/**
 * Encodings of a sample that is not UTF-8 (see `encodingSample`), the likeliest first. The right one is the first in which the whole
 * text is valid; the last accepts all bytes.
 */
export async function likelyEncodings(sample: Uint8Array, kind: Kind): Promise<Encoding[]> {
  if (sample.length === 0) return [FALLBACK[kind]]
  // No other text looks like UTF-8 for long, so this one was damaged or cut off.
  const damaged: Encoding[] = isLittleDamaged(decodeLoosely(sample, 'utf-8')) ? ['utf-8'] : []
  const { detectAll } = await import('jschardet')
  const names = CANDIDATES[kind]
  const words = distinctWords(sample)
  const isShort = sample.filter((byte) => byte >= 0x80).length < FEW
  const detect = (bytes: Uint8Array) =>
    detectAll(bytes, { detectEncodings: Object.keys(names), minimumThreshold: 0 }).map(({ encoding, confidence }) => ({
      name: encoding?.toLowerCase() ?? '',
      confidence,
    }))
  const whole = detect(words)
  const beginning = whole.some(({ name }) => isEastAsian(name)) ? [] : detect(beginningOf(words))
  const found = [...whole, ...beginning.filter(({ name }) => isEastAsian(name))]
    .flatMap(({ name, confidence }) => {
      const encoding = names[name]
      const text = encoding && decodeSample(sample, encoding)
      if (encoding === undefined || text === undefined) return []
      if (kind === 'names' && !consistsOfLetters(text)) return []
      const isOdd = ODD_WORD.test(text) || (encoding === 'windows-1252' && isTurkish(text))
      const doubt = (isOdd ? ODD : 1) * (isShort && encoding === 'windows-1257' ? FEW_BALTIC : 1)
      return [{ encoding, text, confidence: confidence * doubt }]
    })
    .toSorted((one, other) => other.confidence - one.confidence)
  const best = found[0]?.confidence ?? 0
  if (best < UNLIKELY) return [...damaged, ...(kind === 'names' ? shortest(sample) : []), FALLBACK[kind]]
  const isFallback = found.some(
    ({ encoding, text, confidence }) =>
      encoding === FALLBACK[kind] && (confidence >= best * EQUAL || text === found[0]?.text),
  )
  const likely = found.flatMap<Encoding>(({ encoding }) => (encoding === 'gb18030' ? ['gbk', encoding] : [encoding]))
  const ordered = [...damaged, ...(isFallback ? [] : likely), FALLBACK[kind]]
  return [...new Set(ordered.slice(0, ordered.indexOf(FALLBACK[kind]) + 1))]
}

/** Words of a text that repeats itself, such as a list of settings, once: the package takes few different characters for none. */
function distinctWords(sample: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new Set(
    Buffer.from(sample)
      .toString('latin1')
      .split(/(?<=\s)/),
  )
  return Uint8Array.from(Buffer.from([...words].join(''), 'latin1'))
}

/** Whether a text was Turkish before it was read as Windows-1252. */
function isTurkish(text: string): boolean {
  return ICELANDIC.test(text) && !ICELANDIC_VOWEL.test(text)
}

function isEastAsian(name: string): boolean {
  return Object.hasOwn(EAST_ASIAN, name)
}

/** The package takes a longer text for no East Asian one if its characters begin with few different bytes, as those of Katakana do. */
function beginningOf(bytes: Uint8Array): Uint8Array {
  let foreign = 0
  const end = bytes.findIndex((byte) => byte >= 0x80 && (foreign += 1) > SHORT)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

/** A sample may begin and end within a character. */
function decodeSample(sample: Uint8Array, encoding: Encoding): string | undefined {
  const text = decodeLoosely(sample, encoding).replace(/^\ufffd|\ufffd$/g, '')
  return text.includes('\ufffd') || NO_TEXT.test(text) ? undefined : text
}

/** Of a name as short as "表.txt", the encodings in which it is letters: few bytes are valid where characters have two. */
function shortest(bytes: Uint8Array): Encoding[] {
  return (['shift_jis', 'gbk', 'big5', 'euc-kr'] as const).filter((encoding) => {
    const text = decodeSample(bytes, encoding)
    return text !== undefined && consistsOfLetters(text)
  })
}

function consistsOfLetters(text: string): boolean {
  return (text.match(NOT_ASCII_LETTER)?.length ?? 0) * 2 >= (text.match(NOT_ASCII)?.length ?? 0)
}
