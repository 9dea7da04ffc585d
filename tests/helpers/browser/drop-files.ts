import type { Locator } from 'playwright-core'

const AGAIN_AFTER = 100

type Drag = (type: 'dragCancel' | 'dragEnter' | 'dragOver' | 'drop') => Promise<unknown>

/**
 * Drops files and folders of the disk on an element, as somebody who drags them out of a file manager does: once the page
 * says where they will go.
 */
export async function dropFiles(target: Locator, paths: readonly string[]): Promise<void> {
  const drag = await holdFiles(target, paths, /^Drop to upload/)
  await drag('drop')
}

/** Holds them over it until the page says this. */
export async function holdFiles(target: Locator, paths: readonly string[], says: RegExp | string): Promise<Drag> {
  const page = target.page()
  const drag = await dragOver(target, paths)
  const offer = page.getByRole('status').getByText(says)
  await drag('dragEnter')
  // What says so is fetched after the first rows.
  for (let tries = 0; tries < 300; tries += 1) {
    await drag('dragOver')
    if (await offer.isVisible()) break
    await page.waitForTimeout(AGAIN_AFTER)
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
