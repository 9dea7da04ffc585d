import { type FocusEventHandler, useState } from 'react'
import { type Translate, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { useMutation } from '@tanstack/react-query'
import { type VirtualPath, nameOf } from '../../../../../src/domain/virtual-path.ts'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { checkNewName, newEntryPath, stemLength } from '../new-name.ts'
import { problemOf, problemText } from '../batches/problem-text.ts'
import type { FileItem } from '../model.ts'
import { createResource } from '../../../../../src/api/files.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'

interface NameDialogProps {
  readonly title: string
  /** Of the button that does it. */
  readonly confirm: string
  readonly name: string
  /** What is wrong with the name; null while nothing is. */
  readonly problem: string | null
  readonly isBusy: boolean
  readonly disabled?: boolean
  readonly onName: (name: string) => void
  readonly onFocus?: FocusEventHandler<HTMLInputElement>
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** Asks for the name of a file or folder. */
export function NameDialog(props: NameDialogProps) {
  const { title, confirm, name, problem, isBusy, disabled = false, onName, onFocus, onSubmit, onClose } = props
  const t = useText()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={disabled} progress={isBusy ? 'busy' : 'idle'}>
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
        onChange={(event) => onName(event.currentTarget.value)}
      />
    </Dialog>
  )
}

interface RenamePromptProps {
  readonly item: FileItem
  /** @throws ApiError */
  readonly rename: (name: string) => Promise<VirtualPath>
}

/** Asks for another name. Errors stay beside the field, and so does what was typed. */
export function RenamePrompt({ item, rename, close }: RenamePromptProps & PromptProps<VirtualPath>) {
  const t = useText()
  const current = nameOf(item.path)
  const [name, setName] = useState(current)
  const [problem, setProblem] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: rename,
    onSuccess: close,
    onError: (error) => setProblem(problemText(t, problemOf(error))),
  })
  const wanted = name.trim()
  const unchanged = wanted === '' || wanted === current
  const submit = (): void => {
    if (unchanged || save.isPending) return
    const wrong = checkNewName(wanted)
    if (wrong === null) save.mutate(wanted)
    else setProblem(t(wrong))
  }
  return (
    <NameDialog
      title={t('actions.rename')}
      confirm={t('actions.rename')}
      name={name}
      problem={problem}
      isBusy={save.isPending}
      disabled={unchanged}
      onFocus={({ currentTarget }) => {
        if (currentTarget.value === current) currentTarget.setSelectionRange(0, stemLength(current, item.isDir))
      }}
      onName={(typed) => {
        setName(typed)
        setProblem(null)
      }}
      onSubmit={submit}
      onClose={() => close()}
    />
  )
}

interface NewEntryQuestion {
  readonly folder: VirtualPath
  readonly kind: 'folder' | 'file'
  /** Names that are taken, so that the clash shows before the server is asked. */
  readonly taken: (name: string) => boolean
}

/** Otherwise an existing folder would pass for a new one, and Undo would delete it. */
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
  if (error.status === 403) return t('files.cannotCreate')
  if (error.status === 0) return t('files.noConnection')
  return error.code === undefined ? t('files.createFailed') : error.message
}
