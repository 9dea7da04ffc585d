import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { Checksum } from '../../../domain/resource.ts'
import type { WorkerJob } from '../../../platform/worker-host.ts'

const BUFFER = 1024 * 1024

/** @param input `file`: a descriptor that can read, lent until the job has answered */
export function* digestFile(input: { readonly file: number; readonly algorithm: Checksum }): WorkerJob {
  const hash = createHash(input.algorithm)
  const buffer = Buffer.allocUnsafeSlow(BUFFER)
  for (let position = 0; ;) {
    const count = readSync(input.file, buffer, 0, BUFFER, position)
    if (count === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, count))
    position += count
    yield
  }
}
