import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { programAt } from '../needs.ts'
import { listening } from './listening.ts'
import { startMinio } from './minio.ts'

const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/cluster/moto/bin/moto_server')
const BUCKET = 'files'
/** Of anybody: it is not checked. */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'

/** An S3 server in memory, which keeps each key as it is, and does not check who asks. */
export interface Moto extends AsyncDisposable {
  readonly bucket: string
  /** Environment variables for its clients. */
  readonly env: Readonly<Record<string, string>>
  /** Stores an object as another program would. */
  plant(key: string, content: string, headers?: Readonly<Record<string, string>>): Promise<void>
  head(key: string): Promise<Readonly<Record<string, string>>>
  /** As "name=value". */
  tags(key: string): Promise<string[]>
  keys(prefix: string): Promise<string[]>
  /** Begins an upload in parts. */
  beginUpload(key: string): Promise<void>
  /** Those of the names under the prefix that have an unfinished upload in parts. */
  uploads(prefix: string, names: readonly string[]): Promise<string[]>
  /** A storage class that it has beside STANDARD. */
  readonly storageClass: string
}

/** With `FILEMGR_S3_SERVER=minio`, that server instead. */
export async function startMoto(): Promise<Moto> {
  if (process.env['FILEMGR_S3_SERVER'] === 'minio') return await startMinio()
  const port = await freePort()
  const child = spawn(programAt(INSTALLED, 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  await Promise.race([listening(port), once(child, 'exit').then(() => Promise.reject(new Error('moto ended')))])
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', AUTHORIZATION)
    const reply = await fetch(`${url}/${BUCKET}${path}`, { ...init, headers })
    if (!reply.ok) throw new Error(`moto answers ${reply.status}`)
    return reply
  }
  const text = async (path: string) => await (await ask(path)).text()
  await ask('', { method: 'PUT' })
  return {
    bucket: BUCKET,
    env: { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1' },
    async plant(key, content, headers = {}) {
      await ask(`/${key}`, { method: 'PUT', body: content, headers })
    },
    async head(key) {
      return Object.fromEntries((await ask(`/${key}`, { method: 'HEAD' })).headers)
    },
    async tags(key) {
      const xml = await text(`/${key}?tagging`)
      const tags = xml.matchAll(/<Key>(.*?)<\/Key>\s*<Value>(.*?)<\/Value>/g)
      return [...tags].map(([, name, value]) => `${name}=${value}`).toSorted()
    },
    async keys(prefix) {
      const xml = await text(`?list-type=2&prefix=${encodeURIComponent(prefix)}`)
      return [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key.slice(prefix.length))
    },
    async beginUpload(key) {
      await ask(`/${key}?uploads`, { method: 'POST' })
    },
    storageClass: 'STANDARD_IA',
    async uploads(prefix, names) {
      const keys = [...(await text('?uploads')).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key)
      return names.filter((name) => keys.includes(prefix + name))
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
