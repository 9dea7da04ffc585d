const KEY = 'filemgr:places'
const MAX_FILES = 200

/**
 * Where the user stopped in a video, song or book, kept in this browser for the last 200 files. Ignores stored data of
 * another shape.
 */
export function createResumePositions(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const read = (): [string, string][] => {
    try {
      const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isPair) : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  }
  const write = (pairs: readonly [string, string][]): void => {
    try {
      storage.setItem(KEY, JSON.stringify(pairs.slice(-MAX_FILES)))
    } catch (error) {
      // Playback goes on when the browser's storage is full.
      if (!(error instanceof DOMException)) throw error
    }
  }
  const without = (file: string) => read().filter(([name]) => name !== file)
  return {
    get: (file: string) => read().find(([name]) => name === file)?.[1],
    set: (file: string, position: string) => write([...without(file), [file, position]]),
    delete: (file: string) => write(without(file)),
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}
