import { classNames } from '../lib/class-names.ts'
import styles from './avatar.module.css'

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
