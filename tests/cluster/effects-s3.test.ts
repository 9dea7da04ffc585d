import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { machinesOfFile, type Machines } from './machines.ts'

const { machines } = machinesOfFile()
const ROUNDS = 8

let server: S3Server

beforeAll(async () => {
  server = await startS3Server()
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const renameTo = (from: string, to: string) => `${from}?action=rename&destination=${encodeURIComponent(to)}`

const ofBucket = async (name: string) =>
  await machines({ root: `s3://${server.bucket}/${name}`, env: server.env, count: 3 })

const change = async (cluster: Machines, daemon: TestDaemon, method: string, path: string, body?: string) =>
  (await cluster.ask(daemon, `api/resources${path}`, { method, ...(body !== undefined && { body }) })).status

const contents = async (cluster: Machines) => {
  const listing = (await (await cluster.ask(cluster.one, 'api/resources/')).json()) as { items: { name: string }[] }
  const read = listing.items.map(
    async ({ name }) => [name, await (await cluster.ask(cluster.one, `api/raw/${name}`)).text()] as const,
  )
  return new Map(await Promise.all(read))
}

describe('three daemons with one bucket', () => {
  it('let one of several renames of a file, and of its trashing and deletion, win', async () => {
    await using cluster = await ofBucket('one-wins')
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await change(cluster, cluster.one, 'POST', '/new.txt', String(round))).toBe(200)
      const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name, index) => {
        const daemon = cluster.all[index % 3] ?? cluster.one
        return await change(cluster, daemon, 'PATCH', renameTo('/new.txt', `/${name}.txt`))
      })
      asked.push(change(cluster, cluster.one, 'DELETE', '/new.txt?trash=true'))
      asked.push(change(cluster, cluster.other, 'DELETE', '/new.txt'))
      const statuses = await Promise.all(asked)
      const left = await contents(cluster)
      expect(
        statuses.filter((status) => status < 300),
        `${statuses.join()} ${[...left.keys()].join()}`,
      ).toHaveLength(1)
      for (const status of statuses) expect([200, 204, 404, 409]).toContain(status)
      expect(left.size).toBeLessThanOrEqual(1)
      for (const name of left.keys()) await change(cluster, cluster.one, 'DELETE', `/${name}`)
    }
  })

  it('do not let two renames to one free name overwrite each other', async () => {
    await using cluster = await ofBucket('free-name')
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['a', 'b', 'c']) await change(cluster, cluster.one, 'POST', `/${name}`, name)
      const statuses = await Promise.all(
        ['a', 'b', 'c'].map(async (name, index) => {
          const daemon = cluster.all[index] ?? cluster.one
          return await change(cluster, daemon, 'PATCH', renameTo(`/${name}`, '/free'))
        }),
      )
      expect(statuses.toSorted()).toEqual([200, 409, 409])
      const left = await contents(cluster)
      expect([...left.values()].toSorted()).toEqual(['a', 'b', 'c'])
      for (const name of left.keys()) await change(cluster, cluster.one, 'DELETE', `/${name}`)
    }
  })

  it('let one of several renames of a folder win', async () => {
    await using cluster = await ofBucket('folder')
    for (const name of ['1', '2', '3', '4']) await change(cluster, cluster.one, 'POST', `/from/${name}`, name)
    const statuses = await Promise.all(
      ['a', 'b', 'c'].map(async (name, index) => {
        const daemon = cluster.all[index] ?? cluster.one
        return await change(cluster, daemon, 'PATCH', renameTo('/from', `/${name}`))
      }),
    )
    expect(
      statuses.filter((status) => status === 200),
      statuses.join(),
    ).toHaveLength(1)
    const listed = (await (await cluster.ask(cluster.other, 'api/resources/')).json()) as { numDirs: number }
    expect(listed.numDirs).toBe(1)
  })
})
