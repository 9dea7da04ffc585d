import { join } from 'node:path'
import type { ServerOptions } from '../domain/server-options.ts'
import { UploadRecord } from '../domain/upload.ts'
import { silentLogger } from '../platform/logger.ts'
import { createHiddenFiles, type HiddenFiles } from '../services/hidden-files.ts'
import { OpenUploads } from '../services/uploads/open-uploads.ts'
import { openLocalStorage } from '../storage/local-storage.ts'
import { StagedNames } from '../storage/local/staged-names.ts'
import type { StoreDocument } from '../store/document.ts'
import { fileRecords } from '../store/file-records.ts'
import { closedPaths } from './closed-paths.ts'
import { readStager } from './staging-run.ts'

export interface HiddenSearch {
  /** The data folder. */
  readonly folder: string
  readonly options: ServerOptions
  readonly document: StoreDocument
  /** A daemon runs: what it stages just now is not told. */
  readonly isRunning: boolean
  readonly signal: AbortSignal
}

/** Looks at what lies hidden in the served folder, and changes nothing. @throws NOT_FOUND where there is no such folder */
export async function findHidden({ folder, options, document, isRunning, signal }: HiddenSearch): Promise<HiddenFiles> {
  const closed = () => closedPaths({ dataFolder: folder, options, configFile: undefined, settings: document.settings })
  const staged = new StagedNames(await readStager(folder, isRunning))
  await using storage = await openLocalStorage(options.root, { closed, staged })
  const open = new OpenUploads(
    fileRecords({ folder: join(folder, 'uploads'), schema: UploadRecord, idOf: ({ id }) => id }),
  )
  const hidden = createHiddenFiles({ users: () => document.users, storage, options, open, log: silentLogger })
  return await hidden.find(signal)
}
