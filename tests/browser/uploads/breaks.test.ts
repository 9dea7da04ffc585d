import { randomBytes } from 'node:crypto'
import { readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import {
  dropHalfWay,
  waitForPartialFile,
  waitForUploadHeading,
  networkOf,
  panelOf,
  pickFiles,
  watchUploads,
} from '../../helpers/browser/pages/upload-page.ts'

/** Several chunks, or half a minute on a slow connection: the test interrupts it long before. */
const SIZE = 16_000_000
const SLOW = 1_000_000

describe('an interrupted upload', () => {
  it('waits while the network is down, and then sends only the missing part', async () => {
    const content = randomBytes(SIZE)
    await using mine = await tempFolder({ 'large.bin': content, 'note.txt': 'small' })
    await utimes(join(mine.path, 'large.bin'), 1_500_000_000, 1_500_000_000)
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, { cutsConnections: true })
    const { page } = browser
    const requests = watchUploads(page)
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropHalfWay(page, join(mine.path, 'large.bin'), daemon.root)

    await network.cut()
    await waitForUploadHeading(page, '1 upload is waiting for a connection')
    await page.getByRole('status').getByText('1 upload is waiting for a connection').waitFor()
    await network.restore()
    await waitForUploadHeading(page, 'Uploaded 1 item')
    expect(await readFile(join(daemon.root, 'large.bin'))).toEqual(content)
    expect((await stat(join(daemon.root, 'large.bin'))).mtimeMs).toBe(1_500_000_000_000)
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(requests.at(-1)?.offset).toBeGreaterThan(0)
  })

  it('continues after the server was killed and restarted', async () => {
    const content = randomBytes(SIZE)
    await using mine = await tempFolder({ 'large.bin': content })
    await using files = await tempFolder({ 'there.txt': '' })
    await using data = await tempFolder({})
    const where = { root: files.path, data: join(data.path, 'data') }
    await using first = await startTestDaemon(where)
    await using browser = await openFiles(first, { expectedStatuses: [503], cutsConnections: true })
    const { page } = browser
    const requests = watchUploads(page)
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropHalfWay(page, join(mine.path, 'large.bin'), first.root)
    await first.stop('SIGKILL')
    await panelOf(page)
      .getByRole('heading', { name: /connection|Uploading/ })
      .waitFor()
    const banner = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' })
    await banner.waitFor()
    await network.restore()

    await using _second = await startTestDaemon({ ...where, args: ['--port', new URL(first.url).port] })
    await waitForUploadHeading(page, 'Uploaded 1 item')
    await banner.waitFor({ state: 'detached' })
    expect(await readFile(join(files.path, 'large.bin'))).toEqual(content)
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('is listed after a reload and resumes with the same file, but not with another', async () => {
    const content = randomBytes(SIZE)
    await using mine = await tempFolder({ 'large.bin': content, 'other/large.bin': randomBytes(SIZE - 1) })
    await using daemon = await startTestServer({ files: { 'there.txt': '', 'large.bin': 'old' } })
    await using browser = await openFiles(daemon, { expectedStatuses: [409] })
    const { page } = browser
    const network = await networkOf(page)
    await network.limit(SLOW)
    await pickFiles(page, [join(mine.path, 'large.bin')])
    await page.getByRole('combobox', { name: /large\.bin/ }).selectOption('Replace')
    await page.getByRole('button', { name: 'Continue' }).click()
    await waitForPartialFile(daemon.root)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await waitForUploadHeading(page, '1 upload needs its file')
    expect(await panelOf(page).getByText(/left$/).count()).toBe(0)
    await page.goto('/settings/profile')
    const chip = panelOf(page).getByRole('button', { name: '1 upload needs its file' })
    await chip.waitFor()
    await page.goto('/files/')
    await waitForUploadHeading(page, '1 upload needs its file')
    await network.restore()

    const choose = async (path: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await panelOf(page).getByRole('button', { name: 'Choose file' }).click()
      await (await chooser).setFiles(path)
    }
    await choose(join(mine.path, 'other/large.bin'))
    await page.getByRole('alert').getByText('not the files').waitFor()
    const requests = watchUploads(page)
    await choose(join(mine.path, 'large.bin'))
    await waitForUploadHeading(page, 'Uploaded 1 item')
    expect(await readFile(join(daemon.root, 'large.bin'))).toEqual(content)
    expect(requests.slice(0, 2).map(({ method }) => method)).toEqual(['HEAD', 'PATCH'])
    expect(requests[1]?.offset).toBeGreaterThan(0)
    await page.reload()
    await gridOf(page).waitFor()
    expect(await panelOf(page).count()).toBe(0)
  })

  it('resumes by itself after a reload if the browser can still read the file, also in a folder', async () => {
    const content = randomBytes(SIZE)
    await using mine = await tempFolder({ 'album/deep/large.bin': content, 'album/b.txt': 'b' })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropFiles(gridOf(page), [join(mine.path, 'album')])
    await waitForUploadHeading(page, 'Uploading 1 item')
    await panelOf(page).getByRole('button', { name: 'Show the content of album' }).click()
    await waitForPartialFile(join(daemon.root, 'album/deep'))
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    const requests = watchUploads(page)
    await network.restore()
    await waitForUploadHeading(page, 'Uploaded 1 item')
    expect(await readFile(join(daemon.root, 'album/deep/large.bin'))).toEqual(content)
    expect(requests[0]).toMatchObject({ method: 'HEAD', path: '/album/deep/large.bin' })
  })
})
