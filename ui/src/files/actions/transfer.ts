import { getResource, transferResource } from '../../../../src/api/files.ts'
import { nameOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Choices } from './conflicts/name-conflict.ts'
import { type PlannedTransfer, planTransfers, transferable, transferConflicts } from './plan-transfers.ts'
import { ConflictQuestion } from './prompts/ask-work.ts'
import { problemOf, problemText } from './problem-text.ts'
import { runBatch } from './run-batch.ts'
import { tell } from './tell.ts'
import { transferQuery, WITHOUT_WAITING } from './transfer-query.ts'
import type { Done } from './undo-stack.ts'
import type { WorkDeps } from './work-deps.ts'
import type { TransferKind, WorkItem } from './work.ts'
export interface TransferRequest {
  readonly kind: TransferKind
  readonly items: readonly WorkItem[]
  readonly folder: VirtualPath
  /** Goes to the folder afterwards. */
  readonly follow?: boolean | undefined
  /** Called once nothing can keep it from being tried. */
  readonly onBegin?: (() => void) | undefined
}

/**
 * Asks about names that are taken, then copies or moves. Resolves as soon as it has begun, with a promise of its end;
 * with undefined when the user has thought better of it.
 *
 * @throws ApiError when the folder cannot be looked into
 */
export async function beginTransfer(
  deps: WorkDeps,
  { kind, items, folder, follow = false }: TransferRequest,
): Promise<{ readonly ended: Promise<void> } | undefined> {
  const { client, ask, toasts, text } = deps
  const wanted = transferable(kind, items, folder)
  if (wanted.length === 0) {
    toasts.info(text(items.some(({ path }) => path === folder) ? 'work.intoItself' : 'work.alreadyThere'))
    return undefined
  }
  const found = await client.call(getResource, { params: { '*': `${folder}/` } })
  const existing = new Map('items' in found ? found.items.map((entry) => [entry.name, entry]) : [])
  const question = { kind, items: wanted, folder, existing }
  const conflicts = transferConflicts(question)
  const choices: Choices | undefined =
    conflicts.length === 0
      ? () => 'keepBoth'
      : await ask(ConflictQuestion, { conflicts, all: wanted.length, target: folder })
  if (choices === undefined) return undefined
  const planned = planTransfers(question, choices)
  if (planned.length === 0) return undefined
  return { ended: carryOut(deps, planned, { kind, items, folder, follow }) }
}

async function carryOut(
  deps: WorkDeps,
  planned: readonly PlannedTransfer[],
  { kind, folder, follow }: TransferRequest,
): Promise<void> {
  const { client, arrivals, text } = deps
  const outcome = await runBatch(deps, {
    kind,
    items: planned,
    folder,
    pathOf: ({ item }) => item.path,
    act: ({ item, to, override }, signal) =>
      client.call(transferResource, {
        params: { '*': item.path },
        query: transferQuery(kind, to, override),
        headers: WITHOUT_WAITING,
        signal,
      }),
    retry: (failed) => void transferNow(deps, { kind, items: failed.map(({ item }) => item), folder }),
  })
  const names = outcome.done.map(({ to }) => nameOf(to))
  if (names.length > 0) arrivals.set({ folder, names, followed: follow === true })
  if (follow === true && names.length > 0) deps.goTo(folder)
  const values = { name: names[0] ?? '', folder: nameOf(folder) || text('files.root') }
  await tell(deps, outcome, {
    success: kind === 'copy' ? 'work.copied' : 'work.moved',
    failure: kind === 'copy' ? 'work.notCopied' : 'work.notMoved',
    values,
    undo: doneOf(kind, outcome.done),
  })
}

/** What took the place of something else cannot be taken back. */
function doneOf(kind: TransferKind, planned: readonly PlannedTransfer[]): Done | undefined {
  const fresh = planned.filter(({ override }) => !override)
  if (fresh.length === 0) return undefined
  if (kind === 'copy') return { kind: 'made', paths: fresh.map(({ to }) => to) }
  return { kind: 'moved', moves: fresh.map(({ item, to }) => ({ from: item.path, to })) }
}

/** The same, to the end; a folder that cannot be looked into is told. */
export async function transferNow(deps: WorkDeps, request: TransferRequest): Promise<void> {
  try {
    const begun = await beginTransfer(deps, request)
    if (begun !== undefined) request.onBegin?.()
    await begun?.ended
  } catch (error) {
    deps.toasts.error(problemText(deps.text, problemOf(error)))
  }
}
