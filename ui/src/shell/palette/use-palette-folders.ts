import { useQueryClient } from '@tanstack/react-query'
import type { Listing } from '../../../../src/domain/resource.ts'
import { useFoundFolders } from '../../api/use-found-folders.ts'
import { usePlaces } from '../../api/use-places.ts'
import { parentFolder } from '../../lib/app-path.ts'

export interface PalettePlaces {
  /** Paths with a slash at the end. */
  readonly favourites: readonly string[]
  readonly recent: readonly string[]
  /** Around and beneath the open folder. */
  readonly near: readonly string[]
  /** Anywhere, by the query. */
  readonly found: readonly string[]
}

/** Folders to go to, the nearest at once and others as the server finds them. */
export function usePaletteFolders(text: string, path: string): PalettePlaces {
  const { favourites, recent } = usePlaces()
  return {
    favourites: favourites.map(folderPath),
    recent: recent.map(folderPath),
    near: useNear(path),
    found: useFoundFolders(text),
  }
}

/** Folders in the open one, and those on the way to it. */
function useNear(path: string): string[] {
  const queries = useQueryClient()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const listing = queries.getQueryData<Partial<Listing>>(['listing', folder.slice(0, -1) || '/'])
  const inside = (listing?.items ?? []).filter(({ isDir }) => isDir).map(({ name }) => `${folder}${name}/`)
  const around: string[] = []
  for (let above = folder; above !== '/';) {
    above = parentFolder(above)
    if (above !== '/') around.push(above)
  }
  return [...inside, ...around]
}

function folderPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
