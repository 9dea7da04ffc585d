import { parseByteSize } from '../../../../../../src/domain/text/units.ts'
import { type Hook, HOOK_TIMEOUT } from '../../../../../../src/domain/automation/hook.ts'
import { type MessageId, useText } from '../../../../i18n/use-text.tsx'
import { NumberInput, ParsedInput } from '../../../../kit/fields/inputs.tsx'
import { Select } from '../../../../kit/fields/select.tsx'
import { spacedSize } from '../../../forms/form-row.tsx'
import styles from './hooks.module.css'

/** The limits of a hook as edited; undefined while the input is invalid. */
export interface HookLimitsDraft {
  readonly timeout: number | undefined
  readonly outputLimit: number | undefined
  readonly onFailure: Hook['onFailure']
}

/** The limits to save; undefined while one is invalid. */
export function limitsOf({ timeout, outputLimit, onFailure }: HookLimitsDraft) {
  return timeout === undefined || outputLimit === undefined ? undefined : { timeout, outputLimit, onFailure }
}

/** The error of invalid limits. */
export function limitsProblem({ timeout }: HookLimitsDraft): MessageId {
  return timeout === undefined ? 'form.number' : 'form.size'
}

interface HookLimitsFieldsProps {
  readonly event: string
  readonly draft: HookLimitsDraft
  readonly onChange: (draft: HookLimitsDraft) => void
}

/** Fields for time limit, output limit, and what happens on failure (only for hooks that run before an action). */
export function HookLimitsFields({ event, draft, onChange }: HookLimitsFieldsProps) {
  const t = useText()
  const { timeout, outputLimit, onFailure } = draft
  return (
    <>
      <label className={styles['field']}>
        <span>{t('hooks.time')}</span>
        <NumberInput
          value={timeout}
          min={HOOK_TIMEOUT.min}
          max={HOOK_TIMEOUT.max}
          unit={t('hooks.seconds')}
          aria-label={t('hooks.time')}
          onChange={(next) => onChange({ ...draft, timeout: next })}
        />
      </label>
      <label className={styles['field']}>
        <span>{t('hooks.outputLimit')}</span>
        <ParsedInput
          value={outputLimit}
          parse={parseByteSize}
          format={spacedSize}
          aria-label={t('hooks.outputLimit')}
          onChange={(next) => onChange({ ...draft, outputLimit: next })}
        />
      </label>
      <label className={styles['field']}>
        <span>{t('hooks.onFailure')}</span>
        <Select
          label={t('hooks.onFailure')}
          options={[
            { value: 'refuse', label: t('hooks.refuse') },
            { value: 'ignore', label: t('hooks.ignore') },
          ]}
          value={onFailure}
          disabled={event.startsWith('after_')}
          onChange={(next) => onChange({ ...draft, onFailure: next })}
        />
      </label>
    </>
  )
}
