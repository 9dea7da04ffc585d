import { splitFileName } from '../../lib/split-file-name.ts'
import styles from './names.module.css'
import { classNames } from '../../lib/class-names.ts'

/** A name that gives way in its middle; the extension stays. The full name belongs into the `title` of what holds it. */
export function FileName({ name }: { name: string }) {
  const { stem, tail } = splitFileName(name)
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

/** The first letter of a name in a circle, in a colour that stays with the name. Decoration: the name stands beside it. */
export function Avatar({ name, size = 'medium' }: AvatarProps) {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 0)
  return (
    <span className={classNames(styles['avatar'], styles[size], styles[`colour-${sum % COLOURS}`])} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}
