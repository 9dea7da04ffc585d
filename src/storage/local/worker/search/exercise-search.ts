import { closeSync, openSync } from 'node:fs'
import { ROOT } from '../../../../domain/virtual-path.ts'
import { bareGround } from '../../ground.ts'
import { lend } from '../../lent-ground.ts'
import { HOLD_FOLDER, Pin } from '../../pin.ts'
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
    const ground = lend(bareGround(new Pin(folder), 'inside'), [])
    const end = performance.now() + LONG_ENOUGH
    while (performance.now() < end) {
      const input = { folder, ground, hideDotfiles: false, query: QUERY, rulePaths: [ROOT] }
      for (const _hits of searchFolder(input, new NameIndex({ most: 0 }))) yield undefined
    }
  } finally {
    closeSync(folder)
  }
}
