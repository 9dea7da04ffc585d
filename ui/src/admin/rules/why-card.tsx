import { type Action, ACTION_NAMES } from '../../../../src/domain/explanation.ts'
import type { PlacedRule } from '../../../../src/domain/rule-check.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { SettingCard } from '../../kit/page/settings.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { classNames } from '../../lib/class-names.ts'
import { problemOf, problemText } from '../../files/actions/problem-text.ts'
import type { WhyState } from './use-why.ts'
import { WhyStep } from './why-step.tsx'
import { traceOf } from './why-trace.ts'
import styles from './why.module.css'
interface WhyCardProps {
  readonly state: WhyState
  /** Of the user who is meant. */
  readonly name: string
  /** To choose from, where it is not one user's page. */
  readonly users?: readonly { readonly value: string; readonly label: string }[] | undefined
  readonly here: { readonly list: PlacedRule['list']; readonly id: string }
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

/** Asks what somebody may do somewhere, and shows what decides it. */
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
            label={<span className="visually-hidden">{t('why.path')}</span>}
            icon="folder"
            placeholder="/"
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
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
            <div className={classNames(styles['verdict'], !answer.allowed && styles['no'], busy && styles['busy'])}>
              <Icon name={answer.allowed ? 'ok' : 'ban'} size={24} />
              <p className="strong">{t(answer.allowed ? 'why.yes' : 'why.no', { name: answer.user })}</p>
            </div>
            <ol className={styles['trace']} aria-label={t('why.trace')}>
              {traceOf(answer).map((step, index) => (
                <WhyStep key={index} step={step} here={here} />
              ))}
            </ol>
            {!answer.complete && <p className={styles['partly']}>{t('why.partly')}</p>}
          </div>
        )}
      </div>
    </SettingCard>
  )
}
