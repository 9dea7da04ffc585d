import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { storeWithToken } from '../../helpers/cli/test-store.ts'

/** Status and length of a thumbnail. */
async function ask(url: string, token: string): Promise<[number, number]> {
  const answer = await fetch(`${url}api/preview/thumb/a.png`, { headers: { 'X-Auth': token } })
  return [answer.status, (await answer.bytes()).length]
}

describe('cache', () => {
  it('shows and clears the thumbnails of a running daemon, which makes them again', async () => {
    await using store = await storeWithToken({ 'a.png': await quarters(300, 300).png().toBuffer() })
    expect(await store.json(['cache', 'show'])).toEqual({ entries: 0, bytes: 0 })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const first = await ask(daemon.url, store.token)
    expect(first[0]).toBe(200)
    const shown = await store.json<{ entries: number; bytes: number }>(['cache', 'show'])
    expect(shown.entries).toBe(1)
    expect(await store.json(['cache', 'clear'])).toEqual(shown)
    expect(await store.json(['cache', 'show'])).toEqual({ entries: 0, bytes: 0 })
    expect(await ask(daemon.url, store.token)).toEqual(first)
    expect((await store.run(['cache', 'show'])).stdout).toMatch(/^1 thumbnail, \d+B$/m)
  })

  it('uses the folder that a flag of the daemon names', async () => {
    await using store = await storeWithToken({ 'a.png': await quarters(300, 300).png().toBuffer() })
    await using elsewhere = await tempFolder()
    const args = ['--cache-dir', elsewhere.at('kept')]
    await using daemon = await startTestDaemon({ data: store.data, root: store.root, args })
    expect((await ask(daemon.url, store.token))[0]).toBe(200)
    expect(await readdir(elsewhere.path)).toEqual(['kept'])
    expect(await store.json(['cache', 'show'])).toMatchObject({ entries: 1 })
    expect(await store.json(['cache', 'clear'])).toMatchObject({ entries: 1 })
    expect(await store.json(['cache', 'show'])).toEqual({ entries: 0, bytes: 0 })
  })
})
