import { expect, it } from 'vitest'
import { testApp } from '../helpers/api/test-app.ts'

const CHANGES = 60

/** Fields that users change in their own account, one at a time. */
const FIELDS: readonly (readonly [name: string, valueOf: (turn: number) => unknown])[] = [
  ['locale', (turn) => ['de', 'fr', 'it'][turn % 3]],
  ['viewMode', () => 'list'],
  ['singleClick', () => true],
  ['sorting', (turn) => ({ by: ['size', 'modified'][turn % 2], asc: true })],
  ['dateFormat', () => true],
  ['aceEditorTheme', (turn) => `theme ${turn}`],
]

it(`${CHANGES} changes of one account at the same time are all kept, while two pages renew their tokens`, async () => {
  await using server = await testApp({ store: 'json' })
  const bob = await server.user('bob')
  const tabs = [await server.login('bob'), await server.login('bob')]
  const { user } = JSON.parse(Buffer.from(bob.token.split('.')[1] ?? '', 'base64url').toString()) as {
    user: { id: number }
  }
  const url = `/api/users/${user.id}`
  const sent = Array.from({ length: CHANGES }, (_, turn) => {
    const [name, valueOf] = FIELDS[turn % FIELDS.length] ?? ['', () => undefined]
    return { name, value: valueOf(turn) }
  })
  const change = async ({ name, value }: (typeof sent)[number]) => {
    const payload = JSON.stringify({ what: 'user', which: [name], data: { id: user.id, [name]: value } })
    return (await bob.ask('PUT', url, { payload })).statusCode
  }
  const renew = async (tab: (typeof tabs)[number]) => {
    let { token } = tab
    for (let turn = 0; turn < 10; turn += 1) {
      const answer = await server.ask('POST', '/api/renew', { headers: { 'x-auth': token } })
      expect(answer.statusCode).toBe(200)
      token = answer.body
    }
    return token
  }
  const [statuses, tokens] = await Promise.all([
    Promise.all(sent.map(async (one) => await change(one))),
    Promise.all(tabs.map(async (tab) => await renew(tab))),
  ])
  expect(new Set(statuses)).toEqual(new Set([200]))
  const kept = (await bob.ask('GET', url)).json<Record<string, unknown>>()
  // A change that wrote the whole record from an older state would have put another field back.
  for (const [name] of FIELDS) {
    const values = sent.filter((one) => one.name === name).map(({ value }) => value)
    expect(values, name).toContainEqual(kept[name])
  }
  for (const token of tokens) {
    expect((await server.ask('GET', url, { headers: { 'x-auth': token } })).statusCode).toBe(200)
  }
})
