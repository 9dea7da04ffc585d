const KEY = 'filemgr:places'
const MOST = 200

/** Where one was in a video, a song or a book, kept in this browser. */
export interface Places {
  get(file: string): string | undefined
  keep(file: string, place: string): void
  forget(file: string): void
}

/** The latest 200 are kept. What another program has put there counts for nothing. */
export function createPlaces(storage: Pick<Storage, 'getItem' | 'setItem'>): Places {
  const read = (): [string, string][] => {
    try {
      const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isPair) : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  }
  const write = (pairs: readonly [string, string][]): void => {
    try {
      storage.setItem(KEY, JSON.stringify(pairs.slice(-MOST)))
    } catch (error) {
      // A full storage costs the place, not the film.
      if (!(error instanceof DOMException)) throw error
    }
  }
  const without = (file: string) => read().filter(([name]) => name !== file)
  return {
    get: (file) => read().find(([name]) => name === file)?.[1],
    keep: (file, place) => write([...without(file), [file, place]]),
    forget: (file) => write(without(file)),
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}
