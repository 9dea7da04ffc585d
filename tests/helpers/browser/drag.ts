import type { CDPSession, Locator, Page } from 'playwright-core'
import { eventually } from '../patience.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The middle of an element. Waits until it is visible: while a folder is drawn, an entry may be replaced by a new one. */
export async function middleOf(element: Locator): Promise<Point> {
  return await eventually(async () => {
    const box = await element.boundingBox()
    if (box === null) throw new Error('what is dragged or dropped on is not visible')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  })
}

/** Presses the mouse on one element and moves it to another in steps, like a user. The button stays down. */
export async function startDrag(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await middleOf(from)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await continueDrag(page, to)
}

/** Continues a drag. */
export async function continueDrag(page: Page, to: Locator): Promise<void> {
  const { x, y } = await middleOf(to)
  await page.mouse.move(x + 4, y + 4, { steps: 8 })
  await page.mouse.move(x, y, { steps: 4 })
}

/** One finger on a page that was opened with `hasTouch`. */
export interface Finger {
  press(at: Point): Promise<void>
  moveTo(at: Point): Promise<void>
  lift(): Promise<void>
}

export async function fingerOn(page: Page): Promise<Finger> {
  const session: CDPSession = await page.context().newCDPSession(page)
  let place: Point = { x: 0, y: 0 }
  const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]): Promise<void> => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  return {
    async press(at) {
      place = at
      await send('touchStart', [at])
    },
    async moveTo(at) {
      const from = place
      for (let step = 1; step <= 10; step += 1) {
        const part = step / 10
        await send('touchMove', [{ x: from.x + (at.x - from.x) * part, y: from.y + (at.y - from.y) * part }])
      }
      place = at
    },
    lift: async () => await send('touchEnd', []),
  }
}

const RETRY_DELAY = 100

type Drag = (type: 'dragCancel' | 'dragEnter' | 'dragOver' | 'drop') => Promise<unknown>

/**
 * Drops files and folders from the disk on an element, as if dragged out of a file manager, once the page shows where they
 * will go.
 */
export async function dropFiles(target: Locator, paths: readonly string[]): Promise<void> {
  const drag = await holdFiles(target, paths, /^Drop to upload/)
  await drag('drop')
}

/** Drags files over the element until the page shows this text. */
export async function holdFiles(target: Locator, paths: readonly string[], says: RegExp | string): Promise<Drag> {
  const page = target.page()
  const drag = await dragOver(target, paths)
  const offer = page.getByRole('status').getByText(says)
  await drag('dragEnter')
  // The code that shows it is loaded after the first rows.
  for (let tries = 0; tries < 300; tries += 1) {
    await drag('dragOver')
    if (await offer.isVisible()) break
    await page.waitForTimeout(RETRY_DELAY)
  }
  return drag
}

async function dragOver(target: Locator, paths: readonly string[]): Promise<Drag> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element that files are dropped on is not visible')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  const session = await target.page().context().newCDPSession(target.page())
  return async (type) => await session.send('Input.dispatchDragEvent', { type, ...place, data })
}
