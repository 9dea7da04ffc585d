import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { newNames } from '../../../../../../src/domain/files/renames/new-names.ts'
import {
  changesName,
  MAX_RENAMES,
  type PlannedRename,
  planRenames,
  type Rename,
} from '../../../../../../src/domain/files/renames/renames.ts'
import { nameOf } from '../../../../../../src/domain/files/virtual-path.ts'
import { useTextPart, useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import { Dialog } from '../../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../../kit/dialog/prompt-stack.tsx'
import { ErrorNote } from '../../../../kit/feedback/note.tsx'
import { problemOf, problemText } from '../../../../common/problem-text.ts'
import type { FileItem } from '../../model.ts'
import type { BegunRenames } from '../../renames/send-renames.ts'
import { PatternFields, usePattern } from './pattern-fields.tsx'
import { RenamePreview } from './rename-preview.tsx'

interface RenameManyProps {
  /** In the order of the counter. */
  readonly items: readonly FileItem[]
  /** Whether the folder has this name now, as far as the page knows. */
  readonly exists: (name: string) => boolean
  /** @throws ApiError */
  readonly begin: (renames: readonly Rename[]) => Promise<BegunRenames>
  /** Resolves to the renames, with the problems that the server finds. @throws ApiError */
  readonly check: (renames: readonly Rename[]) => Promise<readonly PlannedRename[]>
}

/** Asks for a pattern and shows every new name. Returns once the server has accepted them. */
export function RenameManyPrompt({ items, exists, begin, check, close }: RenameManyProps & PromptProps<BegunRenames>) {
  useTextPart('tools')
  const t = useText()
  /** The renames with the problems that the server found; undefined once the pattern has changed. */
  const [refused, setRefused] = useState<readonly PlannedRename[]>()
  const entries = useMemo(() => items.map(({ path, ...facts }) => ({ ...facts, name: nameOf(path) })), [items])
  const saving = useMutation({
    mutationFn: begin,
    onSuccess: (begun) => close(begun),
    onError: async (_, renames) => {
      const found = await check(renames).catch(() => [])
      if (found.some(({ problem }) => problem !== undefined)) setRefused(found)
    },
  })
  const state = usePattern(items.length, () => {
    saving.reset()
    setRefused(undefined)
  })
  const { pattern } = state
  const planned = useMemo(() => {
    const names = newNames(entries, pattern)
    return planRenames(
      entries.map(({ name }, index) => ({ from: name, to: names[index] ?? '' })),
      exists,
    )
  }, [entries, exists, pattern])
  const shown = refused === undefined ? planned : withProblems(planned, refused)
  const renames = planned.filter(changesName)
  const isTooMany = renames.length > MAX_RENAMES
  const isReady = renames.length > 0 && !isTooMany && shown.every(({ problem }) => problem === undefined)
  return (
    <Dialog
      size="large"
      title={t('rename.title', { count: items.length })}
      onClose={() => close()}
      onSubmit={() => isReady && !saving.isPending && saving.mutate(renames)}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={!isReady} progress={saving.isPending ? 'busy' : 'idle'}>
            {t('actions.rename')}
          </Button>
        </>
      }
    >
      <PatternFields state={state} modified={entries[0]?.modified ?? ''} />
      <RenamePreview planned={shown} />
      <ErrorNote>{isTooMany && t('rename.tooMany', { max: MAX_RENAMES })}</ErrorNote>
      <ErrorNote>{saving.error !== null && refused === undefined && problemText(t, problemOf(saving.error))}</ErrorNote>
    </Dialog>
  )
}

/** Adds the problems that only the server knows: hidden entries, rules, and changes made meanwhile. */
function withProblems(planned: readonly PlannedRename[], found: readonly PlannedRename[]): PlannedRename[] {
  const problems = new Map(found.map(({ from, problem }) => [from, problem]))
  return planned.map((rename) => {
    const problem = problems.get(rename.from) ?? rename.problem
    return problem === undefined ? rename : { ...rename, problem }
  })
}
