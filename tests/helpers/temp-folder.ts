import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Path below the folder to content; a path that ends in a slash is a folder. */
export type FileTree = Readonly<Record<string, string | Uint8Array>>

export interface TempFolder extends AsyncDisposable {
  readonly path: string
  /** The path of an entry in the folder. */
  at(name: string): string
  /** Writes more files into it. */
  fill(files: FileTree): Promise<void>
}

/** A temporary folder for one test. Removed when disposed. */
export async function tempFolder(files: FileTree = {}): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'filemgr-test-'))
  const folder: TempFolder = {
    path,
    at: (name) => join(path, name),
    fill: async (more) => await fillFolder(path, more),
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }),
  }
  await folder.fill(files)
  return folder
}

export async function fillFolder(path: string, files: FileTree): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const target = join(path, name)
    await mkdir(name.endsWith('/') ? target : dirname(target), { recursive: true })
    if (!name.endsWith('/')) await writeFile(target, content)
  }
}
