import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserId } from '../../../../src/domain/ids.ts'
import type { ChangeOutcome, ChangeRequest } from '../../../../src/domain/files/change-many.ts'
import type { Job } from '../../../../src/domain/automation/job.ts'
import { holdFiles } from '../drag.ts'
import { keepToasts } from '../pages/toasts.ts'
import {
  button,
  choosing,
  entry,
  type Act,
  type Find,
  type Screen,
  type Shown,
  type Stage,
  type TextId,
} from './screen.ts'
import { intercept } from '../intercept.ts'

const region =
  (id: TextId): Find =>
  ({ page, text }) =>
    page.getByRole('region', { name: text(id), exact: true })

const activityButton: Find = ({ page, text }) =>
  page.locator('main header').getByRole('button', { name: text('jobs.title') })

/** The toast with this button. */
const toast =
  (action: TextId): Find =>
  ({ page, text }) =>
    page.locator('[role=status], [role=alert]').filter({ has: page.getByRole('button', { name: text(action) }) })

/** Narrow pages show only the header of the panel until it is expanded. */
const unfold: Act = async (stage) => {
  await region('uploads.title')(stage).waitFor()
  const expand = button('uploads.expand')(stage)
  if (await expand.isVisible()) await expand.click()
}

const upload = async (stage: Stage, names: readonly string[]): Promise<void> => {
  await choosing(Object.fromEntries(names.map((name) => [name, name.repeat(2000)])))(stage)
  await button('files.upload')(stage).click()
  await stage.page.getByRole('menuitem', { name: stage.text('files.uploadFiles') }).click()
}

/** One upload succeeds, one finds the disk full, five never finish and one waits behind them. */
const uploadSome: Act = async (stage) => {
  const { page, text } = stage
  await intercept(page, /\/api\/resources\/.*(full|slow)/, async (route) => {
    if (route.request().url().includes('full')) await route.fulfill({ status: 507 })
  })
  await upload(stage, ['done.txt', 'full.txt', ...[1, 2, 3, 4, 5].map((number) => `slow ${number}.txt`), 'last.txt'])
  await unfold(stage)
  await button('uploads.retry', { name: 'full.txt' })(stage).waitFor()
  await page
    .getByRole('img', { name: text('uploads.done'), exact: true })
    .first()
    .waitFor()
}

const clash = (name: string, files: Readonly<Record<string, string>>): Shown => ({
  name,
  before: choosing(files),
  from: button('files.upload'),
  key: 'Enter',
  item: 'files.uploadFiles',
})

const signOutAmidUploads = { name: 'sign out amid uploads', from: button('shell.logout'), key: 'Enter' } as const

const running: Job = {
  id: '1',
  kind: 'copy',
  state: 'running',
  userID: 1 as UserId,
  path: '/film.webm',
  destination: '/one/film.webm',
  progress: { bytes: 6_000_000_000, files: 0, totalBytes: 20_000_000_000, totalFiles: 1 },
  leftOut: [],
  created: new Date().toISOString(),
}
const error = { code: 'NO_SPACE', message: 'the disk is full' }

/** Jobs in all states. The page ignores jobs that ended before it was opened, so these end now. */
function jobs(): readonly Job[] {
  const ended = new Date().toISOString()
  return [
    running,
    { ...running, id: '2', kind: 'move', state: 'waiting', path: '/album', destination: '/one/album' },
    {
      ...running,
      id: '3',
      state: 'done',
      path: '/song.wav',
      leftOut: [
        { name: 'socket', reason: 'special' },
        { name: 'a link that leads out of here', reason: 'link' },
        { name: 'C:/report.txt', reason: 'renamed', as: 'report.txt' },
      ],
      ended,
    },
    { ...running, id: '4', state: 'cancelled', path: '/a folder with a name that is rather long', ended },
    { ...running, id: '5', state: 'failed', path: '/paper.pdf', error, ended },
  ]
}

