import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOver, type Job } from '../../src/domain/automation/job.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { type Machines, machinesOfFile } from './machines.ts'

const { postgres, machines } = machinesOfFile()

let s3: S3Server
let client: S3Client
beforeAll(async () => {
  s3 = await startS3Server()
  const { AWS_ENDPOINT_URL = '', AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = s3.env
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  client = new S3Client({ endpoint: AWS_ENDPOINT_URL, region: AWS_REGION, forcePathStyle: true, credentials })
})
afterAll(async () => {
  client.destroy()
  await s3[Symbol.asyncDispose]()
})

const KEYS = 1000
const WAIT = { timeout: 300_000, interval: 50 }
const names = Array.from({ length: KEYS }, (_, index) => `${index % 7}/${index}.txt`)

/** Files that contain their names, in a folder of a bucket that two daemons serve. */
async function filled(name: string, paths = names): Promise<Machines> {
  const waiting = [...paths]
  const put = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
      await client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: `${name}/from/${path}`, Body: path }))
  }
  await Promise.all(Array.from({ length: 8 }, put))
  return await machines({ root: `s3://${s3.bucket}/${name}`, env: s3.env })
}

async function filesIn({ ask, other }: Machines, folder: string): Promise<string[]> {
  const answer = await ask(other, `api/search/${folder}?query=.txt`)
  if (answer.status === 404) return []
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { path: string }).path)
}

async function begin({ ask, one }: Machines, method: string, path: string): Promise<Job> {
  const answer = await ask(one, path, { method, headers: { prefer: 'respond-async' } })
  expect(answer.status).toBe(202)
  return (await answer.json()) as Job
}

const jobAt = async ({ ask }: Machines, daemon: TestDaemon, id: string) =>
  (await (await ask(daemon, `api/jobs/${id}`)).json()) as Job

/** The first daemon meets its fate when a part is done; the other one ends the job. */
async function overAfter(cluster: Machines, { id }: Job, fate: 'SIGKILL' | 'SIGSTOP'): Promise<Job> {
  const { one, other } = cluster
  await expect.poll(async () => (await jobAt(cluster, one, id)).progress.files, WAIT).toBeGreaterThan(150)
  expect(isOver(await jobAt(cluster, one, id))).toBe(false)
  if (fate === 'SIGSTOP') process.kill(one.pid, fate)
  else await one.stop(fate)
  await expect.poll(async () => isOver(await jobAt(cluster, other, id)), WAIT).toBe(true)
  if (fate === 'SIGSTOP') process.kill(one.pid, 'SIGCONT')
  if (fate === 'SIGSTOP')
    await expect.poll(async () => await jobAt(cluster, one, id), WAIT).toEqual(await jobAt(cluster, other, id))
  const unfinished = "SELECT count(*) FROM filemgr_records WHERE kind = 'unfinished'"
  expect(await postgres().query(cluster.url, unfinished)).toBe('0')
  return await jobAt(cluster, other, id)
}

it.each(['SIGKILL', 'SIGSTOP'] as const)('a folder is moved by another daemon when the first gets %s', async (fate) => {
  await using cluster = await filled(`move-${fate}`)
  const job = await begin(cluster, 'PATCH', 'api/resources/from?action=rename&destination=%2Fto')
  expect(await overAfter(cluster, job, fate)).toMatchObject({ state: 'done', leftOut: [] })
  expect((await filesIn(cluster, 'to')).toSorted()).toEqual(names.toSorted())
  expect(await filesIn(cluster, 'from')).toEqual([])
  expect((await cluster.ask(cluster.other, 'api/resources/from')).status).toBe(404)
})

it('a folder is copied by another daemon when the first gets SIGKILL', async () => {
  await using cluster = await filled('copy')
  const copy = await begin(cluster, 'PATCH', 'api/resources/from?action=copy&destination=%2Fto')
  expect(await overAfter(cluster, copy, 'SIGKILL')).toMatchObject({ state: 'done', leftOut: [] })
  for (const folder of ['from', 'to']) expect((await filesIn(cluster, folder)).toSorted()).toEqual(names.toSorted())
})

it('a folder is put into one entry of the trash by two daemons, and restored', async () => {
  await using cluster = await filled('trash')
  const job = await begin(cluster, 'DELETE', 'api/resources/from?trash=true')
  expect(await overAfter(cluster, job, 'SIGKILL')).toMatchObject({ state: 'done', leftOut: [] })
  const items = (await (await cluster.ask(cluster.other, 'api/trash')).json()) as { id: string }[]
  expect(items).toHaveLength(1)
  expect(await filesIn(cluster, 'from')).toEqual([])
  await cluster.ask(cluster.other, `api/trash/${items[0]?.id ?? ''}`, { method: 'POST' })
  await expect.poll(async () => (await filesIn(cluster, 'from')).length, WAIT).toBe(KEYS)
})

it.each([1, 40, 150])('a batch rename in a cycle is ended by another daemon after %d steps', async (steps) => {
  const old = Array.from({ length: 200 }, (_, index) => `f${index}`)
  await using cluster = await filled(`renames-${steps}`, old)
  const { ask, one, other, url } = cluster
  const renames = old.map((from, index) => ({ from, to: old[(index + 1) % old.length] }))
  const headers = { 'content-type': 'application/json', prefer: 'respond-async' }
  const answer = await ask(one, 'api/rename/from', { method: 'POST', body: JSON.stringify({ renames }), headers })
  expect(answer.status).toBe(202)
  const { id } = (await answer.json()) as Job
  await expect.poll(async () => (await jobAt(cluster, one, id)).progress.files, WAIT).toBeGreaterThan(steps)
  await one.stop('SIGKILL')
  await expect.poll(async () => isOver(await jobAt(cluster, other, id)), WAIT).toBe(true)
  const { state, renames: outcome } = await jobAt(cluster, other, id)
  expect({ state, failed: outcome?.failed }).toEqual({ state: 'done', failed: [] })
  const listed = (await (await ask(other, 'api/resources/from')).json()) as { items: { name: string }[] }
  expect(listed.items.map(({ name }) => name).toSorted()).toEqual(old.toSorted())
  for (const { from, to } of renames) expect(await (await ask(other, `api/raw/from/${to}`)).text()).toBe(from)
  const left = "SELECT count(*) FROM filemgr_records WHERE kind IN ('unfinished', 'step')"
  await expect.poll(async () => await postgres().query(url, left), WAIT).toBe('0')
})
