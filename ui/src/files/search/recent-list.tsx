import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import type { RecentQueries } from './recent-queries.ts'
import { queryOf, type SearchRequest } from './search-request.ts'
import styles from './search.module.css'

interface RecentListProps {
  readonly recents: RecentQueries
  readonly onChoose: (request: SearchRequest) => void
}

/** What was looked for before, and what the words of a search may say. */
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
