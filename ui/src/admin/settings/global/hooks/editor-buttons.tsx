import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import styles from './hooks.module.css'

/** Cancels or saves the form of an entry. */
export function EditorButtons({ busy, onCancel }: { readonly busy: boolean; readonly onCancel: () => void }) {
  const t = useText()
  return (
    <div className={styles['choices']}>
      <Button size="small" onClick={onCancel}>
        {t('files.cancel')}
      </Button>
      <Button type="submit" variant="primary" size="small" progress={busy ? 'busy' : 'idle'}>
        {t('settings.save')}
      </Button>
    </div>
  )
}
