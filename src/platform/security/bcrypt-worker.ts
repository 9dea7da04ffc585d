import { compareSync } from 'bcryptjs'
import { serveJobs } from '../workers/worker-host.ts'

/** One comparison takes a processor for a tenth of a second, which the event loop does not have. */
serveJobs({
  // eslint-disable-next-line require-yield -- it has one step only
  *compare({ password, hash }: { password: string; hash: string }) {
    return compareSync(password, hash)
  },
})
