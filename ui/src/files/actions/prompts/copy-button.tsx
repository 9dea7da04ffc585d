import { useState } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { copyText } from '../../../lib/copy-text.ts'

/** Copies a text, and shows a tick once it is copied. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const t = useText()
  const announce = useAnnounce()
  const toasts = useToasts()
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    const worked = await copyText(text)
    setCopied(worked)
    if (worked) announce(t('work.textCopied'))
    else toasts.error(t('work.textNotCopied'))
  }
  return <IconButton icon={copied ? 'check' : 'copy'} size="small" label={label} onClick={() => void copy()} />
}
