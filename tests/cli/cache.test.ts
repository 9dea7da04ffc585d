import { describe, expect, it } from 'vitest'
import { startTestDaemon } from '../helpers/test-daemon.ts'
import { quarters } from '../helpers/pictures.ts'
import { ADMIN_PASSWORD, testStore } from '../helpers/test-store.ts'

describe('cache', () => {
  it('tells what is kept and clears it under the running daemon, which makes it again', async () => {
    await using store = await testStore({ 'a.png': await quarters(300, 300).png().toBuffer() })
    expect(await store.json(['cache', 'show'])).toEqual({ entries: 0, bytes: 0 })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
    const token = await (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).text()
    const ask = async () => {
      const answer = await fetch(`${daemon.url}api/preview/thumb/a.png`, { headers: { 'X-Auth': token } })
      return [answer.status, (await answer.bytes()).length]
    }
    const first = await ask()
    expect(first[0]).toBe(200)
    const shown = await store.json<{ entries: number; bytes: number }>(['cache', 'show'])
    expect(shown.entries).toBe(1)
    expect(await store.json(['cache', 'clear'])).toEqual(shown)
    expect(await store.json(['cache', 'show'])).toEqual({ entries: 0, bytes: 0 })
    expect(await ask()).toEqual(first)
    expect((await store.run(['cache', 'show'])).stdout).toMatch(/^1 thumbnails of \d+B are kept/)
  })
})
