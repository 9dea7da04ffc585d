import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeSettings } from '../helpers/browser/change-settings.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { entryOf, openPage } from '../helpers/component/page.ts'

let server: TestServer
/** Breaks the first stream of events. */
const line = new AbortController()
/** The second stream waits for it. */
const mayReconnect = Promise.withResolvers<undefined>()

beforeAll(async () => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (!String(input instanceof Request ? input.url : input).includes('/api/events')) return await plain(input, init)
    if (line.signal.aborted) {
      await mayReconnect.promise
      return await plain(input, init)
    }
    const signal = init?.signal ? AbortSignal.any([init.signal, line.signal]) : line.signal
    return await plain(input, { ...init, signal })
  }
  server = await openPage({ files: { 'a.txt': '' } })
})
afterAll(async () => await server[Symbol.asyncDispose]())

it('shows settings that were changed while the page was disconnected', async () => {
  expect(screen.getByRole('link', { name: 'filemgr' })).toBeTruthy()
  // Once this is listed, the page receives events.
  await writeFile(join(server.root, 'second.txt'), '')
  await entryOf('second.txt')
  line.abort()
  await changeSettings(server, { branding: { name: 'Our files' } })
  mayReconnect.resolve(undefined)
  await screen.findByRole('link', { name: 'Our files' })
})
