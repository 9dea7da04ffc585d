import { useClient } from '../../../../api/client-context.tsx'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import { FilePicker } from '../../../../kit/fields/file-picker.tsx'
import { Progress } from '../../../../kit/feedback/progress.tsx'
import { SettingCard, SettingRow } from '../../../../kit/page/settings.tsx'
import { saveConfirmed } from '../../../forms/save-confirmed.ts'
import { useTellFailure } from '../../../forms/use-tell-failure.ts'
import { useConfirmed } from '../../../../files/actions/use-confirmed.ts'
import { saveBackup } from './save-backup.ts'
import { useRestore } from './use-restore.ts'

/** The whole state of the installation in one file, and back. */
export function BackupSection() {
  const t = useText()
  const client = useClient()
  const confirmed = useConfirmed()
  const tellFailure = useTellFailure()
  const { restore, sent } = useRestore()
  const save = () =>
    saveConfirmed(
      confirmed({
        title: t('backup.create'),
        text: t('backup.createHint'),
        label: t('backup.download'),
        send: async (password = '') => await saveBackup(client, password),
      }),
    ).catch(tellFailure)
  return (
    <SettingCard title={t('backup.title')} hint={t('backup.hint')}>
      <SettingRow label={t('backup.create')} hint={t('backup.createHint')}>
        <Button icon="download" size="small" onClick={() => void save()}>
          {t('backup.download')}
        </Button>
      </SettingRow>
      <SettingRow label={t('backup.restore')} hint={t('backup.restoreHint')}>
        <FilePicker
          label={t('backup.choose')}
          accept=".tar,application/x-tar"
          busy={sent !== undefined}
          onChoose={([file]) => file && void restore(file)}
        />
        {sent !== undefined && <Progress value={sent} label={t('backup.sending')} />}
      </SettingRow>
    </SettingCard>
  )
}
