/** What a drop or a paste carries. Taken from the event at once: the browser empties it when the handler returns. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[]
  /** Of each entry, where the browser has such: what outlives the page. */
  readonly handles: readonly (Promise<FileSystemHandle | null> | undefined)[]
  /** Files without an entry, such as a pasted picture. */
  readonly files: readonly File[]
}

interface HandingItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

export function takeDropped(transfer: Pick<DataTransfer, 'items'>): Dropped {
  const entries: FileSystemEntry[] = []
  const handles: Dropped['handles'][number][] = []
  const files: File[] = []
  for (const item of transfer.items as Iterable<HandingItem>) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    if (entry !== null) {
      entries.push(entry)
      handles.push(item.getAsFileSystemHandle?.().catch(() => null))
    } else {
      const file = item.getAsFile()
      if (file !== null) files.push(file)
    }
  }
  return { entries, handles, files }
}
