import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { acrossContract } from '../contract/storage/suites/across.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const server = s3OfFile(startS3Server)

async function bucket(held: AsyncDisposableStack): Promise<Storage> {
  return held.use(openS3Storage({ bucket: server().bucket, prefix: `${randomUUID()}/` }))
}

async function disk(held: AsyncDisposableStack): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'filemgr-storage-'))
  held.defer(async () => await rm(folder, { recursive: true, force: true }))
  return held.use(await openLocalStorage(folder))
}

type Open = (held: AsyncDisposableStack) => Promise<Storage>

const two = (openSource: Open, openInto: Open) => async () => {
  const held = new AsyncDisposableStack()
  const [source, into] = [await openSource(held), await openInto(held)]
  return { source, into, [Symbol.asyncDispose]: async () => await held.disposeAsync() }
}

acrossContract('from a disk to a bucket', two(disk, bucket))
acrossContract('from a bucket to a disk', two(bucket, disk))
acrossContract('from one bucket to another', two(bucket, bucket))
