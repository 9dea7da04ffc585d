import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { serveJobs } from '../../../platform/workers/worker-host.ts'
import { measureFolder } from './measure-folder.ts'
import { NameIndex } from './name-index.ts'
import { searchFolder, type SearchInput } from './search-folder.ts'

/** 48 MiB are enough for about a million names. Folders that do not fit are read again in each search. */
const index = new NameIndex({ max: MEMORY_PLAN.cache })

serveJobs({
  measureFolder,
  searchFolder: (input: SearchInput) =>
    searchFolder(input, input.forgetsNames === true ? new NameIndex({ max: 0 }) : index),
})
