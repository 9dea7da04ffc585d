import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeSettings } from '../helpers/browser/change-settings.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage, PATIENCE } from '../helpers/component/page.ts'

let server: TestServer
/** The stream of events waits for it. */
const connecting = Promise.withResolvers<undefined>()

beforeAll(async () => {
  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes('/api/events')) await connecting.promise
    return await plain(input, init)
  }
  server = await openPage({ files: { 'a.txt': '' } })
}, PATIENCE.timeout)
afterAll(async () => await server[Symbol.asyncDispose]())

it('shows settings that were changed before the page was connected', async () => {
  expect(screen.getByRole('link', { name: 'filemgr' })).toBeTruthy()
  await changeSettings(server, { branding: { name: 'Our files' } })
  connecting.resolve(undefined)
  await screen.findByRole('link', { name: 'Our files' }, PATIENCE)
})
