/** A picked, dropped or pasted file, or a folder that may be empty. Files stay handles; nothing is read here. */
export interface UploadEntry {
  /** Segments below the target folder, the name last: "photos/2025/a.jpg". */
  readonly path: string
  /** null for a folder. */
  readonly file: File | null
  readonly origin?: FileOrigin | undefined
}

export function topOf(entry: UploadEntry): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(0, slash)
}

/** Adds the folders above the entries. Folders come first, by depth, so that each exists before its contents. */
export function withFolders(entries: readonly UploadEntry[]): UploadEntry[] {
  const folders = new Set<string>()
  const files: UploadEntry[] = []
  for (const entry of entries) {
    if (entry.file === null) folders.add(entry.path)
    else files.push(entry)
    for (let end = entry.path.lastIndexOf('/'); end > 0; end = entry.path.lastIndexOf('/', end - 1)) {
      folders.add(entry.path.slice(0, end))
    }
  }
  const depth = (path: string): number => path.split('/').length
  const sorted = [...folders].sort((a, b) => depth(a) - depth(b))
  return [...sorted.map((path) => ({ path, file: null })), ...files]
}

/** The files of an `<input type=file>`; a folder input gives the path from the picked folder on. */
export function entriesOfFiles(files: Iterable<File>): UploadEntry[] {
  return Array.from(files, (file) => ({ path: (file.webkitRelativePath || file.name).replace(/^\/+/, ''), file }))
}

/** A handle to a dropped file or folder that can be stored and read after a reload, where the browser supports it. */
export interface FileOrigin {
  readonly handle: FileSystemHandle
  /** Below that handle; empty for itself. */
  readonly path: string
}

/** The content of a drop or paste. Read it during the event: the browser empties it when the handler returns. */
interface Dropped {
  readonly entries: readonly FileSystemEntry[]
  /** A storable handle for each entry, where the browser supports it. */
  readonly handles: readonly (Promise<FileSystemHandle | null> | undefined)[]
  /** Files without an entry, such as a pasted picture. */
  readonly files: readonly File[]
}

interface HandleItem extends DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
}

export function takeDropped(transfer: Pick<DataTransfer, 'items'>): Dropped {
  const entries: FileSystemEntry[] = []
  const handles: Dropped['handles'][number][] = []
  const files: File[] = []
  for (const item of transfer.items as Iterable<HandleItem>) {
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

/**
 * Walks dropped folders. Empty folders come along as entries of their own; files are not read.
 *
 * @throws the reason of the signal
 */
export async function walkDropped(dropped: Dropped, signal: AbortSignal): Promise<UploadEntry[]> {
  const found: UploadEntry[] = dropped.files.map((file) => ({ path: pastedName(file), file }))
  for (const [index, entry] of dropped.entries.entries()) {
    const handle = (await dropped.handles[index]) ?? undefined
    const location = { path: entry.name, origin: handle === undefined ? null : { handle, path: '' } }
    await walk([entry], { locationOf: () => location, handleOf: () => handle }, found, signal)
  }
  return found
}

interface EntryLocation {
  readonly path: string
  readonly origin: FileOrigin | null
}

/** Where the entries of a folder are. */
interface Siblings {
  locationOf(name: string): EntryLocation
  handleOf(name: string): FileSystemHandle | undefined
}

/** Asks for all files of a batch at once: each is a question to another process of the browser. */
async function walk(
  batch: readonly FileSystemEntry[],
  { locationOf, handleOf }: Siblings,
  found: UploadEntry[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const files = await Promise.all(
    batch.map(async (entry) => (isFile(entry) ? await fileOf(entry, handleOf(entry.name)) : null)),
  )
  for (const [index, entry] of batch.entries()) {
    const location = locationOf(entry.name)
    const { path, origin } = location
    const file = files[index] ?? null
    if (file !== null) found.push({ path, file, ...(origin && { origin }) })
    if (!isDirectory(entry)) continue
    found.push({ path, file: null })
    const handles = await handlesIn(handleOf(entry.name))
    const siblings = {
      locationOf: (name: string) => below(location, name),
      handleOf: (name: string) => handles.get(name),
    }
    for await (const children of childrenOf(entry)) await walk(children, siblings, found, signal)
  }
}

/** A handle finds its file several times faster than an entry does. */
async function fileOf(entry: FileSystemFileEntry, handle: FileSystemHandle | undefined): Promise<File> {
  const file = isFileHandle(handle) ? await handle.getFile().catch(() => undefined) : undefined
  return file ?? (await new Promise<File>((resolve, reject) => entry.file(resolve, reject)))
}

/** Not the list of what is in the folder: browsers leave out names that other systems do not allow, such as "a:b". */
async function handlesIn(folder: FileSystemHandle | undefined): Promise<ReadonlyMap<string, FileSystemHandle>> {
  const handles = new Map<string, FileSystemHandle>()
  if (folder?.kind !== 'directory') return handles
  try {
    for await (const handle of (folder as FileSystemDirectoryHandle).values()) handles.set(handle.name, handle)
  } catch {
    // Entries alone do as well.
  }
  return handles
}

function below({ path, origin }: EntryLocation, name: string): EntryLocation {
  const within = origin && { handle: origin.handle, path: origin.path === '' ? name : `${origin.path}/${name}` }
  return { path: `${path}/${name}`, origin: within }
}

/** A reader hands out a hundred at a time and ends with an empty batch. */
async function* childrenOf(folder: FileSystemDirectoryEntry): AsyncIterable<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return
    yield batch
  }
}

/** Browsers name every pasted picture "image.png", so the second would conflict with the first. */
function pastedName({ name, lastModified }: File): string {
  if (!/^image\.\w+$/.test(name)) return name
  const time = new Date(lastModified - new Date(lastModified).getTimezoneOffset() * 60_000)
  return name.replace('.', ` ${time.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')}.`)
}

function isFileHandle(handle: FileSystemHandle | undefined): handle is FileSystemFileHandle {
  return handle?.kind === 'file'
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** Opens the file dialog of the browser. Resolves with nothing when it is cancelled. */
export function pickFiles(kind: 'files' | 'folder'): Promise<readonly File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = kind === 'folder'
  return new Promise((resolve) => {
    input.onchange = () => resolve([...(input.files ?? [])])
    input.oncancel = () => resolve([])
    input.click()
  })
}
