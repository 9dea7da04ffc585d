import { useEffect, useState } from 'react'
import type { ShareHash } from '../../../../src/domain/ids.ts'
import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useText } from '../../i18n/use-text.tsx'
import { ShareCard } from './share-card.tsx'
import styles from './shares.module.css'
import type { MadeShare } from './use-new-share.ts'
import { useNow } from './use-now.ts'
import { useShareActions } from './use-share-actions.ts'

interface ShareListProps {
  /** Permanent ones first, then by their end. */
  readonly shares: readonly ShareDetails[]
  readonly made: MadeShare | undefined
}

/** Every link of a thing, ready to be given away. */
export function ShareList({ shares, made }: ShareListProps) {
  const t = useText()
  const actions = useShareActions()
  const now = useNow()
  const [copied, setCopied] = useCopied(made)
  const main = shares.find(({ hash }) => hash === made?.hash) ?? shares[0]
  return (
    <ul className={styles['cards']} aria-label={t('shares.title')}>
      {shares.map((share) => {
        const own = share.hash === made?.hash ? made : undefined
        return (
          <ShareCard
            key={share.hash}
            share={share}
            now={now}
            actions={actions}
            isMain={share === main}
            copied={share.hash === copied}
            onCopied={() => setCopied(share.hash)}
            newPassword={own?.password || undefined}
          />
        )
      })}
    </ul>
  )
}

/** Milliseconds. */
const COPIED_FOR = 5000

/** The link that was copied last, for a moment: when it was made, or by its button. */
function useCopied(made: MadeShare | undefined) {
  const [known, setKnown] = useState<MadeShare>()
  const [copied, setCopied] = useState<ShareHash>()
  if (made !== known) {
    setKnown(made)
    setCopied(made?.copied === true ? made.hash : undefined)
  }
  useEffect(() => {
    const timer = setTimeout(() => setCopied(undefined), COPIED_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, setCopied] as const
}
