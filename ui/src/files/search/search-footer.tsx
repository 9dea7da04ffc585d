import { type Translate, useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import type { FoundAction } from './use-found-actions.ts'
import type { SearchState } from './search-run.ts'

interface SearchFooterProps {
  readonly state: SearchState
  readonly hasQuery: boolean
  /** How many hits are selected. */
  readonly selected: number
  /** The most frequent actions; the menu has the others. */
  readonly actions: readonly FoundAction[]
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void
  readonly onRetry: () => void
}

/** The progress of the search, and the keys of the list or the actions on selected hits. */
export function SearchFooter({ state, hasQuery, selected, actions, onMenu, onRetry }: SearchFooterProps) {
  const t = useText()
  const keys = [
    ['↑+↓', t('palette.move')],
    ['Enter', t('search.keyOpen')],
    ['Esc', t('search.keyClose')],
  ] as const
  return (
    <>
      {state.status === 'running' && <Spinner size={16} />}
      <span className="num clip">
        {selected > 0 ? t('files.selected', { count: selected }) : hasQuery ? statusText(t, state) : t('search.hint')}
      </span>
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
      {selected > 0 && (
        <IconButton
          icon="more"
          size="small"
          label={t('search.actions')}
          onClick={({ currentTarget }) => {
            const { left: x, top: y } = currentTarget.getBoundingClientRect()
            onMenu({ x, y })
          }}
        />
      )}
      {selected === 0 &&
        keys.map(([key, label]) => (
          <span key={key} className="only-wide">
            <Keys keys={key} />
            {label}
          </span>
        ))}
    </>
  )
}

/** How far the search is, and which places it has left out. */
export function statusText(t: Translate, state: SearchState): string {
  return [countText(t, state), ...state.away.map((name) => t('errors.away', { name }))].join(' · ')
}

function countText(t: Translate, { status, hits, cut }: SearchState): string {
  const count = hits.length
  if (cut) return t('search.cut', { count })
  if (status === 'running') return t('search.running', { count })
  if (status === 'stopped') return t('search.stopped', { count })
  return status === 'failed' ? t('search.failed') : t('search.count', { count })
}
