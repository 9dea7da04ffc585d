import { randomBytes } from 'node:crypto'
import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import type { UploadView } from '../../../src/domain/uploads/upload.ts'
import { barButton, entryOf, gridOf } from '../../helpers/browser/pages/files-page.ts'
import { administer } from '../../helpers/browser/pages/settings-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import {
  dropHalfWay,
  waitForUploadHeading,
  waitForPartialFile,
  networkOf,
  panelOf,
} from '../../helpers/browser/pages/upload-page.ts'

/** Tests run in parallel, so each may be slow. */
const SLOW = 500_000

describe('the command line and the page, without a reload', () => {
  it('show the same trash', async () => {
    await using admin = await administer({ files: { 'one.txt': '1', 'two.txt': '2', 'three.txt': '3' } })
    const { page, cli } = admin
    const trashed = async () =>
      (JSON.parse(await cli('trash', 'ls', '--json')) as TrashItem[]).map(({ name }) => name).toSorted()
    await page.getByRole('link', { name: 'My files' }).click()
    await entryOf(page, 'one.txt').click()
    await page.keyboard.press('Control+a')
    await barButton(page, 'Delete').click()
    await expect.poll(trashed).toEqual(['one.txt', 'three.txt', 'two.txt'])

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    const list = page.getByRole('list', { name: 'Items in the trash' })
    await list.getByText('three.txt').waitFor()
    const [first] = JSON.parse(await cli('trash', 'ls', '--json')) as TrashItem[]
    if (first === undefined) throw new Error('the trash is empty')
    await cli('trash', 'restore', first.id)
    await list.getByRole('checkbox', { name: `Select ${first.name}` }).waitFor({ state: 'detached' })
    const [second = ''] = await trashed()
    await list.getByRole('button', { name: `Restore ${second}` }).click()
    await expect.poll(async () => (await trashed()).length).toBe(1)
    await cli('trash', 'empty', '--yes')
    await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
    await page.goBack()
    await entryOf(page, first.name).waitFor()
    await entryOf(page, second).waitFor()
  })

  it('cancel jobs that the other has started', async () => {
    await using admin = await administer({ files: { 'films/long.mov': '', 'archive/': '' } })
    const { page, cli, daemon } = admin
    await truncate(join(daemon.root, 'films/long.mov'), 20_000_000_000)
    const jobs = async () => JSON.parse(await cli('jobs', 'ls', '--json')) as Job[]
    await page.getByRole('link', { name: 'My files' }).click()
    await gridOf(page).waitFor()
    const activity = page.getByRole('region', { name: 'Activity' })
    const copy = async (to: string) => {
      const path = `/api/resources/films?action=copy&destination=${encodeURIComponent(to)}`
      const reply = await daemon.fetch(path, { method: 'PATCH', headers: { Prefer: 'respond-async' } })
      expect(reply.status).toBe(202)
      await activity.getByRole('progressbar', { name: 'Copying: “films”' }).waitFor()
    }
    await copy('/archive/one')
    const [running] = await jobs()
    await cli('jobs', 'cancel', running?.id ?? '')
    await activity.getByText('Cancelled').waitFor()
    await activity.getByRole('button', { name: 'Clear finished' }).click()

    await copy('/archive/two')
    await activity.getByRole('button', { name: 'Cancel Copying: “films”' }).click()
    await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
  })

  it('show and cancel a running upload', async () => {
    const content = randomBytes(12_000_000)
    await using mine = await tempFolder({ 'film.mov': content })
    await using admin = await administer({ files: { 'there.txt': '' } }, { expectedStatuses: [404, 501] })
    const { page, cli, daemon } = admin
    const uploads = async () =>
      (JSON.parse(await cli('uploads', 'ls', '--json')) as UploadView[]).map(({ id, path }) => ({ id, path }))
    const panel = panelOf(page)
    await page.getByRole('link', { name: 'My files' }).click()
    await gridOf(page).waitFor()
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropHalfWay(page, join(mine.path, 'film.mov'), daemon.root)
    await panel.getByRole('button', { name: 'Pause film.mov' }).click()
    await waitForUploadHeading(page, '1 upload paused')
    const [upload] = await uploads()
    expect(upload?.path).toBe('/film.mov')
    await cli('uploads', 'rm', upload?.id ?? '', '--yes')
    expect(await readdir(daemon.root)).toEqual(['there.txt'])

    await panel.getByRole('button', { name: 'Resume film.mov' }).click()
    await waitForPartialFile(daemon.root)
    await panel.getByRole('button', { name: 'Pause film.mov' }).click()
    await waitForUploadHeading(page, '1 upload paused')
    expect(await uploads()).toHaveLength(1)
    await network.restore()
    await panel.getByRole('button', { name: 'Resume film.mov' }).click()
    await waitForUploadHeading(page, 'Uploaded 1 item')
    expect(await readFile(join(daemon.root, 'film.mov'))).toEqual(content)
    expect(await uploads()).toEqual([])

    await network.limit(SLOW)
    await using again = await tempFolder({ 'other.mov': content })
    await dropHalfWay(page, join(again.path, 'other.mov'), daemon.root)
    await panel.getByRole('button', { name: 'Cancel other.mov' }).click()
    await expect.poll(uploads).toEqual([])
  })
})
