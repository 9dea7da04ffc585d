import { closeSync, openSync } from 'node:fs'
import { ROOT } from '../../../../domain/virtual-path.ts'
import { HOLD_FOLDER } from '../../pin.ts'
import { NameIndex } from './name-index.ts'
import { searchFolder } from './search-folder.ts'

/** Milliseconds; then the engine has compiled what a search of many folders runs. */
const LONG_ENOUGH = 60

/** Nothing is called so. */
const QUERY = { isCaseSensitive: false, types: [], terms: ['\u0001'] }

/** Searches folders of our own again and again: the first search that somebody waits for is to run compiled code. */
export function* exerciseSearch(): Generator<undefined, void, void> {
  const folder = openSync(import.meta.dirname, HOLD_FOLDER)
  try {
    const end = performance.now() + LONG_ENOUGH
    while (performance.now() < end) {
      const input = { folder, root: folder, links: 'inside', rules: [], hideDotfiles: false, query: QUERY } as const
      for (const _hits of searchFolder({ ...input, rulePath: ROOT }, new NameIndex({ most: 0 }))) yield undefined
    }
  } finally {
    closeSync(folder)
  }
}
