import { transferResource } from '../../../../src/api/files/files-changes.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'
import { createStore } from '../../lib/create-store.ts'
import { startDownload } from '../../lib/start-download.ts'
import { cachedEntries, listingKey, LISTINGS } from '../queries/listing-query.ts'
import type * as Archives from './archives/archives.ts'
import { fileUrl } from './download.ts'
import type { Clipboard, FileActions, FileActionsDeps, FileItem, Target, TransferKind } from './model.ts'
import { purgeTrash, removeForever, removeToTrash, restoreTrash } from './remove.ts'
import { renameMany } from './renames/rename-many.ts'
import { transferQuery } from './transfers/plan-transfers.ts'
import { beginTransfer, transferNow } from './transfers/transfer.ts'
import { undoAction, undoChange } from './undo/undo.ts'

const DetailsPrompt = lazyPrompt(async () => (await import('./prompts/details/details-prompt.tsx')).DetailsPrompt)
const DownloadPrompt = lazyPrompt(async () => (await import('./prompts/download-prompt.tsx')).DownloadPrompt)
const NewEntryPrompt = lazyPrompt(async () => (await import('./prompts/name-prompts.tsx')).NewEntryPrompt)
const PickFolderPrompt = lazyPrompt(async () => (await import('./prompts/folders/folder-prompts.tsx')).PickFolderPrompt)
const RenamePrompt = lazyPrompt(async () => (await import('./prompts/name-prompts.tsx')).RenamePrompt)
const SharePrompt = lazyPrompt(async () => (await import('../share/prompts/share-prompt.tsx')).SharePrompt)

export function createFileActions(deps: FileActionsDeps): FileActions {
  const { client, queries, ask, undoStack, addedEntries, toasts, text, activity } = deps
  const clipboard = createStore<Clipboard | null>(null)

  async function renameTo({ path }: FileItem, name: string): Promise<VirtualPath> {
    const folder = parentOf(path)
    const to = childOf(folder, name)
    await client.call(transferResource, { params: { '*': path }, query: transferQuery('move', to, false) })
    const change = { kind: 'moved', moves: [{ from: path, to }] } as const
    undoStack.push(change)
    await queries.invalidateQueries({ queryKey: LISTINGS })
    addedEntries.set({ folder, names: [name] })
    toasts.success(text('actions.renamed', { name }), { action: undoAction(deps, change) })
    return to
  }

  async function make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined> {
    const entries = cachedEntries(queries, folder)
    const taken = (name: string): boolean => entries?.some((entry) => entry.name === name) === true
    const name = await ask(NewEntryPrompt, { folder, kind, taken })
    if (name === undefined) return undefined
    const path = childOf(folder, name)
    undoStack.push({ kind: 'made', paths: [path] })
    await queries.invalidateQueries({ queryKey: listingKey(folder) })
    addedEntries.set({ folder, names: [name] })
    deps.announce(text('files.created', { name }))
    return path
  }

  async function pickAndTransfer(kind: TransferKind, items: readonly FileItem[]): Promise<void> {
    const follow = deps.user()?.redirectAfterCopyMove ?? false
    await ask(PickFolderPrompt, {
      kind,
      items,
      begin: (folder) => beginTransfer(deps, { kind, items, folder, follow }),
      makeIn: (folder) => make('folder', folder),
    })
  }

  /** Most visits need no archives. */
  async function withArchives(work: (code: typeof Archives) => Promise<void>): Promise<void> {
    const code = await import('./archives/archives.ts').catch(() => undefined)
    if (code === undefined) toasts.error(text('app.partMissing'))
    else await work(code)
  }

  return {
    activity,
    addedEntries,
    clipboard,
    dragged: { current: null },
    target: createStore<Target | null>(null),
    renameTo,
    rename: (item: FileItem) => ask(RenamePrompt, { item, rename: (name) => renameTo(item, name) }),
    renameMany: (folder: VirtualPath, items: readonly FileItem[]) => renameMany(deps, folder, items),
    moveTo: (items: readonly FileItem[]) => pickAndTransfer('move', items),
    copyTo: (items: readonly FileItem[]) => pickAndTransfer('copy', items),
    transfer: (kind: TransferKind, items: readonly FileItem[], folder: VirtualPath) =>
      transferNow(deps, { kind, items, folder }),
    remove: (items: readonly FileItem[]) => removeToTrash(deps, items),
    removeForever: (items: readonly FileItem[]) => removeForever(deps, items),
    toClipboard(kind: TransferKind, items: readonly FileItem[]): void {
      clipboard.set({ kind, items })
      deps.announce(text(kind === 'copy' ? 'actions.copiedToClipboard' : 'actions.cutToClipboard'))
    },
    async paste(folder: VirtualPath): Promise<void> {
      const content = clipboard.get()
      if (content === null) return
      // Cut items can be pasted only once: afterwards they are no longer at their old paths.
      const onBegin = (): void => clipboard.set((now) => (now === content && now.kind === 'move' ? null : now))
      await transferNow(deps, { ...content, folder, onBegin })
    },
    async download(target: Target): Promise<void> {
      const only = target.count === 1 ? target.items()[0] : undefined
      if (only === undefined || only.isDir) await ask(DownloadPrompt, { target })
      else startDownload(fileUrl(client, only.path))
    },
    extractInto: (extract, folder) => withArchives((code) => code.extractInto(deps, extract, folder)),
    extractTo: (extract) => withArchives((code) => code.extractTo(deps, extract, (folder) => make('folder', folder))),
    compress: (target: Target) => withArchives((code) => code.compress(deps, target)),
    share: (item: FileItem) => ask(SharePrompt, { item }),
    details: (target: Target) => ask(DetailsPrompt, { target }),
    make,
    restore: (items) => restoreTrash(deps, items),
    purge: (items) => purgeTrash(deps, items, false),
    emptyTrash: (items) => purgeTrash(deps, items, true),
    async undo(): Promise<void> {
      const change = undoStack.pop()
      if (change === undefined) toasts.info(text('actions.nothingToUndo'))
      else await undoChange(deps, change)
    },
  }
}
