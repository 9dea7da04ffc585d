import { serveJobs } from '../../../platform/worker-host.ts'
import { compressBlock } from './archive/compress-block.ts'
import { makeArchive } from './archive/make-archive.ts'

serveJobs({ compressBlock, makeArchive })
