import type { HookTrial } from '../../../../../../src/domain/hook.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { Badge } from '../../../../kit/feedback/note.tsx'
import { IconButton } from '../../../../kit/button/button.tsx'
import styles from './hooks.module.css'

/** What a hook said when it was tried, and how it ended. */
export function HookOutput({ trial, onClose }: { readonly trial: HookTrial; readonly onClose: () => void }) {
  const t = useText()
  const { exitCode, ended, stdout, stderr } = trial
  const said = [stdout, stderr].filter(Boolean).join('\n')
  const end = {
    timeout: t('hooks.endedTime'),
    output: t('hooks.endedOutput'),
    abort: t('hooks.endedAbort'),
    'by itself': exitCode === null ? t('hooks.endedSignal') : t('hooks.exitCode', { code: exitCode }),
  }[ended]
  return (
    <div className={styles['trial']} role="status">
      <div className={styles['ended']}>
        <Badge tone={ended === 'by itself' && exitCode === 0 ? 'ok' : 'danger'}>{end}</Badge>
        <IconButton icon="x" size="small" label={t('hooks.closeOutput')} onClick={onClose} />
      </div>
      {said === '' ? (
        <p className="subtle small">{t('hooks.silent')}</p>
      ) : (
        <pre dir="ltr" tabIndex={0} aria-label={t('hooks.output')}>
          {said}
        </pre>
      )}
    </div>
  )
}
