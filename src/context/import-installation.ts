import { resolve } from 'node:path'
import { fail } from '../domain/errors.ts'
import { combined } from '../services/filebrowser/from-export.ts'
import type { ImportReport } from '../services/filebrowser/import-report.ts'
import type { OldInstallation } from '../services/filebrowser/old-record.ts'
import { planImport } from '../services/filebrowser/plan-import.ts'
import type { StoreDocument } from '../store/document.ts'
import { createStore, openStores, storeExists } from '../store/open-stores.ts'
import type { StoreLog } from '../store/store-log.ts'
import { surveyGround } from './import-ground.ts'
import { findShareTargets } from './import-targets.ts'
import { readImportSource, type ImportSource } from './import-source.ts'

export interface ImportRequest {
  /** A database, or exports, of one installation. */
  readonly files: readonly string[]
  /** The data folder to move into. */
  readonly folder: string
  readonly workingFolder: string
  /** The folder to serve, in place of the one that the installation names. */
  readonly root?: string | undefined
  /** Tell what would be done, and do nothing. */
  readonly dryRun: boolean
  /** Add to the accounts that are there. */
  readonly merge: boolean
  readonly log: StoreLog
}

export interface ImportOutcome {
  readonly report: ImportReport
  /** The store has accounts, so that only `merge` would carry it out. */
  readonly needsMerge: boolean
}

/**
 * Moves an installation of File Browser into a data folder, with one write of the store, or not at all.
 *
 * @throws INVALID_INPUT, NOT_FOUND, FORBIDDEN, TOO_LARGE for the files; CONFLICT when there are accounts and `merge` is not
 *         given; STORE_BUSY also when File Browser has the database open; STORE_INVALID, NO_SPACE
 */
export async function importInstallation(request: ImportRequest): Promise<ImportOutcome> {
  const { folder, dryRun, merge, log } = request
  const sources: ImportSource[] = []
  for (const file of request.files) sources.push(await readImportSource(resolve(request.workingFolder, file)))
  const usedBy = sources.find((source) => source.usedBy !== undefined)?.usedBy
  if (usedBy !== undefined && !dryRun) {
    fail('STORE_BUSY', `File Browser (process ${usedBy}) has the database open; stop it, or import a copy of the file`)
  }
  const old = withRoot(combined(sources.map(({ installation }) => installation)), request)
  const survey = await surveyGround({ old, sources, workingFolder: request.workingFolder })
  const ground = { ...survey, findTarget: await findShareTargets(survey) }
  const plan = (existing: Readonly<StoreDocument> | undefined) => planImport({ ...ground, existing })

  if (!(await storeExists(folder))) {
    const { document, report } = plan(undefined)
    if (!dryRun) await createStore(folder, document, log)
    return { report, needsMerge: false }
  }
  await using stores = await openStores({ folder, log, repair: !dryRun })
  const hasAccounts = stores.store.snapshot().users.length > 0
  if (dryRun) return { report: plan(stores.store.snapshot()).report, needsMerge: hasAccounts && !merge }
  return await stores.store.update((draft) => {
    if (draft.users.length > 0 && !merge) {
      const advice = '--merge adds to them, --dry-run shows what that means'
      fail('CONFLICT', `the store in ${folder} has accounts already; ${advice}`)
    }
    const { document, report } = plan(draft)
    Object.assign(draft, document)
    return { report, needsMerge: false }
  })
}

/** The installation as if it had served another folder. */
function withRoot(old: OldInstallation, { root, workingFolder }: ImportRequest): OldInstallation {
  return root === undefined ? old : { ...old, server: { ...old.server, root: resolve(workingFolder, root) } }
}
