import { classNames } from '../lib/class-names.ts'
import type { FileGlyphName, IconName } from './icon-names.ts'
import spriteUrl from './sprite.svg?url'
import styles from './icon.module.css'

interface IconProps {
  name: IconName
  /** Pixels; 18 unless told. The stroke keeps its 1.5 px at every size. */
  size?: 14 | 16 | 18 | 20 | 24 | 28 | 40 | 56 | undefined
  /** Mirrored in right-to-left pages: for arrows and everything that points. */
  flip?: boolean | undefined
  className?: string | undefined
}

/** Decoration only: the name of the thing stands beside it or in the button's label. */
export function Icon({ name, size = 18, flip, className }: IconProps) {
  return (
    <svg
      className={classNames(styles['icon'], styles[`size-${size}`], flip && styles['flip'], className)}
      aria-hidden="true"
    >
      <use href={`${spriteUrl}#i-${name}`} />
    </svg>
  )
}

interface FileGlyphProps {
  type: FileGlyphName
  /** Pixels; without it the glyph follows the density (24 in cosy rows). */
  size?: 18 | 20 | 24 | 32 | 56 | undefined
  className?: string | undefined
}

export function FileGlyph({ type, size, className }: FileGlyphProps) {
  const sizeClass = size === undefined ? styles['glyph-size'] : styles[`size-${size}`]
  return (
    <svg className={classNames(styles['icon'], sizeClass, styles[`glyph-${type}`], className)} aria-hidden="true">
      <use href={`${spriteUrl}#ft-${type}`} />
    </svg>
  )
}
