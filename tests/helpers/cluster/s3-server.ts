import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../temp-folder.ts'
import { freePort } from '../free-port.ts'
import { programAt } from '../needs.ts'
import { listening } from './listening.ts'
import { startMinio } from './minio.ts'

const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/cluster/versitygw')
const BUCKET = 'files'
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' }

/** An S3 server on this machine, over a temporary folder. */
export interface S3Server extends AsyncDisposable {
  readonly bucket: string
  /** Environment variables for its clients. */
  readonly env: Readonly<Record<string, string>>
  /** The folder in which other programs see the objects as files. */
  readonly folder: string
  readonly pid: () => number
  stop(): Promise<void>
  start(): Promise<void>
}

/**
 * versitygw; with `FILEMGR_S3_SERVER=minio`, that server instead.
 *
 * @param accessLog file for one line per request
 */
export async function startS3Server(accessLog?: string): Promise<S3Server> {
  if (process.env['FILEMGR_S3_SERVER'] === 'minio') return await startMinio()
  const folder = await tempFolder({ 'buckets/': '' })
  mkdirSync(folder.at(`buckets/${BUCKET}`))
  const port = await freePort()
  let child: ReturnType<typeof spawn> | undefined
  const server: S3Server = {
    bucket: BUCKET,
    env: { ...CREDENTIALS, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_REGION: 'us-east-1' },
    folder: folder.at(`buckets/${BUCKET}`),
    pid: () => child?.pid ?? 0,
    async start() {
      const keys = {
        ROOT_ACCESS_KEY: CREDENTIALS.AWS_ACCESS_KEY_ID,
        ROOT_SECRET_KEY: CREDENTIALS.AWS_SECRET_ACCESS_KEY,
      }
      const log = accessLog === undefined ? [] : ['--access-log', accessLog]
      const args = ['--port', `127.0.0.1:${port}`, '--quiet', ...log, 'posix', folder.at('buckets')]
      child = spawn(programAt(INSTALLED, 'versitygw'), args, {
        env: { PATH: process.env['PATH'] ?? '', ...keys },
        stdio: 'ignore',
      })
      await Promise.race([
        listening(port),
        once(child, 'exit').then(() => Promise.reject(new Error('versitygw ended'))),
      ])
    },
    async stop() {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
  await server.start()
  return server
}
