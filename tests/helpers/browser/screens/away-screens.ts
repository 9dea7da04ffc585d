import { cacheNames, receivedPrefix } from '../../../../ui/src/worker/messages.ts'
import { revokeBrowsers } from '../sessions.ts'
import { button, entry, field, type Act, type Find, type Screen, type TextId } from './screen.ts'
import { intercept } from '../intercept.ts'

const content: Find = ({ page }) => page.locator('.ace_editor > .ace_text-input').first()
const heading =
  (id: TextId): Find =>
  ({ page, text }) =>
    page.getByRole('heading', { name: text(id) })
const banner: Find = ({ page, text }) =>
  page.getByRole('status').filter({ has: page.getByRole('button', { name: text('errors.retry') }) })

/** Fires the event of the browser. Requests still work. */
function goOffline(): void {
  Object.defineProperty(navigator, 'onLine', { get: () => false })
  dispatchEvent(new Event('offline'))
}

/** Sends the message of the service worker for cached listings. @returns whether the page received it */
function answerInstead(): boolean {
  const data = { type: 'reach', keptAt: Date.UTC(2026, 0, 2) }
  navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  return document.querySelector('[role=status] time') !== null
}

/** The code that shows this is loaded after the first rows. */
const settled: Act = async ({ page }) => {
  await page.waitForFunction(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name)
    return [/signed-in-layout-.*js/, /toaster-.*js/].every((part) => names.some((name) => part.test(name)))
  })
}

/** Stores files the way the service worker does when another app shares them. */
const receive: Act = async ({ page, daemon }) => {
  const names = [
    'photo.jpg',
    'a picture with a name that is much longer than a narrow screen is wide.jpg',
    'b',
    'c',
    'd',
  ]
  // Only pages of the server reach its caches, and this answer is the smallest.
  await page.goto('/health')
  const place = { cache: cacheNames(daemon.url).received, first: receivedPrefix(daemon.url), names }
  await page.evaluate(async ({ cache, first, names }) => {
    const box = await caches.open(cache)
    for (const [index, name] of names.entries()) {
      const headers = { 'X-Name': encodeURIComponent(name) }
      await box.put(`${first}${index}`, new Response('x'.repeat(5000), { headers }))
    }
  }, place)
}

const signInAgain: Act = async (stage) => {
  await field('login.password')(stage).fill(stage.daemon.password)
  await stage.page.keyboard.press('Enter')
}

export const AWAY_SCREENS: readonly Screen[] = [
  {
    name: 'what another app sends',
    at: 'files/?received',
    before: receive,
    ready: ({ page }) => page.getByRole('dialog').getByRole('tree'),
  },
  {
    name: 'offline',
    at: 'files/',
    ready: entry('letter.txt'),
    first: async (stage) => {
      await stage.page.evaluate(goOffline)
      await banner(stage).waitFor()
    },
  },
  {
    name: 'a listing that was kept',
    at: 'files/',
    ready: entry('letter.txt'),
    first: async (stage) => {
      await stage.page.waitForFunction(answerInstead)
      await banner(stage).waitFor()
    },
  },
  {
    name: 'a part of the page that does not come',
    at: 'files/',
    ready: entry('letter.txt'),
    first: async (stage) => {
      await settled(stage)
      await intercept(stage.page, /help-prompt/, async (route) => await route.abort())
      await stage.page.keyboard.press('F1')
      await button('app.reload')(stage).waitFor()
    },
  },
  {
    name: 'no answer to a question',
    before: async ({ page }) => {
      await page.unrouteAll()
      await page.route('**/api/resources/**', async (route) => await route.abort())
    },
    at: 'files/album/',
    ready: heading('errors.connection'),
  },
  {
    name: 'a server that does not work',
    before: async ({ page }) => {
      await page.unrouteAll()
      await page.route('**/api/renew', async (route) => await route.fulfill({ status: 500 }))
    },
    at: 'files/',
    ready: heading('errors.internal'),
  },
  {
    name: 'a text when the session ends',
    before: async ({ page }) => await page.unrouteAll(),
    at: 'files/notes.md?edit=true',
    ready: content,
    isKnown: true,
    first: async (stage) => {
      const { page, text } = stage
      await content(stage).focus()
      await page.keyboard.type('mine ')
      await page.getByRole('img', { name: text('editor.unsaved') }).waitFor()
    },
    shows: [
      {
        name: 'sign in again',
        from: content,
        key: 'Shift',
        leave: signInAgain,
        between: async ({ daemon }) => await revokeBrowsers(daemon),
        then: async (stage) => {
          const { page, text } = stage
          await field('login.username')(stage).fill('ben')
          await field('login.password')(stage).fill('wrong')
          await page.keyboard.press('Enter')
          await page.getByText(text('login.wrongCredentials')).waitFor()
          await field('login.username')(stage).fill(stage.daemon.username)
        },
      },
    ],
  },
  {
    name: 'a page that nobody uses',
    before: async ({ page }) => await page.clock.install(),
    at: 'files/',
    ready: entry('letter.txt'),
    isKnown: true,
    shows: [
      {
        name: 'warning before the end',
        from: entry('letter.txt'),
        key: 'Shift',
        between: async ({ page }) => await page.clock.fastForward('01:58:57'),
      },
    ],
  },
]
