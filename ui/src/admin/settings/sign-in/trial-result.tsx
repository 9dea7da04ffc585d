import type { ProviderStep, ProviderTest } from '../../../../../src/domain/accounts/provider-view.ts'
import { formatByteSize } from '../../../../../src/domain/text/units.ts'
import { type MessageId, type Translate, useLocale, useText } from '../../../i18n/use-text.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useGroups } from '../../groups/use-groups.ts'
import trace from '../../trace.module.css'
import styles from './providers.module.css'

/** What the test of a provider has found, step by step. */
export function TrialResult({ works, steps, gives }: ProviderTest) {
  const t = useText()
  return (
    <div className={styles['result']}>
      <p className={classNames(trace['verdict'], !works && trace['no'])}>
        <Icon name={works ? 'ok' : 'alert'} size={24} />
        <span className="strong">{t(works ? 'providers.testWorks' : 'providers.testFails')}</span>
      </p>
      <ol className={trace['trace']} aria-label={t('providers.steps')}>
        {steps.map((step) => (
          <li key={step.step} className={classNames(trace['step'], !step.passed && trace['against'])}>
            <Icon name={step.passed ? 'ok' : 'error'} size={20} />
            <span className={trace['what']}>{stepText(t, step)}</span>
            <StepDetail {...step} />
          </li>
        ))}
        {gives && <Gives {...gives} />}
      </ol>
    </div>
  )
}

function StepDetail({ milliseconds, apart }: ProviderStep) {
  const locale = useLocale()
  const [value, unit] = milliseconds === undefined ? [apart, 'second'] : [milliseconds, 'millisecond']
  if (value === undefined) return null
  return <span>{new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value)}</span>
}

function Gives({ username, administrator, groups, quota }: NonNullable<ProviderTest['gives']>) {
  const t = useText()
  const known = useGroups() ?? []
  const names = groups.map((id) => known.find((group) => group.id === id)?.name ?? id)
  const facts = [
    names.length > 0 && names.map((name) => t('providers.group', { name })).join(', '),
    administrator === true && t('permissions.admin'),
    quota !== undefined && `${t('fields.quota')} ${formatByteSize(quota)}`,
  ].filter(Boolean)
  return (
    <li className={classNames(trace['step'], trace['passed'])}>
      <Icon name="info" size={20} />
      <span className={trace['what']}>
        {t('providers.wouldGet', {
          name: username ?? t('providers.nobody'),
          gives: facts.length === 0 ? t('providers.defaultsOnly') : facts.join(', '),
        })}
      </span>
      <span>{t('providers.dryRun')}</span>
    </li>
  )
}

const OF_DIRECTORIES: Readonly<Record<string, MessageId>> = {
  connect: 'directories.stepConnect',
  encrypt: 'directories.stepEncrypt',
  bind: 'directories.stepBind',
  find: 'directories.stepFind',
  password: 'directories.stepPassword',
  groups: 'directories.stepGroups',
}

const PASSED: Readonly<Record<string, MessageId>> = {
  reach: 'providers.stepReach',
  client: 'providers.stepClient',
  clock: 'providers.stepClock',
  claims: 'providers.stepClaims',
  result: 'providers.stepClaims',
}

const FAILED: Readonly<Record<string, MessageId>> = {
  providerAway: 'providers.failAway',
  providerPrivate: 'providers.failPrivate',
  providerClient: 'providers.failClient',
  providerClock: 'providers.failClock',
  secretMissing: 'providers.failSecret',
}

function stepText(t: Translate, { step, passed, text, reason = '', missing = [] }: ProviderStep): string {
  const ofDirectory = OF_DIRECTORIES[step]
  if (ofDirectory !== undefined) return `${t(ofDirectory)} · \u2068${text}\u2069`
  if (passed) return t(PASSED[step] ?? 'providers.stepClaims')
  if (step === 'claims') return t('providers.failClaims', { names: missing.join(', ') })
  return t((Object.hasOwn(FAILED, reason) ? FAILED[reason] : undefined) ?? 'providers.failInvalid')
}
