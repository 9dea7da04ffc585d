import { serveJobs } from '../../../platform/worker-host.ts'
import { digestFile } from './digest-file.ts'
import { countFolder, fillRows, findSubtitles, listFolder } from './list-folder.ts'
import { walkFolder } from './walk-folder.ts'

serveJobs({ countFolder, digestFile, fillRows, findSubtitles, listFolder, walkFolder })
