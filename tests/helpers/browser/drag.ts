import type { CDPSession, Locator, Page } from 'playwright-core'

export interface Point {
  readonly x: number
  readonly y: number
}

export async function middleOf(what: Locator): Promise<Point> {
  const box = await what.boundingBox()
  if (box === null) throw new Error('what is dragged or dropped on is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Presses the mouse on the one, and moves to the other in steps, as a hand does. The button stays down. */
export async function startDrag(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await middleOf(from)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await dragOn(page, to)
}

/** Goes on with a drag that has begun. */
export async function dragOn(page: Page, to: Locator): Promise<void> {
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
