import { createMinorGc } from '../../garbage.ts'
import { serveJobs } from '../../workers/worker-host.ts'
import { createCompressBlock, type CompressInput } from '../codecs/compress-block.ts'

const minorGcAfter = createMinorGc()
const compressBlock = createCompressBlock()

serveJobs({
  compressBlock: (input: CompressInput) => {
    minorGcAfter(2 * input.block.length)
    return compressBlock(input)
  },
})
