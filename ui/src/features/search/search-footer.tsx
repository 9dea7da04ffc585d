import { type Translate, useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Keys } from '../../kit/keys.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import type { FoundAction } from './use-found-actions.ts'
import type { SearchState } from './search-run.ts'

interface SearchFooterProps {
  readonly state: SearchState
  readonly asked: boolean
  /** What can be done with hits that were chosen by hand. */
  readonly actions: readonly FoundAction[]
  readonly onRetry: () => void
}

/** How far the search is, and which keys help. */
export function SearchFooter({ state, asked, actions, onRetry }: SearchFooterProps) {
  const t = useText()
  const keys = [
    ['↑+↓', t('search.keyMove')],
    ['Enter', t('search.keyOpen')],
    ['Esc', t('search.keyClose')],
  ] as const
  return (
    <>
      {state.status === 'running' && <Spinner size={16} />}
      <span className="num clip">{asked ? statusText(t, state) : t('search.hint')}</span>
      {state.status === 'failed' && (
        <Button variant="ghost" size="small" icon="retry" onClick={onRetry}>
          {t('errors.retry')}
        </Button>
      )}
      <span className="grow" />
      {actions.map(({ id, label, icon, run }) => (
        <Button key={id} variant="ghost" size="small" icon={icon} onClick={run}>
          {label}
        </Button>
      ))}
      {actions.length === 0 &&
        keys.map(([key, label]) => (
          <span key={key} className="only-wide">
            <Keys keys={key} />
            {label}
          </span>
        ))}
    </>
  )
}

export function statusText(t: Translate, { status, hits, cut }: SearchState): string {
  const count = hits.length
  if (cut) return t('search.cut', { count })
  if (status === 'running') return t('search.running', { count })
  if (status === 'stopped') return t('search.stopped', { count })
  return status === 'failed' ? t('search.failed') : t('search.count', { count })
}
