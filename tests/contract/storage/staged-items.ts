import { Readable } from 'node:stream'
import type { PlacingWork, Scope, StagedFolder } from '../../../src/storage/storage.ts'
import { path } from './view.ts'

export const MODE = { replace: false, fileMode: 0o640, folderMode: 0o750 }
/** The entries of the staged folder: two files, a folder that others have too, and a new one. */
export const ITEMS = ['a.txt', 'docs', 'new', 'z.txt'].map((name) => ({ from: name, to: name }))

/** Stages new files, of which each contains its name. */
export async function stageItems(scope: Scope, work: Pick<PlacingWork, 'signal'> = {}): Promise<StagedFolder> {
  const folder = await scope.stageFolder(path('/'), {}, work)
  for (const name of ['a.txt', 'docs/b.txt', 'docs/sub/c.txt', 'docs/more/d.txt', 'new/e.txt', 'z.txt'])
    await folder.write(path(`/${name}`), Readable.from([`new ${name}`]), MODE)
  return folder
}

/** Calls `act` right before a change. */
export function before(change: number, act: () => void): NonNullable<PlacingWork['accept']> {
  let calls = 0
  return () => {
    calls += 1
    if (calls === change) act()
  }
}
