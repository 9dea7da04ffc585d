import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Segmented } from '../../kit/button/toggles.tsx'
import type { SearchRequest } from './search-request.ts'
import type { ChangeRequest } from './use-search-address.ts'
import styles from './search.module.css'

interface SearchControlsProps {
  readonly request: SearchRequest
  /** The open folder is everything. */
  readonly atRoot: boolean
  readonly running: boolean
  readonly onChange: (change: ChangeRequest) => void
  readonly onStop: () => void
  readonly onClose: () => void
}

/** Where is searched, and the way to stop; behind the field. */
export function SearchControls({ request, atRoot, running, onChange, onStop, onClose }: SearchControlsProps) {
  const t = useText()
  return (
    <>
      {!atRoot && (
        <span className="only-wide">
          <Segmented
            label={t('search.where')}
            options={[
              { value: 'here', label: t('search.here') },
              { value: 'all', label: t('search.everywhere') },
            ]}
            value={request.everywhere ? 'all' : 'here'}
            onChange={(where) => onChange((now) => ({ ...now, everywhere: where === 'all' }))}
          />
        </span>
      )}
      <span className={styles['stop']}>
        {running ? (
          <Button variant="ghost" size="small" icon="x" onClick={onStop}>
            {t('search.stop')}
          </Button>
        ) : (
          <IconButton icon="x" label={t('kit.close')} onClick={onClose} />
        )}
      </span>
    </>
  )
}
