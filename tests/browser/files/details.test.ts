import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { barButton, entryOf } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = { 'report.txt': 'x'.repeat(2048), 'album/one.jpg': '1', 'album/inner/two.jpg': '22' }

const open = pageOfFile()

describe('details and downloads', () => {
  it('shows size, path and checksums of a file, and the total size of a folder', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const prompt = page.getByRole('dialog', { name: 'Details' })
    await entryOf(page, 'report.txt').click()
    await barButton(page, 'Delete').waitFor()
    await page.keyboard.press('Alt+Enter')
    await prompt.getByText('(2,048 bytes)').waitFor()
    await prompt.getByRole('button', { name: 'Copy path' }).click()
    await expect.poll(async () => await page.evaluate(() => navigator.clipboard.readText())).toBe('/report.txt')
    await prompt.getByRole('button', { name: 'Calculate SHA-256' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('SHA-256')
    const digest = createHash('sha256').update(FILES['report.txt']).digest('hex')
    await prompt.getByText(digest).waitFor()
    await prompt.getByRole('button', { name: 'Copy SHA-256' }).click()
    await expect.poll(async () => await page.evaluate(() => navigator.clipboard.readText())).toBe(digest)
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+a')
    await page.keyboard.press('Alt+Enter')
    await prompt.getByText('1 folder, 1 file').first().waitFor()
    await prompt.getByRole('button', { name: 'Calculate' }).press('Enter')
    await prompt.getByText('1 folder, 2 files').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('1 folder, 2 files')
    await page.keyboard.press('Escape')
  })

  it('downloads one file directly, and several as an archive in the remembered format', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    const nextDownload = async (start: () => Promise<void>) => {
      const download = page.waitForEvent('download')
      await start()
      return (await download).suggestedFilename()
    }
    await entryOf(page, 'report.txt').click()
    expect(await nextDownload(async () => await barButton(page, 'Download').click())).toBe('report.txt')
    await entryOf(page, 'album').getByRole('checkbox').click()
    await barButton(page, 'Download').click()
    const prompt = page.getByRole('dialog', { name: 'Download 2 items' })
    await prompt.getByRole('radio').first().waitFor()
    expect(await prompt.getByRole('radio').count()).toBe(9)
    await prompt.getByRole('radio', { name: '.tar.zst' }).check()
    expect(
      await nextDownload(async () => await prompt.getByRole('button', { name: 'Download .tar.zst' }).click()),
    ).toMatch(/\.tar\.zst$/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Download this folder' }).click()
    const whole = page.getByRole('dialog', { name: 'Download “My files”' })
    expect(await whole.getByRole('radio', { name: '.tar.zst' }).isChecked()).toBe(true)
    expect(await nextDownload(async () => await page.keyboard.press('Enter'))).toMatch(/\.tar\.zst$/)
  })

  it('downloads a selection whose names are too long for an address', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'日本語'.repeat(26)}${index}.txt`)
    await using shown = await open(Object.fromEntries([...names, 'other.txt'].map((name) => [name, name])))
    const { page } = shown
    await entryOf(page, names[0] ?? '').waitFor()
    await page.keyboard.press('Control+a')
    await entryOf(page, 'other.txt').getByRole('checkbox').click()
    await barButton(page, 'Download').click()
    const prompt = page.getByRole('dialog', { name: 'Download 30 items' })
    await prompt.getByRole('radio', { name: /^\.tar\s/ }).check()
    const download = page.waitForEvent('download')
    await prompt.getByRole('button', { name: 'Download .tar', exact: true }).click()
    const tar = await readFile(await (await download).path())
    for (const name of names) expect(tar.includes(name), name).toBe(true)
    expect(tar.includes('other.txt')).toBe(false)
    await prompt.waitFor({ state: 'detached' })
  })
})
