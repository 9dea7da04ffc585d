import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { checkNewName } from '../new-name.ts'
import { problemOf, problemText } from '../problem-text.ts'
import { stemLength } from '../stem-length.ts'
import type { WorkItem } from '../work.ts'

export interface RenamePromptProps {
  readonly item: WorkItem
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
    <Dialog
      title={t('work.rename')}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={unchanged} progress={save.isPending ? 'busy' : 'idle'}>
            {t('work.rename')}
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
        onFocus={({ currentTarget }) => {
          if (currentTarget.value === current) currentTarget.setSelectionRange(0, stemLength(current, item.isDir))
        }}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
      />
    </Dialog>
  )
}
