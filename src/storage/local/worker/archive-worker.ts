import { serveJobs } from '../../../platform/worker-host.ts'
import { createYoungCollection } from '../../../platform/young-collection.ts'
import { compressBlock, type CompressInput } from './archive/compress-block.ts'
import { makeArchive, type ArchiveInput } from './archive/make-archive.ts'

const collectYoung = createYoungCollection()

serveJobs({
  compressBlock: async (input: CompressInput) => {
    collectYoung(2 * input.block.length)
    return await compressBlock(input)
  },
  makeArchive: async (input: ArchiveInput, lend) => await makeArchive(input, { lend, collectYoung }),
})
