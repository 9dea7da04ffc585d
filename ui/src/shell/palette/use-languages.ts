import { useSaveOwn } from '../../api/use-save-own.ts'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import type { PaletteItem } from './palette-item.ts'

/** Each language by the name that its speakers know it by. */
export function useLanguages(): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  const saveOwn = useSaveOwn()
  const toasts = useToasts()
  return Object.entries(LANGUAGE_NAMES).map(([locale, name]) => ({
    kind: 'setting',
    label: t('palette.language', { name }),
    icon: 'globe',
    run: () => void saveOwn({ locale }).catch(() => toasts.error(t('palette.notSaved'))),
  }))
}
