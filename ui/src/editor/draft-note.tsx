import { useFormat } from '../i18n/use-format.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button, IconButton } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import styles from './editor.module.css'

interface DraftNoteProps {
  /** Milliseconds since 1970. */
  readonly keptAt: number
  /** The file is another one than the draft was made from. */
  readonly outdated: boolean
  readonly onCompare: () => void
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** Says that the text is one that was not saved the last time. */
export function DraftNote({ keptAt, outdated, onCompare, onDiscard, onClose }: DraftNoteProps) {
  const t = useText()
  const format = useFormat()
  const when = format.dateTime(new Date(keptAt))
  return (
    <div className={styles['note']} role="status">
      <Icon name="info" />
      <span className="grow">{t(outdated ? 'editor.draftOutdated' : 'editor.draftRestored', { when })}</span>
      {outdated && (
        <Button size="small" onClick={onCompare}>
          {t('editor.compare')}
        </Button>
      )}
      <Button size="small" onClick={onDiscard}>
        {t('editor.draftDiscard')}
      </Button>
      <IconButton icon="x" size="small" label={t('kit.dismiss')} onClick={onClose} />
    </div>
  )
}
