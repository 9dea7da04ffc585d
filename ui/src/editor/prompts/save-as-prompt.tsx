import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { childOf, nameOf, numberedName, parentOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { type Translate, useText } from '../../i18n/use-text.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { checkNewName } from '../../files/actions/new-name.ts'
import { NameDialog } from '../../files/actions/prompts/name-prompts.tsx'
import type { FileIo } from '../saving/file-io.ts'
import { encodeText, type TextFormat } from '../saving/text-codec.ts'
interface SaveAsQuestion {
  /** Path of the original; the copy is saved in the same folder. */
  readonly path: VirtualPath
  readonly io: FileIo
  readonly text: string
  readonly format: TextFormat
}

/** Saves a text under another name and returns its path. Errors are shown at the field. */
export function SaveAsPrompt({ path, io, text, format, close }: SaveAsQuestion & PromptProps<VirtualPath>) {
  const t = useText()
  const [name, setName] = useState(() => numberedName(nameOf(path), 1))
  const [problem, setProblem] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: async (target: VirtualPath) => {
      const bytes = encodeText(text, format) ?? encodeText(text, { ...format, encoding: 'UTF-8' })
      if (bytes !== undefined) await io.create(target, bytes)
    },
    onSuccess: (_reply, target) => close(target),
    onError: (error) => setProblem(describe(t, error)),
  })
  const submit = (): void => {
    const wanted = name.trim()
    if (wanted === '' || create.isPending) return
    const wrong = checkNewName(wanted)
    if (wrong === null) create.mutate(childOf(parentOf(path), wanted))
    else setProblem(t(wrong))
  }
  return (
    <NameDialog
      title={t('editor.saveAs')}
      confirm={t('editor.save')}
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
  if (!(error instanceof ApiError)) throw error
  if (error.status === 409) return t('files.nameTaken')
  if (error.status === 403) return t('files.cannotCreate')
  if (error.status === 0) return t('files.noConnection')
  return error.code === undefined ? t('files.createFailed') : error.message
}
