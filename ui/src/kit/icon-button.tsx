import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './icon-button.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import { Spinner } from './spinner.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName
  /** The accessible name, and the tooltip. */
  label: string
  flipIcon?: boolean | undefined
  size?: 'small' | 'medium' | undefined
  /** Makes it a toggle. */
  pressed?: boolean | undefined
  busy?: boolean | undefined
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, flipIcon, size = 'medium', pressed, busy, className, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles['icon-button'], styles[size], className)}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy}
      data-tooltip={label}
      onClick={busy ? undefined : onClick}
    >
      {busy ? (
        <Spinner size={size === 'small' ? 16 : 18} />
      ) : (
        <Icon name={icon} flip={flipIcon} size={size === 'small' ? 16 : 18} />
      )}
    </button>
  )
}
