import type { ShareForm } from './use-share-form.ts'
import { EndingFields } from './ending-fields.tsx'
import { SharePasswordField } from './share-password-field.tsx'

interface ShareFieldsProps {
  readonly form: ShareForm
  /** The link has a password already. */
  readonly guarded?: boolean | undefined
}

/** How long a link lasts, and by which password it opens. */
export function ShareFields({ form, guarded = false }: ShareFieldsProps) {
  return (
    <>
      <EndingFields ending={form.ending} problem={form.problems.ending} onChange={form.setEnding} />
      <SharePasswordField form={form} guarded={guarded} />
    </>
  )
}
