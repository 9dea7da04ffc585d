import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps, KeyboardEvent, ReactNode, Ref } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import overlay from './overlay.module.css'
import styles from './spotlight.module.css'
import { useCloseAutoFocus } from '../keyboard/focus.ts'
import type { TypedAhead } from './typing-ahead.tsx'

interface SpotlightProps {
  /** Names the dialog. */
  title: string
  icon: IconName
  /** 720 px instead of 600. Full screen on narrow screens. */
  wide?: boolean | undefined
  /** The text field. It controls the list with the id `listId`. */
  field: ComponentProps<'input'> & { 'aria-label': string; ref?: Ref<HTMLInputElement> }
  listId: string
  /** The id of the option that Enter chooses. */
  activeId: string | undefined
  /** Controls after the field. */
  end?: ReactNode
  footer?: ReactNode
  /** What was typed before this was there. */
  ahead: TypedAhead
  onClose: () => void
  /** Called for Escape if there is something else to close first. */
  onEscape?: (() => void) | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
  children: ReactNode
}

/**
 * A search field over the page with a list of results below. The focus stays in the field (combobox with a listbox).
 * Load it lazily.
 */
export function Spotlight(props: SpotlightProps) {
  const { title, icon, wide, field, listId, activeId, end, footer, ahead, onClose, onEscape, onKeyDown, children } =
    props
  const returnFocus = useCloseAutoFocus(ahead.returnTo)
  const still = ahead.isTyped ? '' : undefined
  const handleKeyDown = (event: KeyboardEvent) => {
    onKeyDown?.(event)
    // Hides the key from the shortcuts of the screen beneath.
    event.stopPropagation()
  }
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={classNames(overlay['scrim'], styles['scrim'])} data-still={still}>
          <Primitive.Content
            data-still={still}
            className={classNames(overlay['panel'], styles['spot'], wide && styles['wide'])}
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
            onEscapeKeyDown={(event) => {
              if (onEscape === undefined) return
              event.preventDefault()
              onEscape()
            }}
            onKeyDown={handleKeyDown}
          >
            <Primitive.Title className="visually-hidden">{title}</Primitive.Title>
            <div className={styles['field']}>
              <Icon name={icon} size={20} />
              <input
                autoFocus={ahead.isTyped}
                type="text"
                role="combobox"
                aria-expanded={activeId !== undefined}
                aria-controls={listId}
                aria-activedescendant={activeId}
                aria-autocomplete="list"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                {...field}
              />
              {end}
            </div>
            {children}
            {footer && <footer className={classNames(overlay['footer'], styles['footer'])}>{footer}</footer>}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
