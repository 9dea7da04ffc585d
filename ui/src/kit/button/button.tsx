import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './button.module.css'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Spinner } from '../feedback/progress.tsx'
import { useNavigation, appHref, useNavigateTo } from '../../lib/navigation/navigation.tsx'

interface ButtonStyle {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet' | undefined
  /** 32 px; small 28, large 44. All are 44 on touch. */
  size?: 'small' | 'medium' | 'large' | undefined
  block?: boolean | undefined
}

interface ButtonProps extends ButtonStyle, ComponentProps<'button'> {
  icon?: IconName | undefined
  /** Mirrors the icon in right-to-left pages, for arrows and the like. */
  flipIcon?: boolean | undefined
  /** The icon becomes a spinner, then a tick. A busy button keeps the focus and ignores clicks. */
  progress?: 'idle' | 'busy' | 'done' | undefined
}

/** The class of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'medium', block }: ButtonStyle = {}): string {
  return classNames(styles['button'], styles[variant], styles[size], block && styles['block'])
}

export function Button(props: ButtonProps) {
  const { variant, size, block, icon, flipIcon, progress = 'idle', className, children, onClick, ...rest } = props
  const busy = progress === 'busy'
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass({ variant, size, block }), className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={handleClick}
    >
      <ButtonIcon name={icon} flip={flipIcon} progress={progress} />
      {children}
    </button>
  )
}

interface ButtonIconProps {
  name: IconName | undefined
  flip: boolean | undefined
  progress: 'idle' | 'busy' | 'done'
}

function ButtonIcon({ name, flip, progress }: ButtonIconProps) {
  if (progress === 'busy') return <Spinner size={16} />
  if (progress === 'done') return <Icon name="check" size={16} />
  return name === undefined ? null : <Icon name={name} flip={flip} size={16} />
}

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
      className={classNames(styles['icon-button'], styles[`icon-${size}`], className)}
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

interface AppLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path in the app, percent-encoded, such as `filesHref('/a b/')`. */
  to: string
  replace?: boolean | undefined
}

/** A link inside the app. Modified clicks (new tab, download) are left to the browser. */
export function AppLink({ to, replace, onClick, ...rest }: AppLinkProps) {
  const { base } = useNavigation()
  const navigateTo = useNavigateTo()
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || modified || rest.target === '_blank') return
    event.preventDefault()
    navigateTo(to, { replace: replace ?? false })
  }
  return <a {...rest} href={appHref(base, to)} onClick={handleClick} />
}
