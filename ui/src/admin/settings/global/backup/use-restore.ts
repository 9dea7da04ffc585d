import { useState } from 'react'
import { restoreBackup } from '../../../../../../src/api/backup.ts'
import type { RestoreReport } from '../../../../../../src/domain/backup.ts'
import { useClient } from '../../../../api/client-context.tsx'
import { useText } from '../../../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { saveConfirmed } from '../../../forms/save-confirmed.ts'
import { useTellFailure } from '../../../forms/use-tell-failure.ts'
import { useConfirmed } from '../../../../files/actions/use-confirmed.ts'
import { sendBackup } from './send-backup.ts'

const RestoreQuestion = lazyPrompt(async () => (await import('./restore-prompt.tsx')).RestorePrompt)

interface Restore {
  restore(file: File): Promise<void>
  /** The part that is sent, from 0 to 1; undefined while nothing is. */
  readonly sent: number | undefined
}

/** Asks for the password, shows what the backup would replace, and replaces it after another yes. */
export function useRestore(): Restore {
  const t = useText()
  const ask = usePrompt()
  const toasts = useToasts()
  const client = useClient()
  const confirmed = useConfirmed()
  const tellFailure = useTellFailure()
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
    sent,
    async restore(file) {
      let known: { readonly report: RestoreReport; readonly password: string } | undefined
      try {
        const done = await saveConfirmed(
          confirmed({
            title: t('backup.restoreTitle'),
            text: t('backup.passwordText', { name: file.name }),
            label: t('backup.look'),
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
      } catch (error) {
        tellFailure(error)
      }
    },
  }
}
