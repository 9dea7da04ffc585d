import type { PlacedRule } from '../../../../src/domain/rule-check.ts'
import { type MessageId, RichText, useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import { PERMISSION_TEXTS } from '../permissions/permission-texts.ts'
import { ruleFieldId } from './rule-field-id.ts'
import { textOf } from './rule-list.ts'
import { refuses, type TraceStep } from './why-trace.ts'
import styles from './why.module.css'
interface WhyStepProps {
  readonly step: TraceStep
  /** The list that is edited on this page, and where its fields are: rules of it are shown there. */
  readonly here: { readonly list: PlacedRule['list']; readonly id: string }
}

const STATES: Readonly<Record<'given' | 'missing' | 'read-only', MessageId>> = {
  given: 'why.given',
  missing: 'why.missing',
  'read-only': 'why.readOnly',
}

/** One line of the way to the answer; what decides it stands out. */
export function WhyStep({ step, here }: WhyStepProps) {
  const against = refuses(step)
  const passed = step.kind === 'no-rule' || (step.kind === 'rule' && !step.decides)
  return (
    <li className={classNames(styles['step'], against && styles['against'], passed && styles['passed'])}>
      <Icon name={step.kind === 'no-rule' ? 'minus' : iconOf(step, against)} size={20} />
      <span className={styles['what']}>
        <What step={step} here={here} />
      </span>
      <span>
        <Outcome step={step} />
      </span>
    </li>
  )
}

function iconOf(step: TraceStep, against: boolean): 'ok' | 'ban' {
  const denies = step.kind === 'rule' ? !step.placed.rule.allow : against
  return denies ? 'ban' : 'ok'
}

function What({ step, here }: WhyStepProps) {
  const t = useText()
  switch (step.kind) {
    case 'permission': {
      const text = PERMISSION_TEXTS[step.name as keyof typeof PERMISSION_TEXTS] as { label: MessageId } | undefined
      return t('why.permission', { permission: text === undefined ? step.name : t(text.label) })
    }
    case 'scope':
      return step.message === undefined ? t('why.scope') : t('why.scopeClosed')
    case 'rule':
      return <RuleName placed={step.placed} here={here} />
    case 'no-rule':
      return t('why.noRule')
    case 'inner':
      return (
        <>
          <RichText
            id="why.inner"
            values={{ path: step.path }}
            elements={[<bdi key="0" dir="ltr" className="mono" />]}
          />{' '}
          <RuleName placed={step.placed} here={here} />
        </>
      )
    case 'dotfile':
      return t('why.dotfile')
    case 'root':
      return t('why.root')
    case 'disk':
      return step.message
  }
}

function Outcome({ step }: { readonly step: TraceStep }) {
  const t = useText()
  if (step.kind === 'permission') return t(STATES[step.state])
  if (step.kind === 'rule') return t(step.decides ? 'why.decides' : 'why.overruled')
  return null
}

const NAMES: Readonly<Record<PlacedRule['list'], MessageId>> = {
  global: 'why.globalRule',
  user: 'why.userRule',
  'built-in': 'why.builtInRule',
}

/** The name of a rule, as a way to it. */
function RuleName({ placed: { list, index, rule }, here }: { placed: PlacedRule; here: WhyStepProps['here'] }) {
  const t = useText()
  const effect = rule.allow ? 'allow' : 'deny'
  const name = t(NAMES[list], { number: index + 1, effect })
  const pattern = (
    <bdi dir="ltr" className="mono">
      {textOf(rule)}
    </bdi>
  )
  if (list === here.list) {
    const show = (): void => document.getElementById(ruleFieldId(here.id, index))?.focus()
    return (
      <>
        <button type="button" className="link touch" onClick={show}>
          {name}
        </button>{' '}
        {pattern}
      </>
    )
  }
  return (
    <>
      {list === 'global' ? (
        <AppLink className="link touch" to="/settings/global/rules">
          {name}
        </AppLink>
      ) : (
        name
      )}{' '}
      {pattern}
    </>
  )
}
