import { Suspense, useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Keys, useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { KeysComing } from '../../kit/keyboard/keys-coming.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { OverlayBoundary } from '../../kit/dialog/overlay-boundary.tsx'
import { Fill } from '../../kit/page/slot.tsx'
import { platformKeys } from '../../lib/platform-keys.ts'
import { useFilesPath } from '../../lib/use-files-path.ts'
import type { SearchMemory } from './use-search-memory.ts'
import { useSearchAddress } from './use-search-address.ts'
import styles from './search-button.module.css'

const SearchOverlay = lazyPart(async () => (await import('./search-overlay.tsx')).SearchOverlay)

interface SearchHostProps {
  /** The overlay's code could not be fetched. */
  readonly onError: () => void
}

/** The way into the search, in the header of every screen of files, and the search itself while the address has one. */
export function SearchHost({ onError }: SearchHostProps) {
  const t = useText()
  const address = useSearchAddress()
  const path = useFilesPath()
  const [kept] = useState<SearchMemory>({})
  const isOpen = address.request !== undefined
  const [opening, setOpening] = useState(false)
  useEffect(() => {
    if (isOpen) setOpening(false)
  }, [isOpen])
  const open = () => {
    setOpening(!isOpen)
    address.open()
  }
  useShortcuts(
    path === undefined
      ? []
      : [
          {
            keys: 'Ctrl+Shift+F',
            label: t('search.title'),
            group: 'move',
            icon: 'search',
            run: open,
            inFields: true,
          },
        ],
  )
  if (path === undefined) return null
  return (
    <>
      <Fill slot="find">
        <button
          type="button"
          className={styles['find']}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+Shift+F"
          onClick={open}
        >
          <Icon name="search" />
          <span className="only-wide">{t('search.title')}</span>
          <span className="only-narrow visually-hidden">{t('search.title')}</span>
          <Keys keys={platformKeys('Ctrl+Shift+F')} />
        </button>
      </Fill>
      {opening && !isOpen && <KeysComing all />}
      {address.request && (
        <OverlayBoundary
          onError={() => {
            address.close()
            onError()
          }}
        >
          <Suspense fallback={<KeysComing all />}>
            <SearchOverlay
              request={address.request}
              address={address}
              folder={path.slice(0, path.lastIndexOf('/') + 1)}
              kept={kept}
            />
          </Suspense>
        </OverlayBoundary>
      )}
    </>
  )
}
