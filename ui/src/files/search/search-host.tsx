import { useMemo, useState } from 'react'
import { hasPlaces } from '../../api/places.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Keys, useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { platformKeys } from '../../lib/shortcut-keys.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import { TypingAhead, typeAhead } from '../../kit/dialog/typing-ahead.tsx'
import type { SearchOverlayProps } from './search-overlay.tsx'
import type { SearchMemory } from './searches.ts'
import { useSearchAddress } from './use-search-address.ts'
import styles from './search-button.module.css'

const SearchOverlay = lazyComponent(async () => (await import('./search-overlay.tsx')).SearchOverlay, Ahead)

function Ahead({ ahead, address }: SearchOverlayProps) {
  return <TypingAhead ahead={ahead} label={useText()('search.field')} icon="search" wide onClose={address.close} />
}

/** The search button in the header of file screens, and the search while the address has one. */
export function SearchHost() {
  const t = useText()
  const address = useSearchAddress()
  const path = useFilesPath()
  const [memory] = useState<SearchMemory>({})
  const { request } = address
  const isOpen = request !== undefined
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each search
  const ahead = useMemo(() => typeAhead(request?.text), [isOpen])
  const reportLoadFailure = useReportLoadFailure()
  useShortcuts(
    path === undefined
      ? []
      : [
          {
            keys: 'Ctrl+Shift+F',
            label: t('search.title'),
            group: 'move',
            icon: 'search',
            run: address.open,
            inFields: true,
          },
        ],
  )
  if (path === undefined) return null
  const label = t(path === '/' && hasPlaces() ? 'search.allPlaces' : 'search.title')
  return (
    <>
      <button
        type="button"
        className={styles['find']}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+Shift+F"
        onClick={address.open}
      >
        <Icon name="search" />
        <span className="only-wide clip">{label}</span>
        <span className="only-narrow visually-hidden">{label}</span>
        <Keys keys={platformKeys('Ctrl+Shift+F')} />
      </button>
      {request && (
        <LazyBoundary
          onError={() => {
            address.close()
            reportLoadFailure()
          }}
        >
          <SearchOverlay
            request={request}
            ahead={ahead}
            address={address}
            folder={path.slice(0, path.lastIndexOf('/') + 1)}
            memory={memory}
          />
        </LazyBoundary>
      )}
    </>
  )
}
