/**
 * Letters of other scripts that look like Latin ones, after the confusables of Unicode Technical Standard 39, as far as names of
 * people contain them. What compatibility normalization (NFKC) unifies, such as fullwidth letters, is not repeated here.
 */
const SMALL: readonly (readonly [string, string])[] = [
  ['аеѕіјорсухԁһԛԝѵӏг', 'aesijopcyxdhqwvlr'],
  ['αογινρυ', 'aoyivpu'],
  ['օոսհց', 'onuhg'],
  ['ıɑɡɩꞁ0', 'iagilo'],
]
const LARGE: readonly (readonly [string, string])[] = [
  ['АВЕЅІЈКМНОРСТУХӀ', 'ABESIJKMHOPCTYXl'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['ՕՍԼ', 'OUL'],
  ['I|1', 'lll'],
]

function tableOf(rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([from, to]) => [...from].map((letter, index) => [letter, [...to][index] ?? ''] as const)),
  )
}

const [SMALL_TABLE, LARGE_TABLE] = [tableOf(SMALL), tableOf(LARGE)]

/**
 * What a name looks like, in two ways: two names look alike if either is equal. The first takes "I" for "l", the second for "i".
 */
export function looksOf(name: string): readonly [string, string] {
  const text = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return [folded(replaced(text, LARGE_TABLE)), folded(text)]
}

function folded(text: string): string {
  const small = replaced(text.toLowerCase().toUpperCase().toLowerCase(), SMALL_TABLE)
  // Also what is written with one letter less.
  return small.replaceAll('m', 'rn')
}

function replaced(text: string, table: ReadonlyMap<string, string>): string {
  return [...text].map((letter) => table.get(letter) ?? letter).join('')
}
