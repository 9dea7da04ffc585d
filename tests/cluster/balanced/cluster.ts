import { afterAll, beforeAll } from 'vitest'
import { type Balancer, startBalancer } from '../../helpers/cluster/balancer.ts'
import { type S3Server, startS3Server } from '../../helpers/cluster/s3-server.ts'
import type { TestPostgres } from '../../helpers/postgres.ts'
import { type Machines, machinesOfFile } from '../machines.ts'

/** Three daemons with one database and one bucket, behind nginx. */
export interface Cluster extends Machines {
  readonly postgres: TestPostgres
  /** The folder in which other programs see the files. */
  readonly bucket: string
  /** The URL of nginx; ends with a slash. */
  readonly balancer: string
  /** Asks any daemon as the administrator. */
  askAny(path: string, init?: RequestInit): Promise<Response>
}

/** One for all tests of a file. */
export function clusterOfFile(): () => Cluster {
  const { postgres, machines } = machinesOfFile()
  const held = new AsyncDisposableStack()
  let cluster: Cluster | undefined
  beforeAll(async () => {
    const s3: S3Server = held.use(await startS3Server())
    const env = { ...s3.env, FILEMGR_TRUSTED_PROXIES: '127.0.0.1' }
    const started = held.use(await machines({ root: `s3://${s3.bucket}`, env, count: 3 }))
    const balancer: Balancer = held.use(await startBalancer(started.all.map(({ url }) => url)))
    cluster = {
      ...started,
      postgres: postgres(),
      balancer: balancer.url,
      bucket: s3.folder,
      async askAny(path, init = {}) {
        const headers = new Headers(init.headers)
        headers.set('x-auth', started.one.token)
        return await fetch(new URL(path, balancer.url), { ...init, headers })
      },
    }
  })
  // Runs before the database stops.
  afterAll(async () => await held.disposeAsync())
  return () => {
    if (cluster === undefined) throw new Error('the cluster has not started')
    return cluster
  }
}
