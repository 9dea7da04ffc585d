import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createResource } from '../../../../../src/api/files.ts'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText, type Translate } from '../../../i18n/use-text.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { checkNewName, newEntryPath } from '../new-name.ts'
import { NameDialog } from './name-dialog.tsx'

export interface NewEntryQuestion {
  readonly folder: VirtualPath
  readonly kind: 'folder' | 'file'
  /** Names that are taken, so that the clash shows before the server is asked. */
  readonly taken: (name: string) => boolean
}

/** Otherwise a folder that is there would pass for a new one, and be taken back as such. */
const ONLY_NEW = { 'If-None-Match': '*' }

/** Makes a folder or an empty file and answers with its name. Errors stay beside the field, and so does what was typed. */
export function NewEntryPrompt({ folder, kind, taken, close }: NewEntryQuestion & PromptProps<string>) {
  const t = useText()
  const client = useClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: (wanted: string) =>
      client.call(createResource, { params: { '*': newEntryPath(folder, wanted, kind) }, body: '', headers: ONLY_NEW }),
    onSuccess: (_reply, wanted) => close(wanted),
    onError: (error) => setProblem(describe(t, error)),
  })
  const submit = (): void => {
    const wanted = name.trim()
    if (wanted === '' || create.isPending) return
    const wrong = checkNewName(wanted) ?? (taken(wanted) ? 'files.nameTaken' : null)
    if (wrong !== null) setProblem(t(wrong))
    else create.mutate(wanted)
  }
  return (
    <NameDialog
      title={t(kind === 'folder' ? 'files.newFolder' : 'files.newFile')}
      confirm={t('files.create')}
      name={name}
      problem={problem}
      isBusy={create.isPending}
      onName={(typed) => {
        setName(typed)
        setProblem(null)
      }}
      onSubmit={submit}
      onClose={() => close()}
    />
  )
}

function describe(t: Translate, error: Error): string {
  if (!(error instanceof ApiError)) return t('files.createFailed')
  if (error.status === 409 || error.status === 412) return t('files.nameTaken')
  if (error.status === 403) return t('files.mayNotCreate')
  if (error.status === 0) return t('files.noConnection')
  return error.code === undefined ? t('files.createFailed') : error.message
}
