import { expect, it } from 'vitest'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

it('a repeated message is announced again', async () => {
  await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
  await using browser = await openFiles(daemon)
  const { page } = browser
  await entryOf(page, 'notes.txt').dblclick()
  await page.getByRole('textbox', { name: /Content of notes\.txt/ }).waitFor()
  await page.evaluate(() => {
    const announced: string[] = []
    const region = document.querySelector('.visually-hidden[aria-live]')
    const listen = new MutationObserver(() => announced.push(region?.textContent.trim() ?? ''))
    if (region) listen.observe(region, { childList: true, characterData: true, subtree: true })
    Object.assign(window, { announced })
  })
  for (const text of ['two ', 'three ']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
  }
  const announced = async () => await page.evaluate(() => (window as unknown as { announced: string[] }).announced)
  await expect.poll(announced).toEqual(['notes.txt was saved.', 'notes.txt was saved.'])
})
