import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, type SubmitEvent, useRef } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './dialog.module.css'
import { IconButton } from '../button/button.tsx'
import { useKitText } from '../contexts.ts'
import overlay from './overlay.module.css'
import { useCloseAutoFocus } from '../keyboard/focus.ts'

interface DialogProps {
  title: ReactNode
  /** 440 px; medium 520, large 680, wide 1120; corner 440, below the header. A bottom sheet on narrow screens. */
  size?: 'small' | 'medium' | 'large' | 'wide' | 'corner' | undefined
  /** For questions about irreversible actions: a click outside does not close the dialog. */
  alert?: boolean | undefined
  /** Called by Escape, the close button and a click outside. Without it, only the footer buttons close the dialog. */
  onClose?: (() => void) | undefined
  /** Makes it a form: Enter submits. Its main button needs `type="submit"`. */
  onSubmit?: (() => void) | undefined
  /** Buttons; the main one comes last. Wrap one in `<DialogLead>` to move it to the start. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A modal dialog. The focus goes to the element with `data-autofocus`, else to the first field, else to the last button
 * of the footer, and returns to where it was. Render it only from a lazy prompt, to keep it out of the first view.
 */
export function Dialog({ title, size = 'small', alert, onClose, onSubmit, footer, children }: DialogProps) {
  const text = useKitText()
  const content = useRef<HTMLDivElement>(null)
  const returnFocus = useCloseAutoFocus()
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const inside = (
    <>
      <div className={styles['body']}>{children}</div>
      {footer && <footer className={classNames(overlay['footer'], styles['footer'])}>{footer}</footer>}
    </>
  )
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose?.()}>
      <Primitive.Portal>
        <Primitive.Overlay className={classNames(overlay['scrim'], styles['scrim'])} data-size={size}>
          <Primitive.Content
            ref={content}
            className={classNames(overlay['panel'], styles['dialog'], styles[size])}
            role={alert ? 'alertdialog' : 'dialog'}
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocus}
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              focusFirst(content.current)
            }}
            onPointerDownOutside={(event) => alert && event.preventDefault()}
          >
            <header className={styles['header']}>
              <Primitive.Title className={styles['title']}>{title}</Primitive.Title>
              {onClose && <IconButton icon="x" size="small" label={text.close} onClick={onClose} />}
            </header>
            {onSubmit ? (
              <form className={styles['form']} onSubmit={handleSubmit} noValidate>
                {inside}
              </form>
            ) : (
              inside
            )}
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** A footer action at the start, apart from the others, such as "Skip all". */
export function DialogLead({ children }: { children: ReactNode }) {
  return <div className={styles['lead']}>{children}</div>
}

function focusFirst(dialog: HTMLElement | null): void {
  const target =
    dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
    dialog?.querySelector<HTMLElement>('input:enabled:not([type=hidden]), textarea:enabled, select:enabled') ??
    dialog?.querySelector<HTMLElement>('footer button:last-of-type') ??
    dialog
  target?.focus()
}
