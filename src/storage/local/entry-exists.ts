import { lstat } from './gated-calls.ts'
import { judgeEntry, type ScopeRoot } from './scope-root.ts'
import { errnoCode } from './os-error.ts'
import { at } from './handle.ts'
import { holdFolder } from './resolve.ts'

/** Without following a link at the end: one into nothing is there. */
export async function entryExists(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<boolean> {
  const name = segments.at(-1)
  if (name === undefined) return true
  try {
    using folder = await holdFolder(scopeRoot, segments.slice(0, -1))
    judgeEntry(scopeRoot, folder, name, await lstat(at(folder, name), { bigint: true }))
    return true
  } catch (error) {
    if (errnoCode(error) === 'ENOENT' || errnoCode(error) === 'ENOTDIR') return false
    throw error
  }
}
