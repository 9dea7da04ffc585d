import unhomoglyph from 'unhomoglyph'

/**
 * What a name looks like, in two ways (the skeletons of Unicode Technical Standard 39, with and without regard to case): two names
 * look alike if either is equal. The first knows that "I" looks like "l", the second that "PAYPAL" is read as "paypal".
 */
export function looksOf(name: string): readonly [string, string] {
  const text = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Dash}/gu, '-')
  return [folded(unhomoglyph(text)), unhomoglyph(folded(text))]
}

function folded(text: string): string {
  // Twice, because some letters have several small or large forms, such as the two sigmas.
  return text.toLowerCase().toUpperCase().toLowerCase()
}
