/**
 * Decides when two texts name the same thing. Nothing else compares names without regard to case, accents or Unicode form. The
 * result never depends on the language of the machine, so that server and page agree.
 */

export function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text)
}

/** Accents as part of their letters (NFC), however they were typed: names from Apple's systems have them apart (NFD). */
export function composed(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC')
}

/** Accents apart from their letters (NFD). */
export function decomposed(text: string): string {
  return isAscii(text) ? text : text.normalize('NFD')
}

/**
 * The identity of a name: equal for names that differ only in case, in Unicode form or in characters that draw nothing. Full case
 * folding, so "ß" is "ss", and "ς" is "σ". The four i's of Turkish are one: which of them are a pair depends on the language.
 */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase()
  return withOneI(foldDecomposed(name)).normalize('NFC')
}

/** As Unicode folds names, where "İ" is "i" with a dot: for patterns, which may have been written so. */
export function foldKeepingDots(name: string): string {
  return isAscii(name) ? name.toLowerCase() : foldDecomposed(name).normalize('NFC')
}

function foldDecomposed(name: string): string {
  return withoutCase(name.normalize('NFD').replace(INVISIBLE, ''))
}

/** Letters in their usual width and style (NFKC), without characters that draw nothing. */
export function plainLetters(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '')
}

/** Equal for all names that some file system may take for one: also for those with the same plain letters. */
export function foldForDisks(name: string): string {
  return foldName(plainLetters(name))
}

/**
 * For finding and ordering: also equal without accents, so that people find "Température" whatever their keyboard has. Marks that
 * make another letter in their script stay, such as those of "が" or of the vowels of Hindi.
 */
export function foldForSearch(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  if (!EUROPEAN_OR_CHINESE.test(text)) return foldAnyForSearch(text)
  return text.replace(EUROPEAN, foldEuropean).toLowerCase()
}

function foldAnyForSearch(text: string): string {
  const plain = text.normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '')
  return withoutCase(plain)
    .replace(STROKED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC')
}

/** Of decomposed text. */
function withoutCase(text: string): string {
  // Three times, because some letters have several small or large forms: "ẞ" becomes "ß", then "SS", then "ss".
  const small = text.toLowerCase().toUpperCase().toLowerCase()
  // A small sigma depends on what follows: part of a name would differ from the same letters at its end.
  return small.replaceAll('ς', 'σ')
}

function withOneI(folded: string): string {
  return folded.includes('\u0307') ? folded.replace(DOTTED_I, 'i$1') : folded
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** "İ" in lower case is "i" with a dot, after other marks that it may have. */
const DOTTED_I = /i([^\P{M}\u0307]*)\u0307/gu

/**
 * Of Latin, Greek and Cyrillic letters and of symbols, then the points of Hebrew and the vowel signs of Arabic, which are mostly left
 * out. Not the iota below Greek letters (U+0345), which is a letter of its own in capitals.
 */
const ACCENTS =
  // eslint-disable-next-line no-misleading-character-class -- marks without letters are meant
  /[\u0300-\u0344\u0346-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g

/** Letters whose stroke or shape Unicode does not treat as a mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
}
const STROKED = /[æœøðđħłŧþ]/g

/** Composed letters of most languages of Europe. */
const EUROPEAN = /[\u0080-\u017f]/g
/** Besides these, only ideographs, which have neither case nor accents. */
const EUROPEAN_OR_CHINESE = /^[\0-\u017f\u4e00-\u9fff]*$/
const foldEuropean = /* @__PURE__ */ createEuropeanFold()

/** A table makes searching and sorting three times as fast. It is made for the first letter. */
function createEuropeanFold(): (letter: string) => string {
  let table: readonly string[] | undefined
  return (letter) => {
    table ??= Array.from({ length: 0x180 }, (_, code) => foldAnyForSearch(String.fromCharCode(code)))
    return table[letter.charCodeAt(0)] ?? letter
  }
}
