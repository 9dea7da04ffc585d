import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { lineOf } from '../../helpers/browser/pages/upload-page.ts'

describe('when the connection comes back', () => {
  it('the text in the editor stays as it was opened, whatever became of the file', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { cutsConnections: true, expectedStatuses: [404] })
    const { page } = browser
    await entryOf(page, 'notes.txt').dblclick()
    const content = page.getByRole('textbox', { name: /Content of notes\.txt/ })
    await content.waitFor()
    await page.keyboard.type('mine ')
    const line = await lineOf(page)
    const banner = page.getByRole('status').filter({ hasText: 'You are offline.' })
    await line.cut()
    await banner.waitFor()
    await rm(join(daemon.root, 'notes.txt'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await line.mend()
    await banner.waitFor({ state: 'detached' })
    await expect.poll(() => asked.filter((path) => path.startsWith('/api/'))).not.toEqual([])
    expect(asked).not.toContain('/api/raw/notes.txt')
    await page.keyboard.type('still ')
    await page.locator('.ace_line').getByText('mine still one').waitFor()
  })
})
