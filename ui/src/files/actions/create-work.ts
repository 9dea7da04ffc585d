import { transferResource } from '../../../../src/api/files.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { startDownload } from '../../lib/start-download.ts'
import { fileUrl } from './download-url.ts'
import { NewEntry } from './prompts/ask-new-entry.ts'
import { DetailsPrompt, DownloadQuestion, PickFolder, RenameQuestion } from './prompts/ask-work.ts'
import { removeForGood, removeToTrash } from './remove.ts'
import { beginTransfer, transferNow } from './transfer.ts'
import { transferQuery } from './transfer-query.ts'
import { purgeTrash, restoreTrash } from './trash.ts'
import { undoDone } from './undo.ts'
import type { WorkDeps } from './work-deps.ts'
import type { TransferKind, Work, WorkItem } from './work.ts'
/** The work itself, fetched when the first is asked for. */
export function createWork(deps: WorkDeps): Work {
  const { client, queries, ask, undoStack, held, arrivals, toasts, text } = deps

  /** @throws ApiError */
  async function renameTo({ path }: WorkItem, name: string): Promise<VirtualPath> {
    const folder = parentOf(path)
    const to = childOf(folder, name)
    await client.call(transferResource, { params: { '*': path }, query: transferQuery('move', to, false) })
    const done = { kind: 'moved', moves: [{ from: path, to }] } as const
    undoStack.push(done)
    await queries.invalidateQueries({ queryKey: ['listing'] })
    arrivals.set({ folder, names: [name] })
    const undo = (): void => {
      if (undoStack.take(done)) void undoDone(deps, done)
    }
    toasts.success(text('work.renamed', { name }), { action: { label: text('work.undo'), keys: 'Ctrl+Z', run: undo } })
    return to
  }

  async function make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined> {
    const listing = queries.getQueryData<{ items?: readonly { name: string }[] }>(['listing', folder])
    const taken = (name: string): boolean => listing?.items?.some((entry) => entry.name === name) === true
    const name = await ask(NewEntry, { folder, kind, taken })
    if (name === undefined) return undefined
    const path = childOf(folder, name)
    undoStack.push({ kind: 'made', paths: [path] })
    await queries.invalidateQueries({ queryKey: ['listing', folder] })
    arrivals.set({ folder, names: [name] })
    deps.announce(text('files.created', { name }))
    return path
  }

  async function pickAndTransfer(kind: TransferKind, items: readonly WorkItem[]): Promise<void> {
    const follow = deps.user()?.redirectAfterCopyMove ?? false
    await ask(PickFolder, {
      kind,
      items,
      begin: (folder) => beginTransfer(deps, { kind, items, folder, follow }),
      makeIn: (folder) => make('folder', folder),
    })
  }

  return {
    rename: (item) => ask(RenameQuestion, { item, rename: (name) => renameTo(item, name) }),
    renameTo,
    moveTo: (items) => pickAndTransfer('move', items),
    copyTo: (items) => pickAndTransfer('copy', items),
    transfer: (kind, items, folder) => transferNow(deps, { kind, items, folder }),
    remove: (items) => removeToTrash(deps, items),
    removeForGood: (items) => removeForGood(deps, items),
    async paste(folder) {
      const holding = held.get()
      if (holding === null) return
      // What was cut is where it was pasted from now on; a second paste would find nothing.
      const onBegin = (): void => held.set((now) => (now === holding && now.kind === 'move' ? null : now))
      await transferNow(deps, { ...holding, folder, onBegin })
    },
    async download(target) {
      const only = target.count === 1 ? target.items()[0] : undefined
      if (only === undefined || only.isDir) await ask(DownloadQuestion, { target })
      else startDownload(fileUrl(client, only.path))
    },
    share: (item) => deps.share(item),
    async details(target) {
      await ask(DetailsPrompt, { target })
    },
    make,
    restore: (items) => restoreTrash(deps, items),
    purge: (items) => purgeTrash(deps, items, false),
    emptyTrash: (items) => purgeTrash(deps, items, true),
    async undo() {
      const done = undoStack.pop()
      if (done === undefined) toasts.info(text('work.nothingToUndo'))
      else await undoDone(deps, done)
    },
  }
}
