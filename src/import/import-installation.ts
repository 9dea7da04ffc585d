import { resolve } from 'node:path'
import { fail } from '../domain/errors.ts'
import { systemClock } from '../platform/clock.ts'
import { compilePattern } from '../platform/validation/pattern.ts'
import type { StoreDocument } from '../store/document.ts'
import { createStoreAt, type StoreLocation } from '../store/location.ts'
import type { Store, StoreLog } from '../store/store.ts'
import type { ImportReport } from './filebrowser/import-report.ts'
import type { FoundTarget } from './filebrowser/import-shares.ts'
import type { OldInstallation } from './filebrowser/old-record.ts'
import { type ImportFacts, type ImportPlan, planImport } from './filebrowser/plan-import.ts'

/** An installation of another program as it was found. JSON can hold it. */
export interface FoundInstallation {
  readonly old: OldInstallation
  /** Where its relative paths begin. */
  readonly base: string
  readonly facts: ImportFacts
  /** Where links lead, by their hash. */
  readonly targets: readonly (readonly [hash: string, found: FoundTarget])[]
}

export interface ImportOutcome {
  readonly report: ImportReport
  /** The store has accounts, so the import requires `merge`. */
  readonly needsMerge: boolean
}

export interface ImportOptions {
  /** Only report what would be done. */
  readonly dryRun: boolean
  /** Add to existing accounts. */
  readonly merge: boolean
  /** The store, for messages. */
  readonly name: string
}

/** What an import does to a store, or to none. @throws INVALID_INPUT if the files were not written by File Browser */
export function planOf(
  { old, base, facts, targets }: FoundInstallation,
  existing: Readonly<StoreDocument> | undefined,
): ImportPlan {
  const known = new Map(targets)
  return planImport({
    old,
    existing,
    facts,
    absolute: (path) => resolve(base, path),
    findTarget: (hash) => known.get(hash),
    compile: compilePattern,
    now: systemClock.now(),
  })
}

/**
 * Imports an installation into a store, in one atomic write.
 *
 * @throws INVALID_INPUT; CONFLICT when there are accounts and `merge` is not given; STORE_BUSY, STORE_INVALID, NO_SPACE
 */
export async function importInto(
  store: Store<StoreDocument>,
  found: FoundInstallation,
  { dryRun, merge, name }: ImportOptions,
): Promise<ImportOutcome> {
  if (dryRun) {
    const { users } = store.snapshot()
    return { report: planOf(found, store.snapshot()).report, needsMerge: users.length > 0 && !merge }
  }
  return await store.update((draft) => {
    if (draft.users.length > 0 && !merge) {
      const advice = '--merge adds to them, --dry-run shows what that means'
      fail('CONFLICT', `the store in ${name} has accounts already; ${advice}`)
    }
    const { document, report } = planOf(found, draft)
    Object.assign(draft, document)
    return { report, needsMerge: false }
  })
}

/** Creates a store with an installation. @throws INVALID_INPUT; STORE_BUSY, STORE_INVALID, NO_SPACE */
export async function importIntoNew(
  location: StoreLocation,
  found: FoundInstallation,
  { dryRun, log }: Pick<ImportOptions, 'dryRun'> & { readonly log: StoreLog },
): Promise<ImportOutcome> {
  const { document, report } = planOf(found, undefined)
  if (!dryRun) await createStoreAt(location, document, log)
  return { report, needsMerge: false }
}
