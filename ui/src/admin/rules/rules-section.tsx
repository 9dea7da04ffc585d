import { type ReactNode, useMemo, useState } from 'react'
import type { Supposed } from '../../../../src/domain/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/rule-check.ts'
import type { Rule } from '../../../../src/domain/rule.ts'
import { ApiError } from '../../api/api-error.ts'
import { useText } from '../../i18n/use-text.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { sentence } from '../../lib/sentence.ts'
import { placeIn } from './rule-list.ts'
import { RulesEditor } from './rules-editor.tsx'
import { type PreviewOf, RulesPreview, useRulesPreview } from './rules-preview.tsx'
import { useWhy } from './use-why.ts'
import { WhyCard } from './why-card.tsx'
interface RulesSectionProps {
  /** Whose list it is: those for everybody, or those of a user. */
  readonly list: Exclude<PlacedRule['list'], 'built-in'>
  readonly hint: ReactNode
  readonly rules: readonly Rule[]
  readonly onChange: (rules: readonly Rule[]) => void
  /** What was wrong at the last try to save. */
  readonly error?: ApiError | undefined
  /** Without it nobody is asked what the rules would hide. */
  readonly preview?: PreviewOf | undefined
  /** Without it nobody can be asked about: the account is not there yet. */
  readonly why?: WhyAsked | undefined
}

export interface WhyAsked {
  /** User name or "id:7", and how he is called; or the users to choose from. */
  readonly user?: string | undefined
  readonly name?: string | undefined
  readonly users?: readonly { readonly value: string; readonly label: string }[] | undefined
  /** All that is not saved; undefined where nothing differs. */
  readonly supposed: Supposed | undefined
}

/** Rules with what they would hide, and why somebody may or may not do something. */
export function RulesSection({ list, hint, rules, onChange, error, preview, why }: RulesSectionProps) {
  const t = useText()
  const id = `rules-of-${list}`
  const [touched, setTouched] = useState(false)
  const looked = useRulesPreview(rules, touched ? preview : undefined)
  const asked = useWhy({
    user: why === undefined ? undefined : (why.user ?? why.users?.[0]?.value),
    supposed: why?.supposed,
  })
  const errors = useMemo(() => {
    const [before, shown] = [preview?.before.length ?? 0, looked.error]
    const found = shown instanceof ApiError ? rowProblem(shown, before) : undefined
    const saved = error === undefined ? undefined : rowProblem(error, 0)
    return new Map([saved, found].filter((entry) => entry !== undefined))
  }, [error, looked.error, preview])
  const deciding = asked.answer?.rule
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
          deciding={deciding?.list === list ? deciding.index : undefined}
        />
        {touched && preview && rules.length > 0 && <RulesPreview {...looked} />}
      </SettingCard>
      {why && <WhyCard state={asked} name={why.name ?? ''} users={why.users} here={{ list, id }} />}
    </>
  )
}

function rowProblem(error: ApiError, before: number): readonly [number, string] | undefined {
  const place = placeIn(error.field)
  return place === undefined || place < before ? undefined : [place - before, sentence(error.message)]
}
