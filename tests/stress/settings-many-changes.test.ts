import { expect, it } from 'vitest'
import type { Rule } from '../../src/domain/access/rule.ts'
import type { WireSettings } from '../../src/domain/settings/settings.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { storeWithToken } from '../helpers/cli/test-store.ts'

/** The changes of each side; FILEMGR_CHANGES=500 for a run by hand. */
const CHANGES = Number(process.env['FILEMGR_CHANGES'] ?? 20)

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

it(
  `${CHANGES} changes of the command line and ${CHANGES} of the API at the same time are all kept`,
  { timeout: 60_000 + CHANGES * 6000 },
  async () => {
    await using store = await storeWithToken()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const { token } = store
    const url = `${daemon.url}api/settings`

    /** As a page does it: load all, change, save; again if another change came first. */
    const addByApi = async (path: string): Promise<void> => {
      for (;;) {
        const loaded = await fetch(url, { headers: { 'X-Auth': token } })
        const settings = (await loaded.json()) as WireSettings
        const changed = JSON.stringify({ ...settings, rules: [...settings.rules, deny(path)] })
        const headers = { 'X-Auth': token, 'If-Match': loaded.headers.get('etag') ?? '' }
        const { status } = await fetch(url, { method: 'PUT', headers, body: changed })
        if (status === 200) return
        expect(status).toBe(412)
      }
    }
    const byApi = Array.from({ length: CHANGES }, (_, index) => `/api-${index}`)
    const byLine = Array.from({ length: CHANGES }, (_, index) => `/line-${index}`)
    const each = async (paths: string[], add: (path: string) => Promise<unknown>) => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await add(path)
    }
    const expected = [...byApi, ...byLine].toSorted()
    await Promise.all([
      ...[1, 2, 3].map(async () => await each(byApi, addByApi)),
      ...[1, 2].map(async () => {
        await each(byLine, async (path) => expect((await store.runProcess(['rules', 'add', path])).code).toBe(0))
      }),
    ])
    const rules = await store.json<Rule[]>(['rules', 'ls'])
    expect(rules.map(({ path }) => path).toSorted()).toEqual(expected)
  },
)
