import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { intercept } from '../../helpers/browser/intercept.ts'
import { watchShifts } from '../../helpers/browser/layout-shifts.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf, gridOf, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'

const FILES = {
  'one/two/deep.txt': '',
  'one/plain.txt': '',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`place-${index}/a.txt`, ''])),
}

const open = pageOfFile()

describe('another folder', () => {
  it('moves nothing, and disables its buttons until the list is there', async () => {
    await using shown = await open(FILES)
    const { daemon, page } = shown
    await savePlaces(daemon, { favourites: ['/place-0'], recent: ['/place-1', '/one', '/one/two'] })
    await page.reload()
    await sidebar(page).getByRole('button', { name: 'Recent' }).click()
    await sidebar(page).getByRole('link', { name: 'place-1' }).waitFor()
    await waitForWholePage(page)
    const listing = Promise.withResolvers<void>()
    await intercept(page, '**/api/resources/**', async (route) => {
      await listing.promise
      await route.continue()
    })
    const places = await placesOf(page)
    const stop = await watchShifts(page)

    await sidebar(page).getByRole('link', { name: 'one' }).click()
    await page.getByRole('group', { name: 'Loading files' }).waitFor()
    for (const button of buttonsOf(page)) expect(await button.isDisabled()).toBe(true)
    expect(await placesOf(page)).toEqual(places)
    listing.resolve()
    await entryOf(page, 'plain.txt').waitFor()
    for (const button of buttonsOf(page)) expect(await button.isEnabled()).toBe(true)

    await entryOf(page, 'two').dblclick()
    await entryOf(page, 'deep.txt').waitFor()
    await page.goBack()
    await entryOf(page, 'plain.txt').waitFor()
    await sidebar(page).getByRole('link', { name: 'My files' }).click()
    await entryOf(page, 'one').waitFor()
    expect(await stop()).toEqual({ score: 0, moved: [] })
  })
})

describe('the sidebar', () => {
  it('keeps its places on other screens', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    const trash = sidebar(page).getByRole('link', { name: 'Trash' })
    const place = await trash.boundingBox()
    await trash.click()
    await page.getByRole('heading', { name: 'Trash', level: 1 }).waitFor()
    expect(await trash.boundingBox()).toEqual(place)
    expect(await sidebar(page).getByRole('button', { name: 'New folder' }).isDisabled()).toBe(true)
  })

  it('keeps the settings and the way out in sight, however many places and however low the window', async () => {
    await using shown = await open(FILES)
    const { daemon, page } = shown
    const many = Array.from({ length: 12 }, (_, index) => `/place-${index}`)
    await savePlaces(daemon, { favourites: many, recent: [] })
    for (const height of [800, 360]) {
      await page.setViewportSize({ width: 1280, height })
      await page.reload()
      await sidebar(page).getByRole('link', { name: 'place-11' }).waitFor()
      for (const name of ['Settings', 'Sign out']) {
        const box = await sidebar(page)
          .locator(`:is(a, button):has-text(${JSON.stringify(name)}), [aria-label=${JSON.stringify(name)}]`)
          .first()
          .boundingBox()
        expect
          .soft([name, height, box !== null && box.y >= 0 && box.y + box.height <= height])
          .toEqual([name, height, true])
      }
    }
    // The last place can still be reached.
    await sidebar(page).getByRole('link', { name: 'place-11' }).click()
    await entryOf(page, 'a.txt').waitFor()
  })

  it('highlights one place', async () => {
    await using shown = await open(FILES, { folder: '/one/two/' })
    const { daemon, page } = shown
    const highlighted = async () =>
      await sidebar(page)
        .locator(':is(a, [role="treeitem"])')
        .evaluateAll((items) => {
          const probe = document.body.appendChild(document.createElement('i'))
          probe.style.backgroundColor = 'var(--selected)'
          const colour = getComputedStyle(probe).backgroundColor
          probe.remove()
          return items
            .filter((item) => getComputedStyle(item).backgroundColor === colour)
            .map((item) => item.textContent)
        })
    expect(await highlighted()).toEqual(['My files'])
    await savePlaces(daemon, { favourites: ['/one/two'], recent: ['/one/two', '/one'] })
    await page.reload()
    await gridOf(page).waitFor()
    await sidebar(page).getByRole('button', { name: 'Recent' }).click()
    await expect.poll(highlighted).toEqual(['two'])
    await sidebar(page).getByRole('button', { name: 'Folders', exact: true }).click()
    await sidebar(page).getByRole('treeitem', { name: 'two' }).waitFor()
    await page.mouse.move(800, 400)
    await expect.poll(highlighted).toEqual(['two'])
  })
})

function sidebar(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Sidebar' })
}

function buttonsOf(page: Page): Locator[] {
  return ['New folder', 'New file', 'Upload', 'More folder actions'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  )
}

/** Where everything is that should stay. */
async function placesOf(page: Page): Promise<unknown> {
  const kept = [
    ...buttonsOf(page),
    page.getByRole('button', { name: 'Search' }),
    page.getByRole('button', { name: 'Filter' }),
    page.getByRole('group', { name: 'View' }),
    page.getByRole('toolbar', { name: 'Folder actions' }),
    sidebar(page).getByRole('link', { name: 'Trash' }),
    sidebar(page).getByRole('button', { name: 'Folders', exact: true }),
  ]
  return await Promise.all(kept.map(async (element) => await element.boundingBox()))
}

interface Daemon {
  fetch(path: string, init?: RequestInit): Promise<Response>
}

async function savePlaces(
  daemon: Daemon,
  places: Readonly<Record<'favourites' | 'recent', readonly string[]>>,
): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: ['favourites', 'recent'], data: { id: 1, ...places } })
  const headers = { 'content-type': 'application/json' }
  const { status } = await daemon.fetch('/api/users/1', { method: 'PUT', headers, body })
  expect(status).toBe(200)
}
