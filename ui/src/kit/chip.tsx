import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './chip.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

interface ChipProps extends ComponentProps<'button'> {
  icon?: IconName | undefined
  /** On or off. Leave it out where the chip opens a menu. */
  pressed?: boolean | undefined
  /** Drawn as pressed without being a toggle. */
  lit?: boolean | undefined
}

/** A small choice among others in a row. */
export function Chip({ icon, pressed, lit, className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles['chip'], className)}
      aria-pressed={pressed}
      data-on={lit === true ? '' : undefined}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}
