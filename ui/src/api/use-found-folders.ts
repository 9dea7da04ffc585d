import { useEffect, useState } from 'react'
import type { SearchHit } from '../../../src/domain/files/search-query.ts'
import { useClient } from './client.ts'
import { searchLines } from './search-lines.ts'

const MIN_QUERY_LENGTH = 2
const PAUSE = 150
/** Number of folders to suggest at most. */
const MAX_FOLDERS = 60

/** Folders that the server finds for a text, such as "/a/b/". Empty below two letters. */
export function useFoundFolders(text: string): readonly string[] {
  const client = useClient()
  const [found, setFound] = useState<readonly string[]>([])
  useEffect(() => {
    const stopping = new AbortController()
    const timer = setTimeout(() => {
      if (text.length < MIN_QUERY_LENGTH) setFound([])
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
  for await (const batch of lines) {
    for (const line of batch) {
      const hit = line === '' ? undefined : (JSON.parse(line) as SearchHit)
      if (hit?.dir) folders.push(`/${hit.path}/`)
    }
    if (folders.length >= MAX_FOLDERS) break
  }
  return folders
}

/** The caller has other suggestions. */
function ignore(): void {
  return undefined
}
