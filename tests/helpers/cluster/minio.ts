import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CreateMultipartUploadCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type StorageClass,
} from '@aws-sdk/client-s3'
import { freePort } from '../free-port.ts'
import { tempFolder } from '../temp-folder.ts'

const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/cluster/minio')
const BUCKET = 'files'
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' }

/**
 * A third S3 server, which can be started instead of both others. Other programs do not see its objects as files, and it refuses keys that no disk can hold: tests about these
 * fail with it, and so do those about programs that take no locks, since it honours no conditions of copies and removals.
 */
export async function startMinio() {
  const folder = await tempFolder({ 'drive/': '' })
  mkdirSync(folder.at(`drive/${BUCKET}`))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...CREDENTIALS, AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1' }
  const client = new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID, secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
  })
  let child: ReturnType<typeof spawn> | undefined
  const server = {
    bucket: BUCKET,
    env,
    folder: folder.at(`drive/${BUCKET}`),
    pid: () => child?.pid ?? 0,
    async start() {
      child = spawn(
        existsSync(INSTALLED) ? INSTALLED : 'minio',
        ['server', folder.at('drive'), '--address', `127.0.0.1:${port}`, '--quiet'],
        {
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: folder.path,
            MINIO_ROOT_USER: CREDENTIALS.AWS_ACCESS_KEY_ID,
            MINIO_ROOT_PASSWORD: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
            MINIO_BROWSER: 'off',
          },
          stdio: 'ignore',
        },
      )
      const ended = once(child, 'exit').then(() => Promise.reject(new Error('minio ended')))
      ended.catch(() => undefined)
      const isReady = async () => (await fetch(`${url}/minio/health/ready`).catch(() => undefined))?.ok === true
      while (!(await Promise.race([isReady(), ended]))) await pause(50)
    },
    async stop() {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async plant(key: string, content: string, headers: Readonly<Record<string, string>> = {}) {
      const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'))
      await client.send(
        new PutObjectCommand({
          Bucket: BUCKET,
          Key: key,
          Body: content,
          ContentType: headers['content-type'],
          CacheControl: headers['cache-control'],
          Tagging: headers['x-amz-tagging'],
          ContentDisposition: headers['content-disposition'],
          ContentLanguage: headers['content-language'],
          StorageClass: headers['x-amz-storage-class'] as StorageClass | undefined,
          Metadata: Object.fromEntries(metadata.map(([name, value]) => [name.slice('x-amz-meta-'.length), value])),
        }),
      )
    },
    async head(key: string) {
      const command = new HeadObjectCommand({ Bucket: BUCKET, Key: key })
      let headers: Record<string, string> = {}
      command.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args)
          headers = (result.response as { headers: Record<string, string> }).headers
          return result
        },
        { step: 'deserialize' },
      )
      await client.send(command)
      return headers
    },
    async tags(key: string) {
      const { TagSet = [] } = await client.send(new GetObjectTaggingCommand({ Bucket: BUCKET, Key: key }))
      return TagSet.map(({ Key, Value }) => `${Key}=${Value}`).toSorted()
    },
    async keys(prefix: string) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }))
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length))
    },
    async beginUpload(key: string) {
      await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: key }))
    },
    storageClass: 'REDUCED_REDUNDANCY',
    async uploads(prefix: string, names: readonly string[]) {
      // It lists those of one key only.
      const find = async (name: string) =>
        (await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: prefix + name }))).Uploads ?? []
      const found = await Promise.all(names.map(async (name) => ({ name, uploads: await find(name) })))
      return found.flatMap(({ name, uploads }) => (uploads.length > 0 ? [name] : []))
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await server.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
  await server.start()
  return server
}
