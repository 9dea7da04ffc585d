import { type Action, ACTION_NAMES, isMissing } from '../../../../src/domain/access/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/access/rule-check.ts'
import type { PermissionRule } from '../../../../src/domain/access/rule.ts'
import { type MessageId, useText, RichText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { CODE_INPUT } from '../../kit/fields/inputs.tsx'
import { classNames } from '../../lib/class-names.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { type PermissionState, type WhyState, traceOf, refuses, type TraceStep } from './use-why.ts'
import trace from '../trace.module.css'
import styles from './why.module.css'
import { AppLink } from '../../kit/button/button.tsx'
import { PERMISSION_TEXTS } from '../forms/permission-fields.tsx'
import { ruleFieldId, textOf } from './rule-list.ts'

interface WhyCardProps {
  readonly state: WhyState
  /** Name of the user in question. */
  readonly name: string
  /** Users to choose from, if the page is not about one user. */
  readonly users?: readonly { readonly value: string; readonly label: string }[] | undefined
  readonly here: RulesHere
}

/** The list being edited on this page and the prefix of its field ids. Its rules become links. */
export interface RulesHere {
  readonly list: PlacedRule['list']
  /** The name of the group whose rules they are. */
  readonly group?: string | undefined
  readonly id: string
}

const ACTION_TEXTS: Readonly<Record<Action, MessageId>> = {
  list: 'why.list',
  search: 'why.search',
  read: 'why.read',
  download: 'why.download',
  checksum: 'why.checksum',
  create: 'why.create',
  overwrite: 'why.overwrite',
  save: 'why.save',
  copy: 'why.copy',
  rename: 'why.rename',
  delete: 'why.delete',
}

/** Checks what a user may do at a path, and shows which permission or rule decides it. */
export function WhyCard({ state, name, users, here }: WhyCardProps) {
  const t = useText()
  const { user, action, path, answer, error, busy } = state
  const isPath = path === '' || path.startsWith('/')
  return (
    <SettingCard title={t('why.title')} hint={t(users === undefined ? 'why.text' : 'why.textForAll', { name })}>
      <div>
        <div className={classNames(styles['ask'], users && styles['with-user'])}>
          {users && (
            <Select
              label={t('why.user')}
              options={users}
              value={user ?? ''}
              onChange={(chosen) => state.choose(chosen)}
            />
          )}
          <Select
            label={t('why.action')}
            options={ACTION_NAMES.map((value) => ({ value, label: t(ACTION_TEXTS[value]) }))}
            value={action}
            onChange={(chosen) => state.ask(chosen, path)}
          />
          <TextField
            label={<span className="visually-hidden">{t('shell.path')}</span>}
            icon="folder"
            placeholder="/"
            {...CODE_INPUT}
            value={path}
            error={!isPath && t('why.noPath')}
            onChange={(event) => state.ask(action, event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
        </div>
        {error && (
          <p className={styles['problem']} role="alert">
            {problemText(t, problemOf(error))}
          </p>
        )}
        {answer && (
          <div className={styles['answer']} role="status" aria-busy={busy}>
            <div className={classNames(trace['verdict'], !answer.allowed && trace['no'], busy && styles['busy'])}>
              <Icon name={answer.allowed ? 'ok' : 'ban'} size={24} />
              <p className="strong">{t(answer.allowed ? 'why.yes' : 'why.no', { name: answer.user })}</p>
            </div>
            <ol className={trace['trace']} aria-label={t('why.trace')}>
              {traceOf(answer).map((step, index) => (
                <WhyStep key={index} step={step} here={here} />
              ))}
            </ol>
            {isMissing(answer) && <p className={styles['partly']}>{t('why.nothingThere')}</p>}
            {!answer.complete && <p className={styles['partly']}>{t('why.partly')}</p>}
          </div>
        )}
      </div>
    </SettingCard>
  )
}

interface WhyStepProps {
  readonly step: TraceStep
  readonly here: RulesHere
}

const STATES: Readonly<Record<PermissionState, MessageId>> = {
  given: 'why.granted',
  missing: 'why.missing',
  denied: 'why.denied',
  'read-only': 'why.readOnly',
}

/** One line of the explanation; the deciding one stands out. */
function WhyStep({ step, here }: WhyStepProps) {
  const against = refuses(step)
  const passed = step.kind === 'no-rule' || (step.kind === 'rule' && !step.decides)
  return (
    <li className={classNames(trace['step'], against && trace['against'], passed && trace['passed'])}>
      <Icon name={step.kind === 'no-rule' ? 'minus' : iconOf(step, against)} size={20} />
      <span className={trace['what']}>
        <StepText step={step} here={here} />
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

function StepText({ step, here }: WhyStepProps) {
  const t = useText()
  switch (step.kind) {
    case 'permission':
      return (
        <>
          <PermissionName name={step.name} /> {step.placed && <PermissionRuleName placed={step.placed} here={here} />}
        </>
      )
    case 'inner-permission':
      return (
        <>
          <RichText
            id="why.inner"
            values={{ path: step.path }}
            elements={[<bdi key="0" dir="ltr" className="mono" />]}
          />{' '}
          <PermissionName name={step.name} /> <PermissionRuleName placed={step.placed} here={here} />
        </>
      )
    case 'scope':
      return step.message === undefined ? t('why.scope') : t('why.scopeClosed')
    case 'place':
      return (
        <>
          {t('fields.root')} <bdi className="strong">{step.place.root}</bdi>
          {step.place.name !== step.place.root && (
            <span className="subtle">
              {' '}
              <bdi>{step.place.name}</bdi>
            </span>
          )}
        </>
      )
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
  if (step.kind === 'permission')
    return step.by.length > 0 ? t('why.grantedBy', { group: step.by.join(', ') }) : t(STATES[step.state])
  if (step.kind === 'place') return step.place.groups && t('why.grantedBy', { group: step.place.groups.join(', ') })
  if (step.kind === 'rule') return t(step.decides ? 'why.decides' : 'why.overruled')
  return null
}

const NAMES: Readonly<Record<PlacedRule['list'], MessageId>> = {
  global: 'why.globalRule',
  group: 'why.groupRule',
  user: 'why.userRule',
  'built-in': 'why.builtInRule',
}

function PermissionName({ name }: { readonly name: string }) {
  const t = useText()
  const text = PERMISSION_TEXTS[name as keyof typeof PERMISSION_TEXTS] as { label: MessageId } | undefined
  return t('why.permission', { permission: text === undefined ? name : t(text.label) })
}

function PermissionRuleName({ placed, here }: PermissionRuleNameProps) {
  const t = useText()
  const { list, group = '', place, index, rule } = placed
  const name = t('why.permissionRule', { list, number: index + 1, group })
  return (
    <span className="subtle">
      {isHere(placed, here) ? <RuleButton name={name} here={here} index={index} /> : name} <bdi>{place}</bdi>{' '}
      <bdi dir="ltr" className="mono">
        {textOf(rule)}
      </bdi>
    </span>
  )
}

interface PermissionRuleNameProps {
  readonly placed: PlacedRule<PermissionRule>
  readonly here: RulesHere
}

/** Shows a rule of this page. */
function RuleButton({ name, here, index }: { name: string; here: RulesHere; index: number }) {
  const show = (): void => document.getElementById(ruleFieldId(here.id, index))?.focus()
  return (
    <button type="button" className="link touch" onClick={show}>
      {name}
    </button>
  )
}

/** Whether the rule is in the list of this page: those of places are in their forms. */
function isHere({ list, group = '', place }: PlacedRule<PermissionRule> | PlacedRule, here: RulesHere): boolean {
  return place === undefined && list === here.list && group === (here.group ?? '')
}

/** A rule's name, as a link if the rule is on this page. */
function RuleName({ placed, here }: { placed: PlacedRule; here: WhyStepProps['here'] }) {
  const t = useText()
  const { list, group = '', place, index, rule } = placed
  const effect = rule.allow ? 'allow' : 'deny'
  const name = t(NAMES[list], { number: index + 1, effect, group })
  const pattern = (
    <bdi dir="ltr" className="mono">
      {textOf(rule)}
    </bdi>
  )
  if (isHere(placed, here)) {
    return (
      <>
        <RuleButton name={name} here={here} index={index} /> {pattern}
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
      <bdi>{place}</bdi> {pattern}
    </>
  )
}
