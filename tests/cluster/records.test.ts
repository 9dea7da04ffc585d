import { Type } from 'typebox'
import { afterEach, expect, it } from 'vitest'
import { postgresRecords } from '../../src/store/postgres/postgres-shared.ts'
import { Transactions } from '../../src/store/postgres/transactions.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created } = clusterOfFile()

interface Thing {
  readonly id: string
  readonly path: string
  readonly finished?: number
}
const Thing = Type.Object({ id: Type.String(), path: Type.String(), finished: Type.Optional(Type.Integer()) })

const links: Transactions[] = []
afterEach(async () => {
  for (const link of links.splice(0)) await link[Symbol.asyncDispose]()
})

async function recordsOfTwo() {
  const url = await created()
  const [one, other] = [0, 1].map(() => {
    const link = new Transactions(url)
    links.push(link)
    return postgresRecords<Thing>(link, 'thing', Thing)
  })
  if (one === undefined || other === undefined) throw new Error('there are no records')
  return { url, one, other }
}

it('daemons share their records, in the order in which they were created', async () => {
  const { one, other } = await recordsOfTwo()
  const things = ['b', 'a', 'c'].map((id) => ({ id, path: `/${'ä'.repeat(4000)}/${id}` }))
  for (const thing of things) await one.put(thing)
  await other.put({ id: 'a', path: '/new' })
  expect(await one.list()).toEqual([things[0], { id: 'a', path: '/new' }, things[2]])
  await other.remove('b', 'none')
  expect((await one.list()).map(({ id }) => id)).toEqual(['a', 'c'])
})

it('records are found by their fields, and by missing fields', async () => {
  const { one, other } = await recordsOfTwo()
  await one.put({ id: '1', path: '/a' })
  await one.put({ id: '2', path: '/a', finished: 7 })
  await one.put({ id: '3', path: '/"b\\' })
  const found = async (where: Partial<Record<keyof Thing, unknown>>) =>
    (await other.list(where as Partial<Thing>)).map(({ id }) => id)
  expect(await found({ path: '/a' })).toEqual(['1', '2'])
  expect(await found({ path: '/a', finished: undefined })).toEqual(['1'])
  expect(await found({ path: '/"b\\' })).toEqual(['3'])
  expect(await found({ finished: undefined })).toEqual(['1', '3'])
  expect(await found({ path: '/c' })).toEqual([])
})

it('invalid records, as after an edit by hand, are ignored', async () => {
  const { url, one } = await recordsOfTwo()
  await one.put({ id: '1', path: '/a' })
  await postgres().query(url, "UPDATE filemgr_records SET data = '[1]'")
  expect(await one.list()).toEqual([])
})
