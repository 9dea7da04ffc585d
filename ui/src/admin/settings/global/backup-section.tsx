import { useClient, type Client } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { FilePicker } from '../../../kit/fields/inputs.tsx'
import { Progress } from '../../../kit/feedback/progress.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { saveConfirmed } from '../../forms/use-form.ts'
import { useAttempt } from '../../forms/use-report-failure.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { useState } from 'react'
import { restoreBackup, createBackup } from '../../../../../src/api/server/backup.ts'
import type { RestoreReport } from '../../../../../src/domain/server/backup.ts'
import { lazyPrompt, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { ApiError, noConnection } from '../../../api/api-error.ts'
import { startDownload } from '../../../lib/start-download.ts'

/** Download a backup of the whole installation, or restore one. */
export function BackupSection() {
  const t = useText()
  const client = useClient()
  const confirmed = useConfirmed()
  const { attempt } = useAttempt()
  const { restore, sent } = useRestore()
  const confirmation = {
    title: t('backup.create'),
    text: t('backup.createHint'),
    label: t('backup.download'),
    send: async (password = '') => await saveBackup(client, password),
  }
  const save = async (): Promise<void> => {
    await attempt(async () => await saveConfirmed(confirmed(confirmation)))
  }
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

const RestoreQuestion = lazyPrompt(async () => (await import('./restore-prompt.tsx')).RestorePrompt)

/** Asks for the password, shows what the backup would replace, and restores it after confirmation. */
function useRestore() {
  const t = useText()
  const ask = usePrompt()
  const toasts = useToasts()
  const client = useClient()
  const confirmed = useConfirmed()
  const { attempt } = useAttempt()
  const [sent, setSent] = useState<number>()

  const send = async (file: File, password: string, dryRun: boolean): Promise<RestoreReport> => {
    const url = client.url(restoreBackup, { query: { dryRun: dryRun ? 'true' : 'false' } })
    setSent(0)
    try {
      return await sendBackup(client, { url, file, password, onProgress: setSent })
    } finally {
      setSent(undefined)
    }
  }

  return {
    /** Upload progress from 0 to 1; undefined when nothing is being sent. */
    sent,
    async restore(file: File) {
      let known: { readonly report: RestoreReport; readonly password: string } | undefined
      await attempt(async () => {
        const done = await saveConfirmed(
          confirmed({
            title: t('backup.restore'),
            text: t('backup.passwordText', { name: file.name }),
            label: t('backup.showContents'),
            send: async (password = '') => {
              known = { report: await send(file, password, true), password }
            },
          }),
        )
        if (!done || known === undefined) return
        const { report, password } = known
        if ((await ask(RestoreQuestion, { name: file.name, report })) !== true) return
        await send(file, password, false)
        toasts.success(t('backup.restored'))
      })
    },
  }
}

/**
 * Fetches a backup and saves it as a file. A plain link could not send the password.
 *
 * @throws ApiError
 */
async function saveBackup(client: Client, password: string): Promise<void> {
  const headers = { ...client.authHeaders(), 'X-Current-Password': encodeURIComponent(password) }
  const response = await fetch(client.url(createBackup, {}), { headers }).catch(noConnection)
  if (!response.ok) throw await ApiError.from(response)
  const url = URL.createObjectURL(await response.blob())
  startDownload(url, `filemgr-${new Date().toISOString().slice(0, 10)}.tar`)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

interface BackupToSend {
  readonly url: string
  readonly file: File
  /** The administrator's own password; empty if none is required. */
  readonly password: string
  /** Called with the progress from 0 to 1. */
  readonly onProgress: (sent: number) => void
}

/**
 * Sends a file while it is read from disk. Uses XMLHttpRequest, because `fetch` reports no upload progress.
 *
 * @throws ApiError
 */
async function sendBackup(client: Client, { url, file, password, onProgress }: BackupToSend): Promise<RestoreReport> {
  const request = new XMLHttpRequest()
  request.open('POST', url)
  const sent = client.authHeaders()
  const headers = { Accept: 'application/json', ...sent, 'X-Current-Password': encodeURIComponent(password) }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  request.addEventListener('load', () => resolve(undefined))
  request.addEventListener('error', () => reject(ApiError.noConnection(undefined)))
  request.send(file)
  await promise
  const { status, statusText } = request
  if (status !== 200) throw await ApiError.from(new Response(request.responseText, { status, statusText }))
  return JSON.parse(request.responseText) as RestoreReport
}
