import { planRenames } from '../../../../../src/api/files/files-changes.ts'
import type { RenameOutcome } from '../../../../../src/domain/files/renames/renames.ts'
import { nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { cachedEntries, LISTINGS } from '../../queries/listing-query.ts'
import { problemText } from '../../../common/problem-text.ts'
import type { FileActionsDeps, FileItem } from '../model.ts'
import { undoAction } from '../undo/undo.ts'
import type { Change } from '../undo/undo-stack.ts'
import { beginRenames } from './send-renames.ts'

const RenameManyPrompt = lazyPrompt(
  async () => (await import('../prompts/rename/rename-many-prompt.tsx')).RenameManyPrompt,
)

/** Asks for new names of several entries of a folder, renames them and reports the outcome. */
export async function renameMany(
  deps: FileActionsDeps,
  folder: VirtualPath,
  items: readonly FileItem[],
): Promise<void> {
  const { client, queries, ask } = deps
  const names = new Set(cachedEntries(queries, folder)?.map(({ name }) => name))
  const begun = await ask(RenameManyPrompt, {
    items,
    exists: (name) => names.has(name),
    begin: (renames) => beginRenames(deps, folder, renames),
    check: async (renames) => {
      const plan = await client.call(planRenames, { params: { '*': folder }, body: { renames: [...renames] } })
      return plan.renames
    },
  })
  if (begun !== undefined) await report(deps, folder, items, await begun.ended)
}

async function report(
  deps: FileActionsDeps,
  folder: VirtualPath,
  items: readonly FileItem[],
  { renamed, failed }: RenameOutcome,
): Promise<void> {
  const { queries, toasts, text, undoStack, addedEntries } = deps
  await queries.invalidateQueries({ queryKey: LISTINGS })
  const change: Change = { kind: 'renamed', folder, renames: renamed }
  if (renamed.length > 0) {
    undoStack.push(change)
    const before = new Set(renamed.map(({ from }) => from))
    const kept = items.map(({ path }) => nameOf(path)).filter((name) => !before.has(name))
    addedEntries.set({ folder, names: renamed.map(({ to }) => to), kept })
  }
  const undo = undoAction(deps, change)
  const [first] = failed
  if (first === undefined) {
    toasts.success(text('actions.renamedMany', { count: renamed.length }), { action: undo })
    return
  }
  const all = renamed.length + failed.length
  const reason = `${text('actions.notRenamed', { name: first.from })} ${problemText(text, first.error)}`
  const sentence = all === 1 ? reason : `${text('actions.someFailed', { count: failed.length, all })} ${reason}`
  toasts.error(sentence, renamed.length > 0 ? { action: undo } : {})
}
