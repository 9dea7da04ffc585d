import type { FileOrigin } from './file-origin.ts'

/** What the user picked, dropped or pasted: a file, or a folder that may be empty. Files stay handles; nothing is read here. */
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

/** Every folder above the entries as an entry of its own, folders by depth, then files: nothing waits for a later parent. */
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

/** The files of an `<input type=file>`; a folder input tells the path below the folder that was picked. */
export function entriesOfFiles(files: Iterable<File>): UploadEntry[] {
  return Array.from(files, (file) => ({ path: (file.webkitRelativePath || file.name).replace(/^\/+/, ''), file }))
}
