import { expect, it } from 'vitest'
import { encodeDocument } from '../../../src/store/json/encode.ts'

const records = (count: number) => Array.from({ length: count }, (_, id) => ({ id, tags: ['ä'], inner: { of: null } }))
const bytesOf = (document: object) => Buffer.from(`${JSON.stringify(document, null, 2)}\n`)

it.each([
  { version: 1, settings: { name: 'a' }, none: [], nothing: {}, absent: undefined },
  { list: records(1), version: 1 },
  { one: records(500), other: records(501), last: records(1700) },
  { version: 1, list: ['a', 2, null, true], 'a "key"': [[1], []] },
])('a document is encoded as by JSON.stringify', async (document) => {
  const encoded = await encodeDocument(document)
  expect(Buffer.concat(encoded.pieces).toString()).toBe(bytesOf(document).toString())
})

it('unchanged parts keep their bytes, and changed parts get new ones', async () => {
  const before = { settings: { name: 'a' }, users: records(1200), shares: records(3) }
  const encoded = await encodeDocument(before)
  const changed = {
    ...before,
    settings: { name: 'b' },
    users: before.users.with(700, { id: 7, tags: ['b'], inner: { of: null } }),
  }
  const now = await encodeDocument(changed, encoded)
  expect(Buffer.concat(now.pieces).toString()).toBe(bytesOf(changed).toString())
  expect(now.pieces.map((piece) => encoded.pieces.includes(piece))).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
    true,
    false,
  ])
  for (const document of [
    { ...before, users: before.users.slice(1) },
    { ...before, users: before.users.slice(0, 999) },
  ])
    expect(Buffer.concat((await encodeDocument(document, encoded)).pieces).toString()).toBe(
      bytesOf(document).toString(),
    )
})
