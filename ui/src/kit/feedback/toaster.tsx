import { useEffect, useRef, type CSSProperties } from 'react'
import { Toaster as Primitive, toast as show } from 'sonner'
import 'sonner/dist/styles.css'
import { type Store, useStore } from '../../lib/create-store.ts'
import { useKitText } from '../contexts.ts'
import type { Toast } from './toast.tsx'
import { Button, IconButton } from '../button/button.tsx'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Keys } from '../keyboard/shortcuts.tsx'
import styles from './toaster.module.css'

const SUCCESS_DURATION = 4000
const MAX_TOASTS = 10
/** Toasts stay above bars at the lower edge of the window, so that they never cover their buttons. */
const EDGE = { bottom: 'calc(var(--player, 0px) + var(--toast-edge, 24px))' }

/** Replaces the library's width of 356 px: one line fits a name and an action. */
const WIDTH = { '--width': 'min(480px, calc(100vw - 32px - var(--toast-aside, 0px)))' } as CSSProperties

interface ToasterProps {
  waiting: Store<readonly Toast[]>
  direction: 'ltr' | 'rtl'
}

export function Toaster({ waiting, direction }: ToasterProps) {
  const text = useKitText()
  const toasts = useStore(waiting)
  const withKeys = useRef<ToastId>(undefined)
  useEffect(() => {
    // From the store, because React may run an effect twice.
    const unshown = waiting.get()
    if (unshown.length === 0) return
    waiting.set([])
    for (const toast of unshown) {
      const id = draw(toast)
      if (toast.action?.keys === undefined) continue
      // Its keys do what the latest toast offers.
      if (withKeys.current !== undefined) show.dismiss(withKeys.current)
      withKeys.current = id
    }
  }, [toasts, waiting])
  return (
    <Primitive
      position="bottom-center"
      dir={direction}
      visibleToasts={MAX_TOASTS}
      containerAriaLabel={text.notifications}
      expand
      gap={8}
      style={WIDTH}
      offset={EDGE}
      mobileOffset={EDGE}
    />
  )
}

type ToastId = string | number

function draw(toast: Toast): ToastId {
  const duration = toast.tone === 'error' ? Infinity : SUCCESS_DURATION
  return show.custom((id) => <ToastCard toast={toast} onDismiss={() => show.dismiss(id)} />, { duration })
}

const ICONS: Record<Toast['tone'], IconName> = { success: 'ok', error: 'error', info: 'info' }

interface ToastCardProps {
  toast: Toast
  onDismiss: () => void
}

export function ToastCard({ toast, onDismiss }: ToastCardProps) {
  const text = useKitText()
  const { action, details } = toast
  return (
    <div className={styles['toast']} role={toast.tone === 'error' ? 'alert' : 'status'}>
      <Icon name={toast.icon ?? ICONS[toast.tone]} />
      <div className={styles['text']}>
        {toast.text}
        {details && (
          <details>
            <summary>{details.label}</summary>
            {details.text}
          </details>
        )}
      </div>
      {action && (
        <Button
          variant="ghost"
          size="small"
          aria-keyshortcuts={action.keys}
          onClick={() => {
            onDismiss()
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      {action?.keys && <Keys keys={action.keys} />}
      <IconButton icon="x" size="small" label={text.dismiss} onClick={onDismiss} />
    </div>
  )
}
