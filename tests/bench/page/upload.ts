import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { MANY } from '../data.ts'
import type { Sample } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { openBrowser } from './browser.ts'
import { countFrames } from './frames.ts'

/** In milliseconds. */
const TIMEOUT = 300_000

/** Drops a folder of many small files on the page. @returns files and frames per second, processor seconds of one file */
export async function uploadByPage({ data, daemon }: Workbench): Promise<Sample & { readonly frames: number }> {
  const source = join(data.root, data.newTree(1), '0')
  const folder = data.newFolder()
  await using browser = await openBrowser(daemon, false)
  const { page } = browser
  await page.goto(`/files/${folder}/`)
  await dropFiles(page.locator('main'), [source])
  const frames = await countFrames(page)
  const arrived = join(data.root, folder, '0')
  const { result, cpu, memory } = await daemon.meter.during(async () => {
    const start = performance.now()
    while (count(arrived) < MANY) {
      if (performance.now() - start > TIMEOUT) throw new Error(`only ${count(arrived)} of ${MANY} files have arrived`)
      await setTimeout(100)
    }
    return (performance.now() - start) / 1000
  })
  return { value: MANY / result, cpu: cpu / MANY, memory, frames: (await frames()).perSecond }
}

/** Complete files; unfinished uploads have hidden names. */
function count(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.')).length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