/** The page deletes one of two items; the server has other jobs. */
const workOnSome: Act = async (stage) => {
  const { page } = stage
  await intercept(page, '**/api/jobs', async (route) => await route.fulfill({ json: jobs() }))
  await intercept(page, '**/api/changes/', async (route) => {
    const { action, items } = route.request().postDataJSON() as ChangeRequest
    const isRefused = ({ path }: { readonly path: string }) => path.includes('seven')
    const answer = await route.fetch({ postData: { action, items: items.filter((item) => !isRefused(item)) } })
    const outcomes = (await answer.json()) as ChangeOutcome[]
    const refused = items.filter(isRefused).map(({ path }) => ({ path, error: { code: 'FORBIDDEN', message: '' } }))
    await route.fulfill({ json: items.map(({ path }) => [...outcomes, ...refused].find((one) => one.path === path)) })
  })
  await entry('six')(stage).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await toast('actions.show')(stage).waitFor()
  // The panel opens by itself once.
  await button('jobs.close')(stage).click()
}

/** Another user adds entries above the visible part. */
const addAbove: Act = async ({ page, daemon }) => {
  await page.locator('[data-entry]').first().focus()
  await page.keyboard.press('End')
  await page.locator('[data-entry="file 99.txt"]').waitFor()
  await writeFile(join(daemon.root, 'many/a new one.txt'), '')
  await page.locator('main button:has(use[href$="#i-arrow-down"])').last().waitFor()
}

const makeMany: Act = async ({ daemon }) => {
  await mkdir(join(daemon.root, 'many'))
  const names = Array.from({ length: 100 }, (_none, index) => `file ${index}.txt`)
  await Promise.all(names.map(async (name) => await writeFile(join(daemon.root, 'many', name), '')))
}

export const ACTIVITY_SCREENS: readonly Screen[] = [
  {
    name: 'news of a long folder',
    at: 'files/many/',
    before: makeMany,
    ready: entry('file 0.txt'),
    first: addAbove,
    leavesNothing: true,
  },
  {
    name: 'files that are dragged over a folder',
    at: 'files/album/',
    ready: entry('kept.txt'),
    first: async ({ page, daemon, text }) => {
      const file = join(daemon.root, 'letter.txt')
      await holdFiles(page.getByRole('grid'), [file], text('files.dropHere', { folder: 'album' }))
    },
  },
  {
    name: 'uploads that clash',
    at: 'files/',
    ready: entry('letter.txt'),
    isKnown: true,
    shows: [
      clash('an upload that clashes', { 'letter.txt': 'mine' }),
      clash('many that clash', { 'letter.txt': 'mine', 'notes.md': '', 'new.txt': '' }),
    ],
  },
  {
    name: 'something undone',
    at: 'files/',
    ready: entry('letter.txt'),
    first: async (stage) => {
      await entry('picture.png')(stage).focus()
      await stage.page.keyboard.press('Control+Space')
      await stage.page.getByRole('toolbar', { name: stage.text('files.selectionActions'), exact: true }).waitFor()
      await keepToasts(stage.page)
      await stage.page.keyboard.press('Delete')
      await toast('actions.undo')(stage).waitFor()
    },
  },
  {
    name: 'work that failed',
    at: 'files/one/two/three/four/five/',
    ready: entry('six'),
    first: workOnSome,
    shows: [
      {
        name: 'activity',
        from: activityButton,
        key: 'Enter',
        ready: region('jobs.title'),
        leave: async (stage) => await button('jobs.close')(stage).press('Enter'),
      },
    ],
  },
  {
    name: 'uploads',
    at: 'files/one/',
    ready: entry('two'),
    first: uploadSome,
    shows: [
      { name: 'cancel all uploads', from: button('uploads.cancelAll'), key: 'Enter' },
      { ...signOutAmidUploads, only: 'wide' },
      { name: 'drawer', from: button('shell.openMenu'), key: 'Enter', inside: [signOutAmidUploads], only: 'narrow' },
    ],
  },
  {
    name: 'uploads of an earlier page',
    before: async ({ page }) => await page.unrouteAll({ behavior: 'ignoreErrors' }),
    at: 'files/',
    ready: region('uploads.title'),
    first: async (stage) => {
      await unfold(stage)
      await button('uploads.find', { name: 'last.txt' })(stage).waitFor()
    },
  },
]
