import { useMutation } from '@tanstack/react-query'
import { type FocusEventHandler, useState } from 'react'
import { createResource } from '../../../../../src/api/files/files-changes.ts'
import { stemLength } from '../../../../../src/domain/files/name-text.ts'
import { nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { type MessageId, type Translate, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import type { FileItem } from '../model.ts'
import { checkNewName, newEntryPath } from '../new-name.ts'

interface NameDialogProps<Answer> {
  readonly title: string
  /** Label of the main button. */
  readonly confirm: string
  readonly initial: string
  /** The name of the entry now, which cannot be saved again. */
  readonly current?: string
  readonly check?: (name: string) => MessageId | null
  /** @throws ApiError */
  readonly save: (name: string) => Promise<Answer>
  readonly describe: (t: Translate, error: Error) => string
  readonly onFocus?: FocusEventHandler<HTMLInputElement>
  readonly close: (answer?: Answer) => void
}

/** Asks for a name and saves it. An error is shown at the field, which keeps what was typed. */
export function NameDialog<Answer>(props: NameDialogProps<Answer>) {
  const { title, confirm, initial, current, check = checkNewName, save, describe, onFocus, close } = props
  const t = useText()
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (answer) => close(answer),
    onError: (error) => setProblem(describe(t, error)),
  })
  const trimmed = name.trim()
  const submit = (): void => {
    if (trimmed === '' || trimmed === current || saving.isPending) return
    const wrong = check(trimmed)
    if (wrong === null) saving.mutate(trimmed)
    else setProblem(t(wrong))
  }
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button
            variant="primary"
            type="submit"
            disabled={current !== undefined && (trimmed === '' || trimmed === current)}
            progress={saving.isPending ? 'busy' : 'idle'}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <TextField
        label={t('files.name')}
        value={name}
        error={problem}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        data-autofocus=""
        onFocus={onFocus}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
      />
    </Dialog>
  )
}

interface RenamePromptProps {
  readonly item: FileItem
  /** @throws ApiError */
  readonly rename: (name: string) => Promise<VirtualPath>
}

/** Asks for the new name of an entry. */
export function RenamePrompt({ item, rename, close }: RenamePromptProps & PromptProps<VirtualPath>) {
  const t = useText()
  const current = nameOf(item.path)
  return (
    <NameDialog
      title={t('actions.rename')}
      confirm={t('actions.rename')}
      initial={current}
      current={current}
      save={rename}
      describe={(_, error) => problemText(t, problemOf(error))}
      onFocus={({ currentTarget }) => {
        if (currentTarget.value === current) currentTarget.setSelectionRange(0, stemLength(current, item.isDir))
      }}
      close={close}
    />
  )
}

interface NewEntryQuestion {
  readonly folder: VirtualPath
  readonly kind: 'folder' | 'file'
  /** Names in the folder, so that a conflict shows before a request is sent. */
  readonly taken: (name: string) => boolean
}

/** Otherwise an existing folder would count as new, and Undo would delete it. */
const ONLY_NEW = { 'If-None-Match': '*' }

/** Creates a folder or an empty file and returns its name. */
export function NewEntryPrompt({ folder, kind, taken, close }: NewEntryQuestion & PromptProps<string>) {
  const t = useText()
  const client = useClient()
  const create = async (name: string): Promise<string> => {
    const params = { '*': newEntryPath(folder, name, kind) }
    await client.call(createResource, { params, body: '', headers: ONLY_NEW })
    return name
  }
  return (
    <NameDialog
      title={t(kind === 'folder' ? 'files.newFolder' : 'files.newFile')}
      confirm={t('files.create')}
      initial=""
      check={(name) => checkNewName(name) ?? (taken(name) ? 'files.nameTaken' : null)}
      save={create}
      describe={describeCreateError}
      close={close}
    />
  )
}

/** Why a new file or folder was not created. */
export function describeCreateError(t: Translate, error: Error): string {
  if (!(error instanceof ApiError)) return t('files.createFailed')
  if (error.status === 409 || error.status === 412) return t('files.nameTaken')
  if (error.status === 403) return t('files.cannotCreate')
  if (error.status === 0) return t('files.noConnection')
  return error.code === undefined ? t('files.createFailed') : problemText(t, problemOf(error))
}
