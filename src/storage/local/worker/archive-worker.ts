import { serveJobs } from '../../../platform/worker-host.ts'
import { createYoungCollection } from '../../../platform/young-collection.ts'
import { createCompressBlock, type CompressInput } from './archive/codecs/compress-block.ts'
import { makeArchive, type ArchiveInput } from './archive/make-archive.ts'

const collectYoung = createYoungCollection()
const compressBlock = createCompressBlock()

serveJobs({
  compressBlock: (input: CompressInput) => {
    collectYoung(2 * input.block.length)
    return compressBlock(input)
  },
  makeArchive: async (input: ArchiveInput, lend) => await makeArchive(input, { lend, collectYoung }),
})
