import { type ReactNode, useMemo, useState } from 'react'
import type { Supposed } from '../../../../src/domain/access/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/access/rule-check.ts'
import type { PermissionRule, Rule, PreviewOfRules } from '../../../../src/domain/access/rule.ts'
import { ApiError } from '../../api/api-error.ts'
import { useText } from '../../i18n/use-text.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import { ruleIndexOf } from './rule-list.ts'
import { PermissionRules } from './permission-rules.tsx'
import { RulesEditor } from './rules-editor.tsx'
import { useWhy } from './use-why.ts'
import { WhyCard } from './why-card.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewRules } from '../../../../src/api/access/rules.ts'
import { useClient } from '../../api/client.ts'
import { useSettled } from '../../lib/hooks.ts'
import styles from './rules.module.css'

interface RulesSectionProps {
  /** The global rules, or those of one user or group. */
  readonly list: Exclude<PlacedRule['list'], 'built-in'>
  /** The name of the group. */
  readonly group?: string | undefined
  readonly hint: ReactNode
  readonly rules: readonly Rule[]
  readonly onChange: (rules: readonly Rule[]) => void
  readonly permissionRules: readonly PermissionRule[]
  readonly onPermissions: (rules: readonly PermissionRule[]) => void
  /** The error of the last attempt to save. */
  readonly error?: ApiError | undefined
  /** Undefined: no preview of what the rules would hide. */
  readonly preview?: PreviewOf | undefined
  /** Undefined for a new account, whose access cannot be checked yet. */
  readonly why?: WhyTarget | undefined
}

interface WhyTarget {
  /** Username or "id:7", and the display name; or the users to choose from. */
  readonly user?: string | undefined
  readonly name?: string | undefined
  readonly users?: readonly { readonly value: string; readonly label: string }[] | undefined
  /** All unsaved changes; undefined if there are none. */
  readonly supposed: Supposed | undefined
}

/** The rules, a preview of what they would hide, and a check of who can do what. */
export function RulesSection(props: RulesSectionProps) {
  const { list, group, hint, rules, onChange, permissionRules, onPermissions, error, preview, why } = props
  const t = useText()
  const id = `rules-of-${list}`
  const [touched, setTouched] = useState(false)
  const previewed = useRulesPreview(rules, touched ? preview : undefined)
  const check = useWhy({
    user: why === undefined ? undefined : (why.user ?? why.users?.[0]?.value),
    supposed: why?.supposed,
  })
  const errors = useMemo(() => {
    const [before, shown] = [preview?.before.length ?? 0, previewed.error]
    const found = shown instanceof ApiError ? rowProblem(shown, before) : undefined
    const saved = error === undefined ? undefined : rowProblem(error, 0)
    return new Map([saved, found].filter((entry) => entry !== undefined))
  }, [error, previewed.error, preview])
  const wrong = ruleIndexOf(error?.field, 'permissionRules')
  const deciding = check.answer?.rule
  return (
    <>
      <SettingCard title={t('rules.title')} hint={hint}>
        <RulesEditor
          label={t('rules.title')}
          id={id}
          rules={rules}
          onChange={(next) => {
            setTouched(true)
            onChange(next)
          }}
          errors={errors}
          isSorted={list === 'group'}
          deciding={
            deciding?.list === list && deciding.group === group && deciding.place === undefined
              ? deciding.index
              : undefined
          }
        />
        {touched && preview && rules.length > 0 && <RulesPreview {...previewed} />}
      </SettingCard>
      <SettingCard title={t('fields.permissionRules')} hint={t('rules.permissionsText')}>
        <PermissionRules
          id={id}
          rules={permissionRules}
          before={rules.length}
          onChange={onPermissions}
          errors={new Map(wrong === undefined || error === undefined ? [] : [[wrong, refusalOf(error)]])}
        />
      </SettingCard>
      {why && <WhyCard state={check} name={why.name ?? ''} users={why.users} here={{ list, group, id }} />}
    </>
  )
}

function rowProblem(error: ApiError, before: number): readonly [number, ReactNode] | undefined {
  const index = ruleIndexOf(error.field)
  return index === undefined || index < before ? undefined : [index - before, refusalOf(error)]
}

/** The user whose files are searched, and the rules that apply before these. */
interface PreviewOf {
  /** Username or "id:7"; undefined for the administrator's own files. */
  readonly user?: string | undefined
  readonly before: readonly Rule[]
}

/** Milliseconds without typing before the preview is requested. */
const PAUSE = 500

interface RulesPreviewState {
  readonly found: PreviewOfRules | undefined
  readonly busy: boolean
  readonly error: Error | null
}

/** What the rules would hide, and which of them are invalid. A newer request cancels the running one. */
function useRulesPreview(rules: readonly Rule[], of: PreviewOf | undefined): RulesPreviewState {
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

/** Summary and names of the hidden entries. */
function RulesPreview({ found, busy, error }: RulesPreviewState) {
  const t = useText()
  if (error !== null) {
    // Errors about a single rule are shown next to that rule.
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
            {rest > 0 && paths.length >= MAX_NAMED && <li>{t('rules.andInside', { count: rest })}</li>}
          </ul>
        </details>
      )}
    </div>
  )
}

/** The server lists at most this many names. */
const MAX_NAMED = 100
