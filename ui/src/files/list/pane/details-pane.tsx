import { useMemo, useState } from 'react'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useText, useTextPart } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { useStore } from '../../../lib/create-store.ts'
import { useSettled } from '../../../lib/hooks.ts'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import type { FileItem, Target } from '../../actions/model.ts'
import { Details } from '../../actions/prompts/details/details.tsx'
import styles from './details-pane.module.css'

/** Details of several selected entries, or else of the one that the user came to last, or else of the folder. */
export function DetailsPane({ onClose }: { readonly onClose: () => void }) {
  useTextPart('actions')
  useTextPart('shares')
  useTextPart('tools')
  const t = useText()
  const shown = useShown()
  return (
    <>
      <header className={styles['head']}>
        <h2>{t('details.title')}</h2>
        <IconButton icon="x" size="small" label={t('kit.close')} onClick={onClose} />
      </header>
      {shown && <Details key={shown.version} folder={shown.folder} items={shown.items} large />}
    </>
  )
}

interface Contents {
  readonly folder: VirtualPath
  readonly items: readonly FileItem[]
}

interface Shown extends Contents {
  /** Another one for other contents: what was calculated for the last ones is forgotten. */
  readonly version: number
}

/** Milliseconds. Walking through a list faster than this sends no requests. */
const PAUSE = 250

/** What the list points at. While a folder loads, what was shown last. */
function useShown(): Shown | undefined {
  const target = useSettled(useStore(useFileActions().target), PAUSE)
  const [shown, setShown] = useState<Shown>()
  const next = useMemo(() => (target === null ? undefined : contentsOf(target)), [target])
  if (next !== undefined && (shown === undefined || !isSame(next, shown))) {
    setShown({ ...next, version: (shown?.version ?? 0) + 1 })
  }
  return shown
}

function contentsOf({ folder, count, items, listed }: Target): Contents {
  return { folder, items: count < 2 && listed?.at ? [listed.at] : items() }
}

function isSame(a: Contents, b: Contents): boolean {
  if (a.folder !== b.folder || a.items.length !== b.items.length) return false
  return a.items.every(({ path, modified, size }, index) => {
    const other = b.items[index]
    return path === other?.path && modified === other.modified && size === other.size
  })
}
