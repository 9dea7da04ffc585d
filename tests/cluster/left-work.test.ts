import { Type } from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebhookState } from '../../src/domain/automation/webhook.ts'
import type { Stores } from '../../src/store/open-stores.ts'
import { postgresRecords } from '../../src/store/postgres/postgres-shared.ts'
import { Transactions } from '../../src/store/postgres/transactions.ts'
import type { Shared } from '../../src/store/store.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const sharedOf = ({ shared }: Stores): Shared => {
  if (shared === undefined) throw new Error('nothing is shared')
  return shared
}

const expireLeases = async (url: string) => await postgres().query(url, 'UPDATE filemgr_leases SET until = now()')

describe('a record that is written under a lease', () => {
  const Thing = Type.Object({ id: Type.String(), text: Type.String() })
  const links: Transactions[] = []
  afterEach(async () => {
    for (const link of links.splice(0)) await link[Symbol.asyncDispose]()
  })

  async function opened() {
    const url = await created()
    const link = new Transactions(url)
    links.push(link)
    const [one, other] = [await node(url), await node(url)].map((stores) => sharedOf(stores).leases)
    if (one === undefined || other === undefined) throw new Error('there are no leases')
    return { url, one, other, records: postgresRecords<{ id: string; text: string }>(link, 'thing', Thing) }
  }

  it('is written while the lease is held, and not by a daemon that has lost it', async () => {
    const { url, one, other, records } = await opened()
    const lease = await one.takeOver('upload/a', {})
    await records.put({ id: 'a', text: 'first' }, lease)
    await expireLeases(url)
    await expect(records.put({ id: 'a', text: 'too late' }, lease)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await using next = await other.takeOver('upload/a', {})
    await records.put({ id: 'a', text: 'next' }, next)
    await expect(records.put({ id: 'a', text: 'older' }, lease)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(await records.list()).toEqual([{ id: 'a', text: 'next' }])
  })
})

describe('the undelivered events of a webhook', () => {
  const stateOf = (...ids: string[]): WebhookState => ({
    id: 'hook',
    failures: ids.length,
    lost: 1,
    last: null,
    deliveries: ids.map((id) => ({ id, body: '{}', attempts: 1, due: 0 })),
  })
  const idsOf = ({ deliveries }: WebhookState) => deliveries.map(({ id }) => id)

  it('are known to all daemons, and taken over at once from one that stops', async () => {
    const url = await created()
    const [first, second] = [await node(url), await node(url)]
    await sharedOf(first).webhookStates.put(stateOf('a'))
    await sharedOf(first).webhookStates.put(stateOf('a', 'b'))
    const { webhookStates } = sharedOf(second)
    expect((await webhookStates.others()).map(idsOf)).toEqual([['a', 'b']])
    expect(await sharedOf(first).webhookStates.others()).toEqual([])
    await first[Symbol.asyncDispose]()
    const adopted: WebhookState[] = []
    await webhookStates.follow(async (state) => {
      adopted.push(state)
      await webhookStates.put(state)
    })
    expect(adopted).toEqual([stateOf('a', 'b')])
    expect(await webhookStates.others()).toEqual([])
    expect(await postgres().query(url, "SELECT count(*) FROM filemgr_records WHERE kind LIKE 'webhooks/%'")).toBe('1')
  })

  it('stay available if one daemon fails to take them over', async () => {
    const url = await created()
    const [first, second, third] = [await node(url), await node(url), await node(url)]
    await sharedOf(first).webhookStates.put(stateOf('a'))
    await first[Symbol.asyncDispose]()
    await sharedOf(second).webhookStates.follow(async () => await Promise.reject(new Error('the disk is full')))
    const adopted: WebhookState[] = []
    await sharedOf(third).webhookStates.follow(async (state) => void adopted.push(state))
    expect(adopted.map(idsOf)).toEqual([['a']])
  })

  it('are saved again by a daemon that was believed dead', async () => {
    const url = await created()
    const [first, second] = [await node(url), await node(url)]
    const { webhookStates } = sharedOf(first)
    await webhookStates.put(stateOf('a'))
    await expireLeases(url)
    const adopted: WebhookState[] = []
    await sharedOf(second).webhookStates.follow(async (state) => void adopted.push(state))
    await webhookStates.put(stateOf('a', 'b'))
    expect(adopted.map(idsOf)).toEqual([['a']])
    expect((await sharedOf(second).webhookStates.others()).map(idsOf)).toEqual([['a', 'b']])
  })
})
