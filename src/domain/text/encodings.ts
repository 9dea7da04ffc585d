/** What an encoding is made for, as a code that `Intl.DisplayNames` can name in any language. */
type MadeFor =
  | { readonly type: 'language' | 'script' | 'region'; readonly code: string }
  /** Holds every character. */
  | undefined

interface EncodingFacts {
  /** The name that people know. It is the same in all languages. */
  readonly name: string
  /** The label of the WHATWG Encoding Standard, which lacks the code pages of DOS except one. */
  readonly label: string
  readonly madeFor: MadeFor
  /** The byte order mark, with which each file in this encoding begins. */
  readonly mark?: readonly number[]
}

const script = (code: string): MadeFor => ({ type: 'script', code })
const language = (code: string): MadeFor => ({ type: 'language', code })
/** UN M49 codes of regions. */
const region = (code: '151' | '154' | '155'): MadeFor => ({ type: 'region', code })

const everything = (name: string, label: string, mark?: readonly number[]): EncodingFacts => ({
  name,
  label,
  madeFor: undefined,
  ...(mark !== undefined && { mark }),
})

const FACTS = {
  'utf-8': everything('UTF-8', 'utf-8'),
  'utf-8-bom': everything('UTF-8 BOM', 'utf-8', [0xef, 0xbb, 0xbf]),
  'utf-16le-bom': everything('UTF-16 LE BOM', 'utf-16le', [0xff, 0xfe]),
  'utf-16be-bom': everything('UTF-16 BE BOM', 'utf-16be', [0xfe, 0xff]),
  'utf-16le': everything('UTF-16 LE', 'utf-16le'),
  'utf-16be': everything('UTF-16 BE', 'utf-16be'),
  'windows-1252': { name: 'Windows-1252', label: 'windows-1252', madeFor: region('155') },
  'iso-8859-15': { name: 'ISO 8859-15', label: 'iso-8859-15', madeFor: region('155') },
  'windows-1250': { name: 'Windows-1250', label: 'windows-1250', madeFor: region('151') },
  'iso-8859-2': { name: 'ISO 8859-2', label: 'iso-8859-2', madeFor: region('151') },
  'windows-1251': { name: 'Windows-1251', label: 'windows-1251', madeFor: script('Cyrl') },
  'koi8-r': { name: 'KOI8-R', label: 'koi8-r', madeFor: language('ru') },
  'koi8-u': { name: 'KOI8-U', label: 'koi8-u', madeFor: language('uk') },
  ibm866: { name: 'IBM 866', label: 'ibm866', madeFor: script('Cyrl') },
  'iso-8859-5': { name: 'ISO 8859-5', label: 'iso-8859-5', madeFor: script('Cyrl') },
  'windows-1253': { name: 'Windows-1253', label: 'windows-1253', madeFor: script('Grek') },
  'iso-8859-7': { name: 'ISO 8859-7', label: 'iso-8859-7', madeFor: script('Grek') },
  'windows-1254': { name: 'Windows-1254', label: 'windows-1254', madeFor: language('tr') },
  'windows-1255': { name: 'Windows-1255', label: 'windows-1255', madeFor: script('Hebr') },
  'iso-8859-8': { name: 'ISO 8859-8', label: 'iso-8859-8', madeFor: script('Hebr') },
  'windows-1256': { name: 'Windows-1256', label: 'windows-1256', madeFor: script('Arab') },
  'windows-1257': { name: 'Windows-1257', label: 'windows-1257', madeFor: region('154') },
  'windows-1258': { name: 'Windows-1258', label: 'windows-1258', madeFor: language('vi') },
  'windows-874': { name: 'Windows-874', label: 'windows-874', madeFor: script('Thai') },
  ibm437: { name: 'IBM 437', label: 'ibm437', madeFor: region('155') },
  ibm850: { name: 'IBM 850', label: 'ibm850', madeFor: region('155') },
  ibm852: { name: 'IBM 852', label: 'ibm852', madeFor: region('151') },
  macintosh: { name: 'Mac Roman', label: 'macintosh', madeFor: region('155') },
  'x-mac-cyrillic': { name: 'Mac Cyrillic', label: 'x-mac-cyrillic', madeFor: script('Cyrl') },
  gbk: { name: 'GBK', label: 'gbk', madeFor: language('zh-Hans') },
  gb18030: { name: 'GB 18030', label: 'gb18030', madeFor: language('zh-Hans') },
  big5: { name: 'Big5', label: 'big5', madeFor: language('zh-Hant') },
  shift_jis: { name: 'Shift JIS', label: 'shift_jis', madeFor: language('ja') },
  'euc-jp': { name: 'EUC-JP', label: 'euc-jp', madeFor: language('ja') },
  'euc-kr': { name: 'EUC-KR', label: 'euc-kr', madeFor: language('ko') },
} satisfies Record<string, EncodingFacts>

/** An encoding that a text can be read and written in. Its schema is separate: threads start without loading the schema library. */
export type Encoding = keyof typeof FACTS

/** All of them, in the order in which a person chooses. */
export const ENCODINGS = Object.keys(FACTS) as readonly Encoding[]

export function isEncoding(value: unknown): value is Encoding {
  return typeof value === 'string' && Object.hasOwn(FACTS, value)
}

export function encodingFacts(encoding: Encoding): EncodingFacts {
  return FACTS[encoding]
}

/** Those in which an archive can have names: no name has a byte order mark, or zero bytes. */
export const NAME_ENCODINGS: readonly Encoding[] = ENCODINGS.filter(
  (encoding) => encoding === 'utf-8' || !encoding.startsWith('utf-'),
)

/** Whether the encoding holds every character and needs no table. */
export function isUnicode(encoding: Encoding): boolean {
  return encoding.startsWith('utf-')
}

/** The text without its byte order mark. Invalid sequences become U+FFFD, or give undefined if the text must be `exact`. */
export function decodeUnicode(
  bytes: Uint8Array,
  encoding: Encoding,
  { exact }: { exact: boolean },
): string | undefined {
  // The mark is removed here: a second one is part of the text.
  const decoder = new TextDecoder(encodingFacts(encoding).label, { fatal: exact, ignoreBOM: true })
  try {
    return decoder.decode(withoutMark(bytes, encoding))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** With the byte order mark of the encoding. */
export function encodeUnicode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const { label, mark = [] } = encodingFacts(encoding)
  const marked = (mark.length > 0 ? '\ufeff' : '') + text
  return label === 'utf-8' ? new TextEncoder().encode(marked) : encodeUtf16(marked, label === 'utf-16le')
}

function encodeUtf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), isLittleEndian)
  return new Uint8Array(view.buffer)
}

function withoutMark(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  const { mark } = encodingFacts(encoding)
  return mark?.every((byte, index) => bytes[index] === byte) === true ? bytes.subarray(mark.length) : bytes
}

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
