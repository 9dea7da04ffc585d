import type { UploadEntry } from './upload-entry.ts'

/** What a drop or a paste carries. Taken from the event at once: the browser empties it when the handler returns. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[]
  /** Files without an entry, such as a pasted picture. */
  readonly files: readonly File[]
}

export function takeDropped(transfer: Pick<DataTransfer, 'items'>): Dropped {
  const entries: FileSystemEntry[] = []
  const files: File[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    if (entry !== null) entries.push(entry)
    else {
      const file = item.getAsFile()
      if (file !== null) files.push(file)
    }
  }
  return { entries, files }
}

/**
 * Walks dropped folders. Empty folders come along as entries of their own; files are not read.
 *
 * @throws the reason of the signal
 */
export async function walkDropped(dropped: Dropped, signal: AbortSignal): Promise<UploadEntry[]> {
  const found: UploadEntry[] = dropped.files.map((file) => ({ path: file.name, file }))
  for (const entry of dropped.entries) await walk(entry, entry.name, found, signal)
  return found
}

async function walk(entry: FileSystemEntry, path: string, found: UploadEntry[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path, file })
    return
  }
  if (!isDirectory(entry)) return
  found.push({ path, file: null })
  for await (const child of childrenOf(entry)) await walk(child, `${path}/${child.name}`, found, signal)
}

/** A reader hands out a hundred at a time and ends with an empty batch. */
async function* childrenOf(folder: FileSystemDirectoryEntry): AsyncIterable<FileSystemEntry> {
  const reader = folder.createReader()
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return
    yield* batch
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
