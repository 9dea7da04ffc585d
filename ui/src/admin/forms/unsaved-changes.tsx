import { type UnsavedTexts, useLeaveGuard } from '../../common/leave-guard.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { SaveBar } from '../../kit/page/settings.tsx'

interface UnsavedChangesProps {
  /** Number of unsaved fields. */
  readonly count: number
  readonly busy?: boolean | undefined
  /** Resolves to whether the form was saved. Reports failures itself. */
  readonly onSave: () => Promise<boolean>
  readonly onDiscard: () => void
}

/**
 * Place it at the end of a `Page` with a form. While there are unsaved changes, it shows their number at the bottom of
 * the screen, and asks before the user leaves.
 */
export function UnsavedChanges({ count, busy, onSave, onDiscard }: UnsavedChangesProps) {
  const t = useText()
  const texts = useUnsavedTexts()
  useLeaveGuard({ dirty: count > 0, texts, save: onSave, onDiscard })
  if (count === 0) return null
  return (
    <SaveBar
      label={t('settings.unsaved')}
      discardLabel={texts.discard}
      onDiscard={onDiscard}
      saveLabel={texts.save}
      onSave={() => void onSave()}
      busy={busy}
    >
      {t('settings.unsavedCount', { count })}
    </SaveBar>
  )
}

/** Texts of the prompt shown before leaving an unsaved form. */
export function useUnsavedTexts(): UnsavedTexts {
  const t = useText()
  return {
    title: t('settings.unsavedTitle'),
    text: t('settings.unsavedText'),
    cancel: t('files.cancel'),
    discard: t('settings.discard'),
    save: t('settings.save'),
  }
}
