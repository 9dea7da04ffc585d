import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { SelectionBar } from '../../kit/table/selection-bar.tsx'
import { useCopy } from '../../files/share/use-copy.ts'
import type { ShareActions } from '../../files/share/use-share-actions.ts'
import { useShareLinks } from '../../files/share/use-share-links.ts'

interface SharesToolbarProps {
  readonly shares: readonly ShareDetails[]
  readonly actions: ShareActions
  readonly onClear: () => void
}

/** What can be done with the chosen links. */
export function SharesToolbar({ shares, actions, onClear }: SharesToolbarProps) {
  const t = useText()
  const links = useShareLinks()
  const copy = useCopy()
  const count = shares.length
  const copyAll = (): void => {
    const text = shares.map((share) => links.page(share)).join('\n')
    void copy({ text, success: t('shares.copiedAll', { count }) })
  }
  return (
    <SelectionBar
      label={t('files.selectionActions')}
      count={t('files.selected', { count })}
      clearLabel={t('files.clearSelection')}
      onClear={onClear}
    >
      <Button variant="ghost" icon="copy" onClick={copyAll}>
        {t('shares.copyLinks')}
      </Button>
      <Button variant="ghost" icon="trash" onClick={() => void actions.remove(shares)}>
        {t('shares.delete', { count })}
      </Button>
    </SelectionBar>
  )
}
