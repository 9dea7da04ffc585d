import styles from './names.module.css'
import { plainName } from '../../lib/plain-name.ts'
import { classNames } from '../../lib/class-names.ts'

/** A file name, shortened in the middle so that its extension stays. Put the full name in the `title` of the parent. */
export function FileName({ name }: { name: string }) {
  const { stem, tail } = splitFileName(plainName(name))
  return (
    <bdi className={styles['name']}>
      <span>{stem}</span>
      {tail && <span>{tail}</span>}
    </bdi>
  )
}

interface AvatarProps {
  name: string
  size?: 'medium' | 'large' | undefined
}

const COLOURS = 5

/** The first letter of a name in a circle, in a colour derived from the name. Decorative: the name is next to it. */
export function Avatar({ name, size = 'medium' }: AvatarProps) {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 0)
  return (
    <span className={classNames(styles['avatar'], styles[size], styles[`colour-${sum % COLOURS}`])} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}

const MIN_SPLIT_LENGTH = 16
const TAIL_LENGTH = 4

/**
 * Splits a name where an ellipsis may be inserted: before the last four letters and the extension, which always stay
 * readable. A short name is returned whole, with an empty tail. Never splits a grapheme.
 */
function splitFileName(name: string): { stem: string; tail: string } {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  if (letters.length < MIN_SPLIT_LENGTH) return { stem: name, tail: '' }
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= 10 ? letters.length - dot : 0
  const cut = letters.length - extension - TAIL_LENGTH
  if (cut <= 0) return { stem: name, tail: '' }
  return { stem: letters.slice(0, cut).join(''), tail: letters.slice(cut).join('') }
}
