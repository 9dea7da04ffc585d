import { serveJobs } from '../../../platform/workers/worker-host.ts'
import { NameIndex } from './name-index.ts'
import { searchFolder, type SearchInput } from './search-folder.ts'

/** Room for about a million names of usual length. What does not fit is read anew in each search. */
const MOST_INDEXED = 48 * 1024 * 1024

const index = new NameIndex({ most: MOST_INDEXED })

serveJobs({ searchFolder: (input: SearchInput) => searchFolder(input, index) })
