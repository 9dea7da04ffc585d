import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import type { SearchRequest } from './search-request.ts'
import type { SearchState } from './search-run.ts'
import type { ChangeRequest } from './use-search-address.ts'
import styles from './search.module.css'

interface NoHitsProps {
  readonly state: SearchState
  readonly request: SearchRequest
  /** The open folder is everything. */
  readonly atRoot: boolean
  readonly onChange: (change: ChangeRequest) => void
}

/** Nothing yet, or nothing at all: then what else could be tried. */
export function NoHits({ state, request, atRoot, onChange }: NoHitsProps) {
  const t = useText()
  if (state.status === 'running') return <div className={styles['blank']} />
  if (state.status === 'failed') return <EmptyState art={<Icon name="error" size={40} />} title={t('search.failed')} />
  return (
    <EmptyState
      art={<Icon name="search" size={40} />}
      title={t('search.none')}
      actions={
        <>
          {!request.everywhere && !atRoot && (
            <Button onClick={() => onChange((now) => ({ ...now, everywhere: true }))}>
              {t('search.tryEverywhere')}
            </Button>
          )}
          {state.hits.length > 0 && (
            <Button onClick={() => onChange((now) => ({ ...now, time: undefined, size: undefined }))}>
              {t('search.tryUnfiltered')}
            </Button>
          )}
          {request.types.length > 0 && (
            <Button onClick={() => onChange((now) => ({ ...now, types: [] }))}>{t('search.tryAllTypes')}</Button>
          )}
        </>
      }
    >
      {state.hits.length > 0 ? t('search.filteredOut', { count: state.hits.length }) : t('search.noneText')}
    </EmptyState>
  )
}
