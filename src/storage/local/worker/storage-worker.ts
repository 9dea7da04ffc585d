import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { Checksum } from '../../../domain/files/resource.ts'
import { serveJobs, type WorkerJob } from '../../../platform/workers/worker-host.ts'
import { countFolder, fillRows, findSubtitles, listFolder } from './list-folder.ts'
import { walkFolder } from './walk-folder.ts'

const BUFFER = 1024 * 1024
/** Bytes between two words about how far it is. */
const TOLD_EACH = 32 * BUFFER

/**
 * Parts are numbers of bytes that were read since the last one; the result is the digest in hex.
 *
 * @param input `file`: a descriptor that can read, lent until the job has answered
 */
function* digestFile(input: { readonly file: number; readonly algorithm: Checksum }): WorkerJob {
  const hash = createHash(input.algorithm)
  const buffer = Buffer.allocUnsafeSlow(BUFFER)
  let untold = 0
  for (let position = 0; ;) {
    const count = readSync(input.file, buffer, 0, BUFFER, position)
    if (count === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, count))
    position += count
    untold += count
    if (untold < TOLD_EACH) yield
    else {
      yield untold
      untold = 0
    }
  }
}

serveJobs({ countFolder, digestFile, fillRows, findSubtitles, listFolder, walkFolder })
