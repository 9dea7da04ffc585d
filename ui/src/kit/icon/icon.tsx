import { classNames } from '../../lib/class-names.ts'
import spriteUrl from './sprite.svg?url'
import styles from './icon.module.css'

// prettier-ignore
/** The line icons of sprite.svg, without their prefix `i-`. */
export type IconName =
  | 'alert' | 'archive' | 'arrow-down' | 'arrow-left' | 'arrow-right' | 'arrow-up' | 'ban' | 'bell' | 'bucket' | 'calendar' | 'camera' | 'check' | 'clock'
  | 'command' | 'copy' | 'cut' | 'directory' | 'down' | 'download' | 'drag' | 'drive' | 'edit' | 'error' | 'expand' | 'external' | 'eye'
  | 'eye-off' | 'file' | 'file-plus' | 'filter' | 'folder' | 'folder-move' | 'folder-plus' | 'gallery' | 'globe' | 'grid'
  | 'hash' | 'help' | 'home' | 'info' | 'jobs' | 'key' | 'laptop' | 'left' | 'link' | 'list' | 'lock' | 'logo' | 'logout'
  | 'menu' | 'minus' | 'moon' | 'more' | 'moveud' | 'offline' | 'ok' | 'palette' | 'panel' | 'passkey' | 'paste' | 'pause' | 'phone'
  | 'pin' | 'play' | 'plus' | 'print' | 'qr' | 'rename' | 'retry' | 'right' | 'rotate' | 'save' | 'search' | 'select' | 'share'
  | 'shield' | 'sidebar' | 'sliders' | 'sort' | 'split' | 'sso' | 'star' | 'star-on' | 'sun' | 'terminal' | 'trash' | 'undo'
  | 'unlink' | 'up' | 'updown' | 'upload' | 'usb' | 'user' | 'user-plus' | 'users' | 'wrap' | 'x' | 'zoom-in' | 'zoom-out'

// prettier-ignore
/** The glyphs of file types in sprite.svg, without their prefix `ft-`. */
export type FileGlyphName =
  | 'folder' | 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'code' | 'table' | 'archive' | 'other' | 'broken'

interface IconProps {
  name: IconName
  /** Size in pixels, 18 by default. The stroke is 1.5 px at every size. */
  size?: 14 | 16 | 18 | 20 | 24 | 28 | 40 | 56 | undefined
  /** Mirrors the icon in right-to-left pages, for arrows and the like. */
  flip?: boolean | undefined
  className?: string | undefined
}

/** Decorative: a text next to it or the button's label names it. */
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

interface LogoProps {
  /** URL of the custom logo, if there is one. */
  picture: string | undefined
  size: 24 | 56
}

/** The logo of this installation. Decorative: the name is next to it. */
export function Logo({ picture, size }: LogoProps) {
  if (picture === undefined) return <Icon name="logo" size={size} />
  return <img className={styles['logo']} src={picture} height={size} alt="" />
}
