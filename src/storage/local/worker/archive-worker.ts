import { serveJobs } from '../../../platform/workers/worker-host.ts'
import { createMinorGc } from '../../../platform/garbage.ts'
import { createCompressBlock, type CompressInput } from './archive/codecs/compress-block.ts'
import { type ArchiveInput, makeTar, makeZip, planZip, type TarInput, type ZipInput } from './archive/make-archive.ts'

const minorGcAfter = createMinorGc()
const compressBlock = createCompressBlock()

serveJobs({
  compressBlock: (input: CompressInput) => {
    minorGcAfter(2 * input.block.length)
    return compressBlock(input)
  },
  planZip: (input: ArchiveInput) => planZip(input),
  makeZip: (input: ZipInput, lend) => makeZip(input, lend),
  makeTar: async (input: TarInput, lend) => await makeTar(input, lend),
})
