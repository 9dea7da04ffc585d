import { setTimeout as sleep } from 'node:timers/promises'
import { mayDo } from '../../domain/access/permissions.ts'
import { fail, type FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { childOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Scope } from '../../storage/storage.ts'
import type { FileAccess } from './file-access.ts'

export interface OpeningPlace {
  readonly name: string
  readonly opening: Promise<FileAccess>
}

/** One of the places that "/" lists: open, or why it cannot be opened. */
export type PlaceInAll =
  | { readonly name: string; readonly files: FileAccess; readonly problem?: undefined }
  | { readonly name: string; readonly files?: undefined; readonly problem: FilemgrError }

/** Milliseconds after which a disk that does not answer is away. */
const PATIENCE = 3000

/** Waits for places side by side. One that is away does not hide the others. */
export async function openEach(opening: readonly OpeningPlace[]): Promise<PlaceInAll[]> {
  return await Promise.all(
    opening.map(async ({ name, opening: files }): Promise<PlaceInAll> => {
      try {
        return { name, files: await answerOf(name, files) }
      } catch (error) {
        if (!isFilemgrError(error) || error.code === 'INTERNAL') throw error
        // Whatever comes of it now, nobody waits for it.
        void files.then(
          (late) => late[Symbol.dispose](),
          () => undefined,
        )
        return { name, problem: error }
      }
    }),
  )
}

/** @throws UNAVAILABLE if the disk of a place does not answer in time */
export async function answerOf<T>(name: string, work: Promise<T>): Promise<T> {
  const late = sleep(PATIENCE, undefined, { ref: false }).then(() =>
    fail('UNAVAILABLE', `the disk of "${name}" does not answer; try again later`),
  )
  return await Promise.race([work, late])
}

export function topOf({ name }: Pick<PlaceInAll, 'name'>): VirtualPath {
  return childOf(ROOT, name)
}

/** Whether something in the place may be downloaded: where permissions depend on the folder, something may. */
export function mayDownloadIn(files: FileAccess): boolean {
  return files.hasPermissionRules || mayDo(files.permissionsAt(ROOT), 'downloads.raw')
}

/** Any place has what an archive takes. @throws UNAVAILABLE if all are away */
export function packerOf(places: readonly PlaceInAll[]): Scope {
  const here = places.find(({ files }) => files !== undefined)?.files
  if (here === undefined) throw places[0]?.problem ?? new Error('there is no place')
  return here.scope
}

export function failListsPlaces(): never {
  return fail('FORBIDDEN', 'this folder only lists your places; choose one of them', { explained: true })
}
