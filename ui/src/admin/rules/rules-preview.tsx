import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewRules } from '../../../../src/api/rules.ts'
import type { PreviewOfRules, Rule } from '../../../../src/domain/rule.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useSettled } from '../../lib/use-settled.ts'
import styles from './rules.module.css'

/** Whose files are looked through, and the rules that count before. */
export interface PreviewOf {
  /** User name or "id:7"; the own files without it. */
  readonly user?: string | undefined
  readonly before: readonly Rule[]
}

/** Milliseconds without a key after which the server looks. */
const PAUSE = 500

export interface RulesPreviewState {
  readonly found: PreviewOfRules | undefined
  readonly busy: boolean
  readonly error: Error | null
}

/** What the rules would hide, and which of them cannot be used. A newer question ends the one under way. */
export function useRulesPreview(rules: readonly Rule[], of: PreviewOf | undefined): RulesPreviewState {
  const client = useClient()
  const question = useMemo(
    () => JSON.stringify({ rules: [...(of?.before ?? []), ...rules], user: of?.user }),
    [rules, of],
  )
  const settled = useSettled(question, PAUSE)
  const { data, isFetching, error } = useQuery({
    queryKey: ['rules-preview', settled],
    queryFn: ({ signal }) => client.call(previewRules, { body: JSON.parse(settled) as { rules: Rule[] }, signal }),
    enabled: of !== undefined && rules.length > 0,
    placeholderData: keepPreviousData,
    throwOnError: false,
    staleTime: 10_000,
    gcTime: 0,
  })
  const current = question === settled
  return { found: error === null ? data : undefined, busy: isFetching || !current, error: current ? error : null }
}

/** What is hidden, in a sentence and by name. */
export function RulesPreview({ found, busy, error }: RulesPreviewState) {
  const t = useText()
  if (error !== null) {
    // What is wrong with a rule stands beside it.
    if (error instanceof ApiError && error.field !== undefined) return null
    return <p className={styles['preview']}>{t('rules.previewFailed')}</p>
  }
  if (found === undefined) return busy ? <p className={styles['preview']}>{t('rules.previewBusy')}</p> : null
  const { paths, count, looked, complete } = found
  const rest = count - paths.length
  return (
    <div className={styles['preview']} role="status" aria-busy={busy}>
      <p>
        {t('rules.hides', { count, looked })} {!complete && t('rules.hidesMore')}
      </p>
      {count > 0 && (
        <details>
          <summary>{t('rules.hiddenPaths')}</summary>
          <ul tabIndex={0} aria-label={t('rules.hiddenPaths')}>
            {paths.map((path) => (
              <li key={path}>
                <bdi dir="ltr" className="mono">
                  {path}
                </bdi>
              </li>
            ))}
            {rest > 0 && paths.length >= MOST_NAMED && <li>{t('rules.andInside', { count: rest })}</li>}
          </ul>
        </details>
      )}
    </div>
  )
}

/** The server names no more than these. */
const MOST_NAMED = 100
