import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import type { IconName } from './icon-names.ts'
import { Keys } from './keys.tsx'
import { useKitText } from './kit-text.tsx'
import styles from './toast-card.module.css'
import type { Toast } from './toast.tsx'

const ICONS: Record<Toast['tone'], IconName> = { success: 'ok', error: 'error', info: 'info' }

interface ToastCardProps {
  toast: Toast
  onDismiss: () => void
}

export function ToastCard({ toast, onDismiss }: ToastCardProps) {
  const text = useKitText()
  const { action } = toast
  return (
    <div className={styles['toast']} role={toast.tone === 'error' ? 'alert' : 'status'}>
      <Icon name={toast.icon ?? ICONS[toast.tone]} />
      <span className={styles['text']}>{toast.text}</span>
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
