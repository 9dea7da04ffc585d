import { serveJobs } from '../../../platform/workers/worker-host.ts'
import { measureFolder } from './measure-folder.ts'
import { NameIndex } from './name-index.ts'
import { searchFolder, type SearchInput } from './search-folder.ts'

/** Bytes, enough for about a million names. Folders that do not fit are read again in each search. */
const MAX_INDEX_SIZE = 48 * 1024 * 1024

const index = new NameIndex({ max: MAX_INDEX_SIZE })

serveJobs({ measureFolder, searchFolder: (input: SearchInput) => searchFolder(input, index) })
