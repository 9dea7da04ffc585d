import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { newSession } from '../../helpers/browser/sessions.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { networkOf } from '../../helpers/browser/pages/upload-page.ts'

const open = pageOfFile()

describe('changes by others', () => {
  it('appear without a reload and keep the selection', async () => {
    await using shown = await open({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'sub/x.txt': '' })
    const { page, daemon } = shown
    await entryOf(page, 'b.txt').click()
    await writeFile(join(daemon.root, 'a2.txt'), 'new')
    await entryOf(page, 'a2.txt').waitFor()
    await rm(join(daemon.root, 'c.txt'))
    await entryOf(page, 'c.txt').waitFor({ state: 'detached' })
    expect(await selectedNames(page)).toEqual(['b.txt'])

    await entryOf(page, 'sub').dblclick()
    await entryOf(page, 'x.txt').waitFor()
    await rename(join(daemon.root, 'sub/x.txt'), join(daemon.root, 'sub/y.txt'))
    await entryOf(page, 'y.txt').waitFor()
    await entryOf(page, 'x.txt').waitFor({ state: 'detached' })
  })

  it('end a session in all windows at once', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': 'a' } })
    const storageState = await newSession(daemon)
    await using browser = await openFiles(daemon, { storageState, expectedStatuses: [401] })
    const { page } = browser
    const stream = page.waitForResponse((response) => response.url().includes('/api/events'))
    await page.reload()
    await stream
    await daemon.fetch('/api/sessions', { method: 'DELETE' })
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})

describe('after a reconnect', () => {
  it('the text in the editor stays as it was opened, even if the file was changed or deleted', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { cutsConnections: true, expectedStatuses: [404] })
    const { page } = browser
    await entryOf(page, 'notes.txt').dblclick()
    const content = page.getByRole('textbox', { name: /Content of notes\.txt/ })
    await content.waitFor()
    await page.keyboard.type('mine ')
    const network = await networkOf(page)
    const banner = page.getByRole('status').filter({ hasText: 'You are offline.' })
    await network.cut()
    await banner.waitFor()
    await rm(join(daemon.root, 'notes.txt'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await network.restore()
    await banner.waitFor({ state: 'detached' })
    await expect.poll(() => asked.filter((path) => path.startsWith('/api/'))).not.toEqual([])
    expect(asked).not.toContain('/api/raw/notes.txt')
    await page.keyboard.type('still ')
    await page.locator('.ace_line').getByText('mine still one').waitFor()
  })
})
