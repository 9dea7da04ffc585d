import { useState } from 'react'
import { useText, useTextPart } from '../../../../i18n/use-text.tsx'
import { Dialog } from '../../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../../kit/dialog/prompt-stack.tsx'
import type { Target } from '../../model.ts'
import { Details } from './details.tsx'

/** The details of a selection in a dialog. */
export function DetailsPrompt({ target, close }: { readonly target: Target } & PromptProps<never>) {
  useTextPart('shares')
  useTextPart('tools')
  const t = useText()
  const [items] = useState(() => target.items())
  return (
    <Dialog title={t('details.title')} onClose={() => close()}>
      <Details folder={target.folder} items={items} />
    </Dialog>
  )
}
