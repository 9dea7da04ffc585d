import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { ConflictPrompt, type NameConflict } from '../../actions/prompts/conflict-prompt.tsx'
import type { ChoiceOf, Conflict } from './conflict-check.ts'

interface UploadConflictsProps {
  readonly conflicts: readonly Conflict[]
  /** Files of the whole upload. */
  readonly all: number
  readonly target: VirtualPath
}

/** Asks about files that already exist at the target. */
export function UploadConflicts({ conflicts, all, target, close }: UploadConflictsProps & PromptProps<ChoiceOf>) {
  return (
    <ConflictPrompt
      conflicts={conflicts.map(nameConflictOf)}
      all={all}
      target={target}
      close={(choices) => close(choices && (({ entry }) => choices(entry.path)))}
    />
  )
}

function nameConflictOf({ entry: { path, file }, existing, replaceable }: Conflict): NameConflict {
  const incoming = { isDir: file === null, size: file?.size ?? 0, modified: file?.lastModified ?? '' }
  return { key: path, name: path, incoming, existing, replaceable }
}
