import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { checkNewName } from '../new-name.ts'
import { problemOf, problemText } from '../problem-text.ts'
import { stemLength } from '../new-name.ts'
import type { FileItem } from '../file-actions.ts'
import { NameDialog } from './name-dialog.tsx'

export interface RenamePromptProps {
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
      title={t('work.rename')}
      confirm={t('work.rename')}
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
