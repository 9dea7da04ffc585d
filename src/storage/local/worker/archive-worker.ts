import { serveJobs } from '../../../platform/workers/worker-host.ts'
import { createMinorGc } from '../../../platform/minor-gc.ts'
import { createCompressBlock, type CompressInput } from './archive/codecs/compress-block.ts'
import { makeArchive, type ArchiveInput } from './archive/make-archive.ts'

const minorGcAfter = createMinorGc()
const compressBlock = createCompressBlock()

serveJobs({
  compressBlock: (input: CompressInput) => {
    minorGcAfter(2 * input.block.length)
    return compressBlock(input)
  },
  makeArchive: async (input: ArchiveInput, lend) => await makeArchive(input, { lend, minorGcAfter }),
})
