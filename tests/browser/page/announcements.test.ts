import { expect, it } from 'vitest'
import { recordAnnouncements } from '../../helpers/browser/announcements.ts'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

it('a repeated message is announced again', async () => {
  await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
  await using browser = await openFiles(daemon)
  const { page } = browser
  await entryOf(page, 'notes.txt').dblclick()
  await page.getByRole('textbox', { name: /Content of notes\.txt/ }).waitFor()
  const announced = await recordAnnouncements(page)
  for (const text of ['two ', 'three ']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
  }
  await expect.poll(announced).toEqual(['notes.txt was saved.', 'notes.txt was saved.'])
})
