import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../../api/session-context.tsx'
import type { SessionUser } from '../../../api/token.ts'
import { useSaveOwn } from '../../../api/use-save-own.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'

type Preferences = Pick<
  SessionUser,
  'locale' | 'singleClick' | 'redirectAfterCopyMove' | 'hideDotfiles' | 'dateFormat' | 'aceEditorTheme'
>

export interface PreferenceStore {
  readonly values: Preferences
  /** Shown at once, saved behind it, taken back with a message when it cannot be saved. */
  set(change: Partial<Preferences>): void
}

const NOTHING: Preferences = {
  locale: '',
  singleClick: false,
  redirectAfterCopyMove: false,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

export function usePreferences(): PreferenceStore {
  const t = useText()
  const user = useUser()
  const saveOwn = useSaveOwn()
  const toasts = useToasts()
  const [wanted, setWanted] = useState<Partial<Preferences>>({})
  const { mutate } = useMutation({
    // One after the other, or an earlier one could come last.
    scope: { id: 'preferences' },
    mutationFn: saveOwn,
    onSuccess: () => toasts.success(t('profile.saved')),
    onError: () => toasts.error(t('profile.notSaved')),
    onSettled: (_, _error, change) =>
      setWanted((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !(key in change)))),
  })
  return {
    values: { ...NOTHING, ...user, ...wanted },
    set(change) {
      setWanted((before) => ({ ...before, ...change }))
      mutate(change)
    },
  }
}
