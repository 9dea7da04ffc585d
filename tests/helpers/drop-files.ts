import type { Locator } from 'playwright-core'

/** Drops files and folders of the disk on an element, as somebody who drags them out of a file manager does. */
export async function dropFiles(target: Locator, paths: readonly string[]): Promise<void> {
  const page = target.page()
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element that files are dropped on is not visible')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...place, data })
  }
}
