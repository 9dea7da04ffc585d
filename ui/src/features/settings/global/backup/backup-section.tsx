import { createBackup } from '../../../../../../src/api/backup.ts'
import { useClient } from '../../../../api/client-context.tsx'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button.tsx'
import { FilePicker } from '../../../../kit/file-picker.tsx'
import { Progress } from '../../../../kit/progress.tsx'
import { SettingCard } from '../../../../kit/setting-card.tsx'
import { SettingRow } from '../../../../kit/setting-row.tsx'
import { startDownload } from '../../../../lib/start-download.ts'
import { useRestore } from './use-restore.ts'

/** The whole state of the installation in one file, and back. */
export function BackupSection() {
  const t = useText()
  const client = useClient()
  const { restore, sent } = useRestore()
  return (
    <SettingCard id="backup" title={t('backup.title')} hint={t('backup.hint')}>
      <SettingRow label={t('backup.create')} hint={t('backup.createHint')}>
        <Button icon="download" size="small" onClick={() => startDownload(client.url(createBackup, {}))}>
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
