import { describe, expect, it } from 'vitest'
import { gridOf, shownNames } from '../../helpers/browser/pages/files-page.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { showFile, shownFile, eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const open = pageOfFile()

describe('an action in the viewer', () => {
  it('deletes and shows the next file, then the previous one, then the folder', async () => {
    const picture = await quarters(30, 20).png().toBuffer()
    const files = { 'a.png': picture, 'b.png': picture, 'c.png': picture, 'other.bin': '\0\u0001' }
    await using shown = await open(files, { expectedStatuses: [404] })
    const { page } = shown
    await showFile(page, 'b.png')
    const actions = viewerOf(page).getByRole('toolbar', { name: 'File actions' })
    await actions.getByRole('button', { name: 'Delete' }).click()
    await eventually(async () => await shownFile(page)).toBe('c.png')
    await page.keyboard.press('Delete')
    await eventually(async () => await shownFile(page)).toBe('a.png')
    await viewerOf(page).getByRole('img', { name: 'a.png' }).waitFor()
    await page.keyboard.press('Delete')
    await gridOf(page).waitFor()
    await eventually(async () => await shownNames(page)).toEqual(['other.bin'])
  })

  it('renames the file and keeps showing it', async () => {
    const picture = await quarters(30, 20).png().toBuffer()
    await using shown = await open({ 'a.png': picture, 'b.png': picture }, { expectedStatuses: [404] })
    const { page, daemon } = shown
    await showFile(page, 'a.png')
    await viewerOf(page).getByRole('button', { name: 'Rename' }).click()
    const prompt = page.getByRole('dialog')
    await prompt.getByRole('textbox').fill('z.png')
    await page.keyboard.press('Enter')
    await eventually(async () => await shownFile(page)).toBe('z.png')
    await viewerOf(page).getByRole('img', { name: 'z.png' }).waitFor()
    expect(page.url()).toBe(`${daemon.url}files/z.png`)
    await viewerOf(page).getByText('2 of 2').waitFor()
    const download = page.waitForEvent('download')
    await page.keyboard.press('Control+s')
    expect((await download).suggestedFilename()).toBe('z.png')
  })
})
