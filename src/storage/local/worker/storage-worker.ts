import { serveJobs } from '../../../platform/worker-host.ts'
import { digestFile } from './digest-file.ts'
import { fillRows, findSubtitles, listFolder } from './list-folder.ts'
import { walkFolder } from './walk-folder.ts'

serveJobs({ digestFile, fillRows, findSubtitles, listFolder, walkFolder })
