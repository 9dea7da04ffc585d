import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { changeMany, transferResource } from '../../../../../src/api/files/files-changes.ts'
import { getResource } from '../../../../../src/api/files/files.ts'
import { nameOf, parentOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Choices } from '../prompts/conflict-prompt.tsx'
import {
  changesOf,
  type PlannedTransfer,
  RESPOND_ASYNC,
  planTransfers,
  transferConflicts,
  transferQuery,
  transferable,
} from './plan-transfers.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { permissionsAt, type Rights, rightsNow, transfersBy } from '../../../api/permissions.ts'
import { runBatch } from '../batches/run-batch.ts'
import { reportOutcome } from '../batches/report-outcome.ts'
import type { Change } from '../undo/undo-stack.ts'
import type { FileActionsDeps, FileItem, TransferKind } from '../model.ts'

const ConflictPrompt = lazyPrompt(async () => (await import('../prompts/conflict-prompt.tsx')).ConflictPrompt)

interface TransferRequest {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
  readonly folder: VirtualPath
  /** Opens the folder afterwards. */
  readonly follow?: boolean | undefined
  /** Called when the transfer begins, after all questions are answered. */
  readonly onBegin?: (() => void) | undefined
}

/**
 * Asks about names that are taken, then copies or moves. Resolves as soon as that has begun, with a promise of its end;
 * with undefined when the user cancels.
 *
 * @throws ApiError when the folder cannot be read
 */
export async function beginTransfer(
  deps: FileActionsDeps,
  { kind, items, folder, follow = false }: TransferRequest,
): Promise<{ readonly ended: Promise<void> } | undefined> {
  const { client, ask, toasts, text } = deps
  const wanted = transferable(kind, items, folder)
  if (wanted.length === 0) {
    toasts.info(text(items.some(({ path }) => path === folder) ? 'actions.intoItself' : 'actions.alreadyThere'))
    return undefined
  }
  const found = await client.call(getResource, { params: { '*': `${folder}/` } })
  const existing = new Map('items' in found ? found.items.map((entry) => [entry.name, entry]) : [])
  const input = { kind, items: wanted, folder, existing }
  const conflicts = transferConflicts(input)
  const choices: Choices | undefined =
    conflicts.length === 0
      ? () => 'keepBoth'
      : await ask(ConflictPrompt, { conflicts, all: wanted.length, target: folder })
  if (choices === undefined) return undefined
  const planned = planTransfers(input, choices)
  if (planned.length === 0) return undefined
  return { ended: runTransfer(deps, planned, { kind, items, folder, follow }) }
}

async function runTransfer(
  deps: FileActionsDeps,
  planned: readonly PlannedTransfer[],
  { kind, folder, follow }: TransferRequest,
): Promise<void> {
  const { client, addedEntries, text } = deps
  const outcome = await runBatch(deps, {
    kind,
    items: planned,
    folder,
    pathOf: ({ item }) => item.path,
    act: ({ item, to, override }, signal) =>
      client.call(transferResource, {
        params: { '*': item.path },
        query: transferQuery(kind, to, override),
        headers: RESPOND_ASYNC,
        signal,
      }),
    actTogether: (all) =>
      client.call(
        changeMany,
        changesOf(
          kind,
          all.map(({ item, to, override }) => ({ path: item.path, to, override })),
        ),
      ),
    retry: (failed) => void transferNow(deps, { kind, items: failed.map(({ item }) => item), folder }),
  })
  const names = outcome.done.map(({ to }) => nameOf(to))
  if (names.length > 0) addedEntries.set({ folder, names, followed: follow === true })
  if (follow === true && names.length > 0) deps.goTo(folder)
  const values = { name: names[0] ?? '', folder: nameOf(folder) || text('files.root') }
  await reportOutcome(deps, outcome, {
    success: kind === 'copy' ? 'actions.copied' : 'actions.moved',
    failure: kind === 'copy' ? 'actions.notCopied' : 'actions.notMoved',
    values,
    undo: changeOf(kind, outcome.done, rightsNow(deps.user()?.perm)),
  })
}

/** An entry that replaced another one cannot be moved back, nor what may not leave the place where it is now. */
function changeOf(kind: TransferKind, planned: readonly PlannedTransfer[], rights: Rights): Change | undefined {
  const mayTransfer = transfersBy(rights)
  const fresh = planned.filter(({ item, override, to }) => {
    if (override) return false
    return kind === 'copy' ? permissionsAt(to, rights).delete : mayTransfer('move', to, parentOf(item.path))
  })
  if (fresh.length === 0) return undefined
  if (kind === 'copy') return { kind: 'made', paths: fresh.map(({ to }) => to) }
  return { kind: 'moved', moves: fresh.map(({ item, to }) => ({ from: item.path, to })) }
}

/** Like `beginTransfer`, but waits for the end, and shows an error when the folder cannot be read. */
export async function transferNow(deps: FileActionsDeps, request: TransferRequest): Promise<void> {
  try {
    const begun = await beginTransfer(deps, request)
    if (begun !== undefined) request.onBegin?.()
    await begun?.ended
  } catch (error) {
    deps.toasts.error(problemText(deps.text, problemOf(error)))
  }
}
