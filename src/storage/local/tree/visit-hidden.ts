import type { HiddenEntry } from '../../../domain/files/hidden-entry.ts'
import type { Work } from '../../storage.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { rename } from '../system/gated-calls.ts'
import { at } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type IsLiving, isStagedName, otherStagedName, TRASH } from '../../reserved-names.ts'
import { removeTree } from './remove-tree.ts'
import { undoLeftPlacement } from './placement-plan.ts'
import { walk, type Entry } from './walk.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Errors of folders that the daemon cannot enter: it has staged nothing in them, so the visit is complete without them. */
const NOT_OURS = new Set(['EACCES', 'EPERM'])

/** @returns false if an entry could not be read or removed */
export async function visitHidden(
  scopeRoot: ScopeRoot,
  visit: (entry: HiddenEntry) => Promise<boolean> | boolean,
  work: Work,
  clock: Clock,
): Promise<boolean> {
  let isComplete = true
  const isLiving = await scopeRoot.staged.living(clock)
  const onSkip = (error: unknown) => {
    if (!NOT_OURS.has(errnoCode(error) ?? '')) isComplete = false
  }
  const removeIfChosen = async (entry: Entry, found: HiddenEntry): Promise<boolean> => {
    if (!(await visit(found))) return false
    try {
      if (found.kind === 'staged' && found.isDir) await removeStaged(scopeRoot, entry, work)
      else await removeTree(entry, work)
    } catch (error) {
      if (work.signal?.aborted === true) throw error
      // The next visit tries again.
      isComplete = false
    }
    return true
  }
  const visitor = {
    async file(entry: Entry): Promise<void> {
      const staged = stagedAt(scopeRoot, isLiving, entry)
      if (staged !== undefined) await removeIfChosen(entry, staged)
    },
    async enter(entry: Entry): Promise<boolean> {
      if (scopeRoot.protectedPaths.has(entry.stats)) return false
      const staged = stagedAt(scopeRoot, isLiving, entry)
      if (staged !== undefined) {
        await removeIfChosen(entry, staged)
        return false
      }
      const trash = trashAt(entry)
      return trash === undefined || !(await removeIfChosen(entry, trash))
    },
  }
  await walk(scopeRoot.folder, visitor, { work, prefix: '/', onSkip })
  return isComplete
}

/**
 * Renames the folder first. A daemon that others take for dead may still run: otherwise it could put the folder in place while that is
 * being emptied, and then remove the originals.
 */
async function removeStaged({ effects }: ScopeRoot, { folder, name, text }: Entry, work: Work): Promise<void> {
  const taken = { folder, name: otherStagedName(text) }
  try {
    await rename(at(folder, name), at(folder, taken.name))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  await undoLeftPlacement(effects, taken, false)
  await removeTree(taken, work)
}

function stagedAt({ staged }: ScopeRoot, isLiving: IsLiving, { text, stats, path }: Entry): HiddenEntry | undefined {
  if (!isStagedName(text)) return undefined
  const isDir = stats.isDirectory()
  const size = isDir ? 0 : Number(stats.size)
  const changed = Number(stats.ctimeMs)
  const whose = { by: staged.stagedBy(text), isAlive: isLiving(text, changed) }
  return { kind: 'staged', path, name: text, ...whose, isDir, size, changed }
}

/** Ignores a trash inside a trashed folder, which is restored or deleted with that folder. */
function trashAt({ path }: Entry): HiddenEntry | undefined {
  const [scope = '', owner, ...deeper] = path.split(new RegExp(`/${TRASH}/`, 'i'))
  if (owner === undefined || owner.includes('/') || deeper.length > 0) return undefined
  return { kind: 'trash', path, owner, scope: scope === '' ? '/' : scope }
}
