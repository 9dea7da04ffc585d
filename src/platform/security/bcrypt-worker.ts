import { compareSync } from 'bcryptjs'
import { serveJobs } from '../workers/worker-host.ts'

/** A comparison takes a tenth of a second of CPU time, too long for the event loop. */
serveJobs({
  // eslint-disable-next-line require-yield -- a single step
  *compare({ password, hash }: { password: string; hash: string }) {
    return compareSync(password, hash)
  },
})
