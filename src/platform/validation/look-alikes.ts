import unhomoglyph from 'unhomoglyph'
import { foldName, plainLetters } from '../../domain/text/fold.ts'

/**
 * What a name looks like, in two ways (the skeletons of Unicode Technical Standard 39, with and without regard to case): two names
 * look alike if either is equal. The first knows that "I" looks like "l", the second that "PAYPAL" is read as "paypal".
 */
export function looksOf(name: string): readonly [string, string] {
  const text = plainLetters(name).replace(/\p{Dash}/gu, '-')
  return [foldName(unhomoglyph(text)), unhomoglyph(foldName(text))]
}
