import { expect, it, vi } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { machinesOfFile, SOON } from './machines.ts'

const { postgres } = machinesOfFile()
const s3 = s3OfFile<S3Server>(startS3Server)

/** The sum of all series of a metric whose labels contain the text. */
function sumOf(text: string, metric: string, labels = ''): number {
  const lines = text.split('\n').filter((line) => /^\w+/.exec(line)?.[0] === metric && line.includes(labels))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

it('the metrics of a daemon rise with what it asks of PostgreSQL and of the S3 server', async () => {
  const port = await freePort()
  const env = { ...s3().env, FILEMGR_METRICS: `127.0.0.1:${port}` }
  const store = { FILEMGR_STORE: await postgres().database() }
  await using data = await tempFolder()
  const root = `s3://${s3().bucket}`
  await using daemon = await startTestDaemon({ root, data: data.at('data'), env: { ...env, ...store } })
  const read = async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

  const before = await read()
  const upload = await daemon.fetch('api/resources/docs/a.txt', { method: 'POST', body: 'a' })
  expect(upload.status).toBe(200)
  const after = await read()
  const rise = (metric: string, labels?: string) => sumOf(after, metric, labels) - sumOf(before, metric, labels)
  expect(rise('filemgr_postgres_statements_total', 'outcome="done"')).toBeGreaterThan(0)
  expect(rise('filemgr_postgres_statement_duration_seconds_count')).toBeGreaterThan(0)
  expect(rise('filemgr_s3_requests_total', 'operation="PutObject",status="200"')).toBeGreaterThan(0)
  expect(rise('filemgr_s3_request_duration_seconds_count', 'PutObject')).toBeGreaterThan(0)
  expect(sumOf(after, 'filemgr_leases_held')).toBeGreaterThan(0)
  expect(sumOf(after, 'filemgr_leases_lost_total')).toBe(0)

  const copy = 'api/resources/docs?action=copy&destination=%2Fcopy'
  const copied = await daemon.fetch(copy, { method: 'PATCH', headers: { prefer: 'respond-async' } })
  expect(copied.ok, await copied.text()).toBe(true)
  const ended = async () => sumOf(await read(), 'filemgr_jobs_ended_total', 'kind="copy",end="done"')
  await expect.poll(ended, SOON).toBe(1)
  expect(sumOf(await read(), 'filemgr_jobs_running')).toBe(0)

  await postgres().stop()
  const lost = async () => sumOf(await read(), 'filemgr_postgres_connections_lost_total')
  await expect.poll(lost, SOON).toBeGreaterThan(1)
  const failed = async () => sumOf(await read(), 'filemgr_postgres_connections_total', 'outcome="failed"')
  await expect.poll(failed, SOON).toBeGreaterThan(0)
  const opened = async () => sumOf(await read(), 'filemgr_postgres_connections_total', 'outcome="done"')
  const known = await opened()
  await postgres().start()
  await expect.poll(opened, SOON).toBeGreaterThan(known)

  await s3().stop()
  await daemon.fetch('api/resources/b.txt', { method: 'POST', body: 'b' })
  await s3().start()
  const retries = async () => sumOf(await read(), 'filemgr_s3_retries_total')
  await vi.waitFor(async () => expect(await retries()).toBeGreaterThan(0), SOON)
  expect(sumOf(await read(), 'filemgr_s3_requests_total', 'status="none"')).toBeGreaterThan(0)
})
