import { expect, it } from 'vitest'
import { Value } from 'typebox/value'
import { Share } from '../../src/domain/shares/share.ts'
import { User } from '../../src/domain/accounts/user.ts'
import type { StoreDocument } from '../../src/store/document.ts'
import type { Stores } from '../../src/store/open-stores.ts'
import { addUser, sampleDocument } from '../contract/store/samples.ts'
import { clusterOfFile } from './opened.ts'

const { created, node } = clusterOfFile()

const USERS = 10_000
const LINKS = 100_000

function largeDocument(): StoreDocument {
  const user = { ...Value.Create(User), passwordHash: `$argon2id$v=19$m=65536,t=3,p=1$${'x'.repeat(66)}` }
  const share = { ...Value.Create(Share), path: '/projects/2026/a folder with a name/report.pdf' as Share['path'] }
  return {
    ...sampleDocument(),
    users: Array.from({ length: USERS }, (_, at) => ({ ...user, id: (at + 1) as User['id'], username: `user${at}` })),
    shares: Array.from({ length: LINKS }, (_, at) => ({
      ...share,
      hash: `link-${String(at).padStart(11, '0')}` as Share['hash'],
      userID: ((at % USERS) + 1) as User['id'],
    })),
    nextUserId: (USERS + 1) as User['id'],
  }
}

/** Milliseconds of processor time of this process: they depend less on the load of the machine than elapsed time. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

it('10,000 users and 100,000 links load in less than three seconds, and a change takes less than half a second', async () => {
  const url = await created(largeDocument())
  const nodes: Stores[] = []
  expect(await costOf(async () => nodes.push(await node(url)))).toBeLessThan(3000)
  const [stores] = nodes
  expect(stores?.store.snapshot().users).toHaveLength(USERS)
  expect(stores?.store.snapshot().shares).toHaveLength(LINKS)
  await stores?.store.update(addUser)
  expect(await costOf(async () => await stores?.store.update(addUser))).toBeLessThan(500)
})
