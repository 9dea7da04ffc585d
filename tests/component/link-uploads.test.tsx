import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LinkUploadView } from '../../src/domain/uploads/upload.ts'
import type { TestServer } from '../helpers/browser/test-server.ts'
import { openPage } from '../helpers/component/page.ts'

let server: TestServer

const begin = async (name: string) => {
  const headers = { 'upload-length': '2048', 'upload-metadata': `from ${btoa('Bob')}` }
  const { headers: reply } = await fetch(new URL(`api/public/tus/inbox/${name}`, server.url), {
    method: 'POST',
    headers,
  })
  return reply.get('location') ?? ''
}
const begun = async () => (await (await server.fetch('/api/shares/inbox/uploads')).json()) as LinkUploadView[]

beforeAll(async () => {
  server = await openPage({ files: { 'inbox/a.txt': 'a' } })
  const body = JSON.stringify({ slug: 'inbox', terms: { allows: 'upload', asksName: true } })
  await server.fetch('/api/share/inbox', { method: 'POST', body })
  const address = await begin('large.bin')
  await fetch(new URL(address.replace(/^\//, ''), server.url), {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: 'x'.repeat(1024),
  })
  history.pushState({}, '', '/settings/shares')
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
})
afterAll(async () => await server[Symbol.asyncDispose]())

it('shows the owner of a link what visitors have begun to send, and cancels it', async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for the link to inbox' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Files received: 1' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Received in “inbox”' }))
  const region = within(await dialog.findByRole('region', { name: 'Files still arriving: 1' }))
  const progress = region.getByRole('progressbar', { name: 'large.bin' })
  expect([progress.getAttribute('aria-valuenow'), progress.getAttribute('aria-valuetext')]).toEqual([
    '50',
    '1 KiB of 2 KiB',
  ])
  expect(region.getByText(/^from Bob · 1 KiB of 2 KiB · /)).toBeTruthy()
  // Another one appears by itself.
  await begin('other.bin')
  const both = within(await dialog.findByRole('region', { name: 'Files still arriving: 2' }))
  await userEvent.click(both.getByRole('button', { name: 'Cancel large.bin' }))
  await waitFor(() => expect(dialog.queryByRole('progressbar', { name: 'large.bin' })).toBeNull())
  expect(await begun()).toMatchObject([{ name: 'other.bin' }])
  expect(document.activeElement?.textContent).toBe('Done')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel other.bin' }))
  await waitFor(() => expect(dialog.queryByRole('region')).toBeNull())
  expect(await begun()).toEqual([])
})
