import type { Locale } from '../../../src/domain/page-contract.ts'
interface StyleRule {
  readonly problem: string
  readonly pattern: RegExp
  /** The languages of the rule; all if missing. */
  readonly locales?: readonly Locale[]
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'

/** Rules for the words of a message, in order. */
const RULES: readonly StyleRule[] = [
  { problem: 'has two spaces in a row', pattern: /[ \u00a0\u202f]{2}/ },
  { problem: 'has three dots in place of an ellipsis (…)', pattern: /\.{3}/ },
  { problem: 'has straight quotation marks', pattern: /["]/ },
  { problem: 'has a straight apostrophe, which ICU reads as a quotation', pattern: /'/ },
  { problem: 'has an exclamation mark', pattern: /[!¡！]/ },
  { problem: 'has an invisible sign', pattern: /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\t\n\r]/ },
  { problem: 'has a space before a full stop or a comma', pattern: /\p{L}[ \u00a0][.,](?!\w)/u },
  { problem: 'is not in composed letters (NFC)', pattern: /[\u0300-\u036f]/ },
  {
    problem: 'needs a no-break space before : ; ? », and after «',
    pattern: / [:;?»]|« |[^\s\u00a0\u202f\d][;?»](?!\w)|«\S/,
    locales: ['fr'],
  },
  {
    problem: 'has Latin punctuation between Chinese or Japanese signs',
    pattern: new RegExp(`[${CJK}][.,;:?()]|[,;:?()][${CJK}]`, 'u'),
    locales: ['ja', 'zh-cn', 'zh-tw'],
  },
  { problem: 'has a Latin comma, semicolon or question mark', pattern: /[,;?]/, locales: ['ar'] },
  { problem: 'has a Latin question mark (Greek has ;)', pattern: /\?/, locales: ['el'] },
  { problem: 'has cedillas in place of commas below', pattern: /[şţŞŢ]/, locales: ['ro'] },
]

/** A sentence stays a sentence. */
const SENTENCE_END = /[.。।]$/

/** Typographic mistakes. */
export function problemsOfStyle(locale: Locale, english: string, text: string, words: readonly string[]): string[] {
  const found = RULES.filter(
    ({ pattern, locales }) => (locales?.includes(locale) ?? true) && words.some((part) => pattern.test(part)),
  ).map(({ problem }) => problem)
  if (text.trim() !== text) found.push('begins or ends with a space')
  if (text === '') found.push('says nothing')
  for (const end of [/…$/, SENTENCE_END]) {
    if (lastOf(english).match(end) !== null && !end.test(lastOf(text)))
      found.push(`does not end like “${lastOf(english)}”`)
    if (lastOf(english).match(end) === null && end.test(lastOf(text)))
      found.push(`ends in another way than “${lastOf(english)}”`)
  }
  return found
}

/** The end of a text, inside its last braces and tags. */
function lastOf(text: string): string {
  return text.replace(/(\s*\}|<\/?\d+>)+$/g, '').slice(-12)
}
