import { useId } from 'react'
import { useCopy } from '../../../files/share/share-links.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import styles from './providers.module.css'

interface CopiedAddressProps {
  readonly label: string
  /** What to say once it was copied. */
  readonly copied: string
  readonly text: string
}

/** An address to be entered elsewhere. */
export function CopiedAddress({ label, copied, text }: CopiedAddressProps) {
  const t = useText()
  const copy = useCopy()
  const id = useId()
  return (
    <div className={styles['address']} role="group" aria-labelledby={id}>
      <span id={id} className={styles['label']}>
        {label}
      </span>
      <div className={styles['box']}>
        <bdi dir="ltr" className={styles['url']}>
          {text}
        </bdi>
        <IconButton
          icon="copy"
          size="small"
          label={`${t('actions.copy')}: ${label}`}
          onClick={() => void copy({ text, success: copied })}
        />
      </div>
    </div>
  )
}
