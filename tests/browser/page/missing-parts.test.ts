import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { intercept } from '../../helpers/browser/intercept.ts'

describe('a part of the page that cannot be fetched', () => {
  it('does not interrupt uploads', async () => {
    await using mine = await tempFolder()
    await writeFile(join(mine.path, 'letter.txt'), 'hello')
    await using daemon = await startTestServer({ files: { 'old.txt': '' } })
    await using browser = await openFiles(daemon, { cutsConnections: true })
    const { page } = browser
    const partFailed = Promise.withResolvers<void>()
    await intercept(page, /\/static\/help-prompt-[^/]+\.js$/, async (route) => await route.abort('connectionrefused'))
    await intercept(page, /\/api\/resources\/letter\.txt/, async (route) => {
      await partFailed.promise
      await route.continue()
    })
    await dropFiles(gridOf(page), [join(mine.path, 'letter.txt')])
    await page.getByRole('region', { name: 'Uploads' }).waitFor()
    await page.keyboard.press('F1')
    await page.getByText('Part of this page could not be loaded').waitFor()
    partFailed.resolve()
    await expect.poll(async () => await servedText(daemon, 'letter.txt')).toBe('hello')
  })
})
