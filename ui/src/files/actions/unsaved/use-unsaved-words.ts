import { useText } from '../../../i18n/use-text.tsx'
import type { UnsavedWords } from './unsaved-prompt.tsx'

/** What is asked before somebody leaves a form that is not saved. */
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
