import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Listing } from '../../../../src/domain/resource.ts'
import type { SearchHit } from '../../../../src/domain/search-query.ts'
import { useClient } from '../../api/client-context.tsx'
import { searchLines } from '../../api/search-lines.ts'
import { usePlaces } from '../../api/use-places.ts'
import { parentFolder } from '../../lib/app-path.ts'

const SHORTEST = 2
const PAUSE = 150
/** Folders that a search brings; the palette shows the best of them. */
const MOST = 60

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
    found: useFound(text),
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

function useFound(text: string): readonly string[] {
  const client = useClient()
  const [found, setFound] = useState<readonly string[]>([])
  useEffect(() => {
    const stopping = new AbortController()
    const timer = setTimeout(() => {
      if (text.length < SHORTEST) setFound([])
      else void collect(searchLines(client, '/', { query: text }, stopping.signal)).then(setFound, ignore)
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [client, text])
  return found
}

/** The first folders among the hits. Leaving the loop ends the search. */
async function collect(lines: AsyncIterable<readonly string[]>): Promise<string[]> {
  const folders: string[] = []
  for await (const some of lines) {
    for (const line of some) {
      const hit = line === '' ? undefined : (JSON.parse(line) as SearchHit)
      if (hit?.dir) folders.push(`/${hit.path}/`)
    }
    if (folders.length >= MOST) break
  }
  return folders
}

function folderPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

/** The palette has more to offer than what the server finds. */
function ignore(): void {
  return undefined
}
