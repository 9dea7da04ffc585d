import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { Checksum } from '../../../domain/files/resource.ts'
import { serveJobs, type WorkerJob } from '../../../platform/workers/worker-host.ts'
import { countFolder, fillRows, findSubtitles, listFolder } from './list-folder.ts'
import { walkFolder } from './walk-folder.ts'

/** What is read is still in the cache of the processor when it is hashed. */
const BUFFER = 128 * 1024
/** Bytes of one step. */
const STEP = 8 * BUFFER
/** Bytes between two words about how far it is. */
const TOLD_EACH = 32 * STEP

/**
 * Parts are numbers of bytes that were read since the last one; the result is the digest in hex.
 *
 * @param input `file`: a descriptor that can read, lent until the job has answered
 */
function* digestFile(input: { readonly file: number; readonly algorithm: Checksum }): WorkerJob {
  const hash = createHash(input.algorithm)
  const buffer = Buffer.allocUnsafeSlow(BUFFER)
  let told = 0
  let stepped = 0
  for (let position = 0; ;) {
    const count = readSync(input.file, buffer, 0, BUFFER, position)
    if (count === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, count))
    position += count
    if (position - stepped < STEP) continue
    stepped = position
    if (position - told < TOLD_EACH) yield
    else {
      yield position - told
      told = position
    }
  }
}

serveJobs({ countFolder, digestFile, fillRows, findSubtitles, listFolder, walkFolder })
