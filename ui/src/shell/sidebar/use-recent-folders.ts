import { useEffect, useRef } from 'react'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { parseVirtualPath, ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Places } from '../../api/use-places.ts'

const MOST = 20
/** Milliseconds in a folder that count as a visit, not as passing through. */
const STAY = 5000

/** Remembers the folders in which the user stays. */
export function useRecentFolders({ recent, save }: Places, path: string | undefined): void {
  const latest = useRef({ recent, save })
  useEffect(() => {
    latest.current = { recent, save }
  })
  useEffect(() => {
    const folder = path?.endsWith('/') === true ? folderOf(path) : undefined
    if (folder === undefined) return
    const timer = setTimeout(() => {
      const known = latest.current.recent
      if (known[0] === folder) return
      const visited = [folder, ...known.filter((each) => each !== folder)].slice(0, MOST)
      void latest.current.save('recent', visited).catch(ignore)
    }, STAY)
    return () => clearTimeout(timer)
  }, [path])
}

/** The root is one click away anyway, and an address that is no path was never visited. */
function folderOf(path: string): VirtualPath | undefined {
  try {
    const folder = parseVirtualPath(path)
    return folder === ROOT ? undefined : folder
  } catch (error) {
    if (isFilemgrError(error)) return undefined
    throw error
  }
}

/** Not worth a word: the next visit saves the list again. */
function ignore(): void {
  return undefined
}
