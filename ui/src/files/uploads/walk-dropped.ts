import type { Dropped } from './dropped-entries.ts'
import type { FileOrigin } from './file-origin.ts'
import type { UploadEntry } from './upload-entry.ts'

/**
 * Walks dropped folders. Empty folders come along as entries of their own; files are not read.
 *
 * @throws the reason of the signal
 */
export async function walkDropped(dropped: Dropped, signal: AbortSignal): Promise<UploadEntry[]> {
  const found: UploadEntry[] = dropped.files.map((file) => ({ path: pastedName(file), file }))
  for (const [index, entry] of dropped.entries.entries()) {
    const handle = (await dropped.handles[index]) ?? null
    await walk(entry, { path: entry.name, origin: handle && { handle, path: '' } }, found, signal)
  }
  return found
}

interface Place {
  readonly path: string
  readonly origin: FileOrigin | null
}

async function walk(entry: FileSystemEntry, place: Place, found: UploadEntry[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { path, origin } = place
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path, file, ...(origin && { origin }) })
    return
  }
  if (!isDirectory(entry)) return
  found.push({ path, file: null })
  for await (const child of childrenOf(entry)) await walk(child, below(place, child.name), found, signal)
}

function below({ path, origin }: Place, name: string): Place {
  const within = origin && { handle: origin.handle, path: origin.path === '' ? name : `${origin.path}/${name}` }
  return { path: `${path}/${name}`, origin: within }
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

/** Browsers call every pasted picture "image.png": the second would clash with the first. */
function pastedName({ name, lastModified }: File): string {
  if (!/^image\.\w+$/.test(name)) return name
  const time = new Date(lastModified - new Date(lastModified).getTimezoneOffset() * 60_000)
  return name.replace('.', ` ${time.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}.`)
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
