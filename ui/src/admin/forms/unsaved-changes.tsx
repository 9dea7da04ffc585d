import { type UnsavedWords, useLeaveGuard } from '../../files/actions/leave-guard.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { SaveBar } from '../../kit/page/settings.tsx'

interface UnsavedChangesProps {
  /** How many fields differ from what is saved. */
  readonly count: number
  readonly busy?: boolean | undefined
  /** Resolves with whether the form is saved now; says by itself why not. */
  readonly onSave: () => Promise<boolean>
  readonly onDiscard: () => void
}

/**
 * Put it at the end of a `Page` with a form: while something is not saved, it shows how much at the lower edge of the screen,
 * and asks before leaving.
 */
export function UnsavedChanges({ count, busy, onSave, onDiscard }: UnsavedChangesProps) {
  const t = useText()
  const words = useUnsavedWords()
  useLeaveGuard({ dirty: count > 0, words, save: onSave, onDiscard })
  if (count === 0) return null
  return (
    <SaveBar
      label={t('settings.unsaved')}
      discardLabel={words.discard}
      onDiscard={onDiscard}
      saveLabel={words.save}
      onSave={() => void onSave()}
      busy={busy}
    >
      {t('settings.unsavedCount', { count })}
    </SaveBar>
  )
}

/** The texts of the question before leaving an unsaved form. */
export function useUnsavedWords(): UnsavedWords {
  const t = useText()
  return {
    title: t('settings.unsavedTitle'),
    text: t('settings.unsavedText'),
    cancel: t('settings.cancel'),
    discard: t('settings.discard'),
    save: t('settings.save'),
  }
}
