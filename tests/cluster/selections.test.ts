import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Listing } from '../../src/domain/files/resource.ts'
import type { ShareView } from '../../src/domain/shares/share.ts'
import { type Machines, machinesOfFile, SOON } from './machines.ts'

const { machines } = machinesOfFile()

async function addressOf(reply: Response): Promise<string> {
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { address: string }).address
}

/** All names in the folder, as a listing has them. */
async function namesIn({ ask, one }: Machines, folder: string): Promise<string[]> {
  const { items } = (await (await ask(one, `api/resources/${folder}`)).json()) as Listing
  return items.map(({ name }) => name)
}

it('a selection that one daemon has been told is downloaded from another', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`docs/${'日本語'.repeat(20)}${index}`, 'x']),
  )
  await using cluster = await machines({ files })
  const { ask, one, other } = cluster
  // Neither UTF-8 nor a text that PostgreSQL takes.
  writeFileSync(Buffer.from(`${cluster.files.path}/docs/caf\xe9.txt`, 'latin1'), 'latin')
  const names = await namesIn(cluster, 'docs')
  const body = JSON.stringify({ files: names })
  const address = await addressOf(await ask(one, 'api/selections/docs?algo=tar', { method: 'POST', body }))
  const archive = Buffer.from(await (await ask(other, address)).arrayBuffer())
  const last = names.find((name) => name.endsWith('1999')) ?? ''
  expect([archive.includes(last), archive.includes('latin')]).toEqual([true, true])
  // The oldest of a user gives way, whichever daemon has kept it.
  for (let count = 0; count < 8; count += 1)
    await addressOf(await ask(count % 2 === 0 ? other : one, 'api/selections/docs', { method: 'POST', body }))
  expect((await ask(one, address)).status).toBe(404)
})

it('a selection of a visitor, too, and only by the same link', async () => {
  await using cluster = await machines({ files: { 'docs/a.txt': 'alpha', 'docs/b.txt': 'beta' } })
  const { ask, one, other } = cluster
  const share = async () =>
    (await (await ask(one, 'api/share/docs', { method: 'POST', body: '{}' })).json()) as ShareView
  const [first, second] = [await share(), await share()]
  const isKnown = async () => (await fetch(`${other.url}api/public/share/${second.hash}`)).status
  await expect.poll(isKnown, SOON).toBe(200)
  const body = JSON.stringify({ files: ['a.txt', 'b.txt'] })
  const address = await addressOf(
    await fetch(`${one.url}api/public/selections/${first.hash}`, { method: 'POST', body }),
  )
  const archive = await fetch(new URL(address, other.url))
  expect([archive.status, archive.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="_docs.zip"; filename*=utf-8''_docs.zip`,
  ])
  expect((await fetch(new URL(address.replace(first.hash, second.hash), other.url))).status).toBe(404)
})
