import { expect, it } from 'vitest'
import { type Answer, PASSWORD, testApp } from '../../helpers/api/test-app.ts'

const reasonOf = (answer: Answer) => answer.json<{ error: { details: { reason?: string } } }>().error.details.reason

it('a refusal whose code says too little has a reason, which the page has a sentence for', async () => {
  await using server = await testApp({ files: { 'a/b.txt': '', 'c/d.txt': '' } })
  const admin = await server.admin()
  const ask = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object) =>
    await admin.ask(method, url, { payload: JSON.stringify(payload), headers: { accept: 'application/json' } })
  const { perm, ...account } = (await admin.ask('GET', '/api/users/1')).json<{ perm: object }>()
  const user = (which: string[], data: object) => ({
    what: 'user',
    which,
    current_password: PASSWORD,
    data: { ...account, perm, ...data },
  })

  const again = await ask('POST', '/api/users', user([], { username: 'ADMIN', password: PASSWORD }))
  expect([again.statusCode, reasonOf(again)]).toEqual([409, 'userTaken'])
  const last = await ask('PUT', '/api/users/1', user(['perm'], { perm: { ...perm, admin: false } }))
  expect([last.statusCode, reasonOf(last)]).toEqual([403, 'lastAdministrator'])

  const token = { name: 'script', permissions: ['download'], current_password: PASSWORD }
  expect((await ask('POST', '/api/tokens', token)).statusCode).toBe(200)
  expect(reasonOf(await ask('POST', '/api/tokens', token))).toBe('tokenTaken')

  expect((await ask('POST', '/api/share/a', { slug: 'summer' })).statusCode).toBe(200)
  expect(reasonOf(await ask('POST', '/api/share/c', { slug: 'summer' }))).toBe('addressTaken')
})
