import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf, gridOf } from '../../helpers/browser/pages/files-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const open = pageOfFile()

describe('uploads and downloads', () => {
  it('uploads a file with the button and downloads it again, byte for byte', async () => {
    const content = randomBytes(3_000_000)
    await using mine = await tempFolder({ 'holiday photo.bin': content })
    await using shown = await open({ 'there.txt': '' })
    const { page, daemon } = shown
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('menuitem', { name: 'Upload files' }).click()
    await (await chooser).setFiles(join(mine.path, 'holiday photo.bin'))
    await waitForUploaded(page, 1)
    expect(sha256(await readFile(join(daemon.root, 'holiday photo.bin')))).toBe(sha256(content))

    const download = page.waitForEvent('download')
    await entryOf(page, 'holiday photo.bin').click()
    const actions = page.getByRole('toolbar', { name: 'Selection actions' })
    await actions.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('holiday photo.bin')
    await file.saveAs(join(mine.path, 'downloaded'))
    expect(sha256(await readFile(join(mine.path, 'downloaded')))).toBe(sha256(content))
  })

  it('uploads all photos that a phone calls by one name, and asks once if it is taken', async () => {
    await using shown = await open({ 'there.txt': '' })
    const { page, daemon } = shown
    const pick = async (contents: readonly string[]) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Upload files' }).click()
      const photo = { name: 'image.jpg', mimeType: 'image/jpeg' }
      await (await chooser).setFiles(contents.map((content) => ({ ...photo, buffer: Buffer.from(content) })))
    }
    const photos = async () => {
      const names = (await readdir(daemon.root)).filter((name) => name.startsWith('image'))
      return await Promise.all(names.toSorted().map(async (name) => await readFile(join(daemon.root, name), 'utf8')))
    }
    await pick(['one', 'two', 'three'])
    await expect.poll(async () => (await photos()).toSorted()).toEqual(['one', 'three', 'two'])
    await pick(['four', 'five'])
    await page
      .getByRole('dialog', { name: /already exist/ })
      .getByRole('button', { name: 'Continue' })
      .click()
    await expect.poll(async () => (await photos()).toSorted()).toEqual(['five', 'four', 'one', 'three', 'two'])
  })

  it('accepts a dropped file and a whole dropped folder', async () => {
    await using mine = await tempFolder({ 'a.txt': 'a', 'album/b.txt': 'b', 'album/deep/ü c.txt': 'c' })
    await using shown = await open({ 'there.txt': '' })
    const { page, daemon } = shown
    await dropFiles(gridOf(page), [join(mine.path, 'a.txt'), join(mine.path, 'album')])
    await entryOf(page, 'album').waitFor()
    const read = async (name: string) => await readFile(join(daemon.root, name), 'utf8').catch(() => '')
    for (const [name, content] of [
      ['a.txt', 'a'],
      ['album/b.txt', 'b'],
      ['album/deep/ü c.txt', 'c'],
    ] as const) {
      await expect.poll(async () => await read(name)).toBe(content)
    }
  })

  it('asks before it replaces a file, and keeps both by default', async () => {
    await using mine = await tempFolder({ 'report.txt': 'mine' })
    await using shown = await open({ 'report.txt': 'theirs' })
    const { page, daemon } = shown
    const prompt = page.getByRole('dialog', { name: /already exist/ })
    const read = async (name: string) => await readFile(join(daemon.root, name), 'utf8')

    await dropFiles(gridOf(page), [join(mine.path, 'report.txt')])
    await prompt.getByRole('button', { name: 'Continue' }).click()
    await entryOf(page, 'report(1).txt').waitFor()
    expect([await read('report.txt'), await read('report(1).txt')]).toEqual(['theirs', 'mine'])

    await dropFiles(gridOf(page), [join(mine.path, 'report.txt')])
    await prompt.getByRole('combobox', { name: /report\.txt/ }).selectOption('Replace')
    await prompt.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(async () => await read('report.txt')).toBe('mine')
  })
})

async function waitForUploaded(page: Page, count: number): Promise<void> {
  const panel = page.getByRole('region', { name: 'Uploads' })
  await panel.getByRole('heading', { name: new RegExp(`^Uploaded ${count} item`) }).waitFor()
}
