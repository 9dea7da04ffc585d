import { keep, readKept } from '../../lib/kept-list.ts'

const KEY = 'filemgr:places'
const MAX_FILES = 200

/**
 * Where the user stopped in a video, song or book, kept in this browser for the last 200 files. Ignores stored data of
 * another shape.
 */
export function createResumePositions(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const read = (): [string, string][] => readKept(storage, KEY).filter(isPair)
  const write = (pairs: readonly [string, string][]): void => keep(storage, KEY, pairs.slice(-MAX_FILES))
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
