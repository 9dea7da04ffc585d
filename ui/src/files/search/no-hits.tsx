import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { type SearchRequest, queryOf } from './search-request.ts'
import type { SearchState } from './search-run.ts'
import type { ChangeRequest } from './use-search-address.ts'
import { useState } from 'react'
import type { RecentQueries } from './searches.ts'
import styles from './search.module.css'

interface NoHitsProps {
  readonly state: SearchState
  readonly request: SearchRequest
  /** The open folder is the root, so it contains everything. */
  readonly atRoot: boolean
  readonly onChange: (change: ChangeRequest) => void
}

/** Shown without hits: blank while searching, then what else the user could try. */
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

interface RecentListProps {
  readonly recents: RecentQueries
  readonly onChoose: (request: SearchRequest) => void
}

/** Recent searches, and the syntax of the query language. */
export function RecentList({ recents, onChoose }: RecentListProps) {
  const t = useText()
  const [all, setAll] = useState(() => recents.all())
  const clear = () => {
    recents.clear()
    setAll([])
  }
  return (
    <div className={styles['start']}>
      {all.length > 0 && (
        <section>
          <h3>{t('search.recent')}</h3>
          <ul>
            {all.map((request) => (
              <li key={`${queryOf(request)} ${request.everywhere}`}>
                <button type="button" onClick={() => onChoose(request)}>
                  <Icon name="clock" size={16} />
                  <bdi className="clip">{queryOf(request)}</bdi>
                  <span className={styles['where']}>{request.everywhere ? t('search.everywhere') : ''}</span>
                </button>
              </li>
            ))}
          </ul>
          <Button variant="ghost" size="small" onClick={clear}>
            {t('search.clearRecent')}
          </Button>
        </section>
      )}
      <p>{t('search.language')}</p>
    </div>
  )
}
