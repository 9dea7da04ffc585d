import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { namesIn, path } from '../../contract/storage/view.ts'
import { isLong } from '../../helpers/stress-size.ts'

const BYTES = 3_000_000
const ROUNDS = isLong ? 25 : 3
const SIDE_BY_SIDE = 4
const LATEST_KILL = 60

describe('a file that is being overwritten', () => {
  it('is complete, old or new, whenever the process is killed', async () => {
    const lanes = Array.from({ length: SIDE_BY_SIDE }, async () => {
      const root = mkdtempSync(join(tmpdir(), 'filemgr-killed-'))
      try {
        for (let round = 0; round < ROUNDS; round += 1) await killOneWriter(root)
        await expectOneName(root)
      } finally {
        rmSync(root, { recursive: true })
      }
    })
    await Promise.all(lanes)
  })
})

async function killOneWriter(root: string): Promise<void> {
  const script = fileURLToPath(new URL('./writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, root, String(BYTES)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await setTimeout(randomInt(LATEST_KILL))
  child.kill('SIGKILL')
  await closed
  const content = readFileSync(join(root, 'file'))
  expect(content.length).toBe(BYTES)
  expect(content.equals(Buffer.alloc(BYTES, content[0]))).toBe(true)
}

/** What the killed writers left behind is invisible. */
async function expectOneName(root: string): Promise<void> {
  await using storage = await openLocalStorage(root)
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  expect(await namesIn(scope, '/')).toEqual(['file'])
}
