import { constants, fstatSync, lstatSync } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Amount } from '../../../domain/access/quota.ts'
import { foldForDisks } from '../../../domain/text/fold.ts'
import { isStagedName, TRASH, TRASH_CONTENT } from '../../reserved-names.ts'
import { borrow, type LentScopeRoot, type ScopeRoot } from '../scope/scope-root.ts'
import { type Identity, isSameFile } from '../system/disk.ts'
import { Handle, HOLD_FOLDER } from '../system/handle.ts'
import { holdSync, type NameBytes, pathOf, readable, readOpenNames, textOf } from './sync-calls.ts'

export interface MeasureInput {
  /** Descriptor of the main thread, open until the job ends. */
  readonly folder: number
  readonly scopeRoot: LentScopeRoot
}

interface Level {
  /** Undefined if it was closed early; `leave` opens it again, as the parent of the folder below. */
  handle: Handle | undefined
  readonly identity: Identity
  readonly names: NameBytes[]
  /** Levels below the nearest trash: 0 is the trash itself, 1 an owner, 2 around a deleted entry. Undefined outside of a trash. */
  readonly inTrash: number | undefined
}

/** Open folders at a time. A deeper tree must not exhaust the descriptors, and is still counted completely. */
const MAX_OPEN = 64
/** The folders of the trash down to this level are ours, and do not count. */
const IN_TRASH = 2
/** Entries between two turns of other jobs. */
const STEP = 500

/** Returns an `Amount`. */
export function* measureFolder(input: MeasureInput): Generator<undefined, Amount, void> {
  const scopeRoot = borrow(input.scopeRoot)
  const levels = [levelOf(scopeRoot, new Handle(input.folder), undefined)]
  let [bytes, files, entries] = [0, 0, 0]
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if ((entries += 1) % STEP === 0) yield
      const name = level.names.pop()
      if (name === undefined) {
        levels.pop()
        leave(level, levels.at(-1))
        continue
      }
      const folder = level.handle ?? fail('INTERNAL', 'a folder is not open')
      if (isStagedName(name) || (level.inTrash === IN_TRASH && name !== TRASH_CONTENT)) continue
      const stats = readable(() => lstatSync(pathOf(folder, name), { bigint: true, throwIfNoEntry: false }))
      if (stats === undefined || scopeRoot.protectedPaths.has(stats)) continue
      if (!stats.isDirectory()) {
        bytes += Number(stats.size)
        files += 1
        continue
      }
      const inTrash = isTrash(name) ? 0 : level.inTrash === undefined ? undefined : level.inTrash + 1
      if (inTrash === undefined || inTrash > IN_TRASH) files += 1
      // O_NOFOLLOW, because the folder may have been swapped for a link since the lstat().
      const child = readable(() => holdSync(pathOf(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW))
      if (child === undefined) continue
      levels.push(levelOf(scopeRoot, child, inTrash))
      // Never the first level, whose descriptor belongs to the main thread.
      const early = levels.length > MAX_OPEN + 1 ? levels.at(-1 - MAX_OPEN) : undefined
      if (early !== undefined) close(early)
    }
    return { bytes, files }
  } finally {
    for (const level of levels.slice(1)) close(level)
  }
}

function levelOf(scopeRoot: ScopeRoot, handle: Handle, inTrash: number | undefined): Level {
  const identity = fstatSync(handle.fd, { bigint: true })
  return { handle, identity, names: readable(() => readOpenNames(scopeRoot, handle)) ?? [], inTrash }
}

function close(level: Level): void {
  level.handle?.[Symbol.dispose]()
  level.handle = undefined
}

/**
 * Goes up. Compares the identity. The attack: moving the folder out of the tree, so that ".." leads to another folder.
 *
 * @throws CONFLICT
 */
function leave(level: Level, above: Level | undefined): void {
  if (above === undefined) return
  if (above.handle === undefined && level.handle !== undefined) {
    const parent = holdSync(pathOf(level.handle, '..'), HOLD_FOLDER)
    above.handle = parent
    if (!isSameFile(fstatSync(parent.fd, { bigint: true }), above.identity))
      fail('CONFLICT', 'a folder was moved meanwhile: try again', { reason: 'changed' })
  }
  close(level)
}

function isTrash(name: NameBytes): boolean {
  return name.startsWith('.') && foldForDisks(textOf(name)) === TRASH
}
