import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { listening } from './listening.ts'

const INSTALLED = join(import.meta.dirname, '../../../node_modules/.cache/cluster/moto/bin/moto_server')
const BUCKET = 'files'

/** An S3 server in memory, which keeps each key as it is, and does not check who asks. */
export interface Moto extends AsyncDisposable {
  readonly bucket: string
  /** Environment variables for its clients. */
  readonly env: Readonly<Record<string, string>>
  /** Stores an object as another program would. */
  plant(key: string, content: string): Promise<void>
  keys(prefix: string): Promise<string[]>
}

export async function startMoto(): Promise<Moto> {
  const port = await freePort()
  const program = existsSync(INSTALLED) ? INSTALLED : 'moto_server'
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  await Promise.race([listening(port), once(child, 'exit').then(() => Promise.reject(new Error('moto ended')))])
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string, init?: RequestInit) => {
    const reply = await fetch(`${url}/${BUCKET}${path}`, init)
    if (!reply.ok) throw new Error(`moto answers ${reply.status}`)
    return await reply.text()
  }
  await ask('', { method: 'PUT' })
  return {
    bucket: BUCKET,
    env: { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1' },
    async plant(key, content) {
      await ask(`/${key}`, { method: 'PUT', body: content })
    },
    async keys(prefix) {
      const xml = await ask(`?list-type=2&prefix=${encodeURIComponent(prefix)}`)
      return [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key.slice(prefix.length))
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
