import { getAllSettings, updateAllSettings } from '../../../../../src/api/settings.ts'
import type { OpenSettings } from '../../../../../src/domain/settings.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useForm, type Form } from '../../forms/use-form.ts'
import { SETTINGS_FIELDS } from './form-sections.ts'

const SETTINGS_QUERY = ['settings', 'all']

export type SettingsForm = Form<OpenSettings>

/** The settings that act at once, as one whole with one version. */
export function useSettingsForm(): SettingsForm {
  const client = useClient()
  const toasts = useToasts()
  const t = useText()
  return useForm<OpenSettings>({
    queryKey: SETTINGS_QUERY,
    fields: SETTINGS_FIELDS,
    load: async (signal) => await client.versioned(getAllSettings, { signal }),
    async save(value, etag) {
      await client.call(updateAllSettings, { body: value, headers: ifMatch(etag) })
      return true
    },
    onSaved: () => toasts.success(t('global.saved')),
  })
}

/** A header that lets the server refuse to overwrite another change. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'If-Match': etag }
}
