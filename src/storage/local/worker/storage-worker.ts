import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { Checksum } from '../../../domain/files/resource.ts'
import { serveJobs, type WorkerJob } from '../../../platform/workers/worker-host.ts'
import { countFolder, fillRows, findSubtitles, listFolder } from './list-folder.ts'
import { readTrash } from './read-trash.ts'
import { walkFolder } from './walk-folder.ts'

/** Bytes. Small, so that the data is still in the CPU cache when it is hashed. */
const BUFFER = 128 * 1024
/** Bytes of one step. */
const STEP = 8 * BUFFER
/** Bytes between two progress reports. */
const REPORT_INTERVAL = 32 * STEP

/**
 * Yields the number of bytes read since the last report; returns the digest in hex.
 *
 * @param input `file` is a readable descriptor of the main thread, open until the job ends
 */
function* digestFile(input: { readonly file: number; readonly algorithm: Checksum }): WorkerJob {
  const hash = createHash(input.algorithm)
  const buffer = Buffer.allocUnsafeSlow(BUFFER)
  let reported = 0
  let stepped = 0
  for (let position = 0; ;) {
    const count = readSync(input.file, buffer, 0, BUFFER, position)
    if (count === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, count))
    position += count
    if (position - stepped < STEP) continue
    stepped = position
    if (position - reported < REPORT_INTERVAL) yield
    else {
      yield position - reported
      reported = position
    }
  }
}

serveJobs({ countFolder, digestFile, fillRows, findSubtitles, listFolder, readTrash, walkFolder })
