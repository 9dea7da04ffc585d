import { closeSync, openSync } from 'node:fs'
import { ROOT } from '../../../../domain/virtual-path.ts'
import { bareScopeRoot } from '../../scope-root.ts'
import { lend } from '../../lent-scope-root.ts'
import { HOLD_FOLDER, Handle } from '../../handle.ts'
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
    const scopeRoot = lend(bareScopeRoot(new Handle(folder), 'inside'), [])
    const end = performance.now() + LONG_ENOUGH
    while (performance.now() < end) {
      const input = { folder, scopeRoot, hideDotfiles: false, query: QUERY, rulePaths: [ROOT] }
      for (const _hits of searchFolder(input, new NameIndex({ most: 0 }))) yield undefined
    }
  } finally {
    closeSync(folder)
  }
}
