import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { beginStaging } from '../../../src/context/staging-run.ts'
import { silentLogger } from '../../../src/platform/logging/logger.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { StagedNames } from '../../../src/storage/reserved-names.ts'
import { isLong } from '../../helpers/stress-size.ts'

const FOLDERS = 20
const FILES = isLong ? 500 : 100
const ROUNDS = isLong ? 8 : 3
const LATEST_KILL = isLong ? 2500 : 500
const CONTENT = 'x'.repeat(1000)

/** A folder of another disk, if there is one; otherwise no move between disks is tested. */
const OTHER_DISK = '/dev/shm'
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev

class ServedFiles implements Disposable {
  readonly base = mkdtempSync(join(tmpdir(), 'filemgr-moved-'))
  readonly root = join(this.base, 'root')
  readonly data = join(this.base, 'data')
  readonly other = hasOtherDisk ? mkdtempSync(join(OTHER_DISK, 'filemgr-moved-')) : join(this.base, 'other')

  constructor() {
    for (const folder of [this.root, this.data]) mkdirSync(folder)
    mkdirSync(this.other, { recursive: true })
    symlinkSync(this.other, join(this.root, 'disk'))
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      mkdirSync(join(this.root, 'from', String(folder)), { recursive: true })
      for (let file = 0; file < FILES; file += 1)
        writeFileSync(join(this.root, 'from', String(folder), String(file)), CONTENT)
    }
  }

  /** Expects each file at least once, and complete wherever it is. */
  expectWhole(): void {
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      for (let file = 0; file < FILES; file += 1) {
        const name = `${folder}/${file}`
        const folders = ['from', 'to', 'into/to'].map((folder) => join(this.root, folder))
        const paths = [...folders, join(this.other, 'to')].map((folder) => join(folder, name))
        const found = paths.filter((path) => existsSync(path))
        expect(found.length).toBeGreaterThan(0)
        for (const path of found) expect(readFileSync(path, 'utf8') === CONTENT).toBe(true)
      }
    }
  }

  async expectSwept(): Promise<void> {
    await using staging = await beginStaging(this.data, silentLogger)
    // A sweep follows no links, so the other disk is served by itself.
    for (const folder of [this.root, this.other]) {
      const staged = new StagedNames(staging.names.stager, true)
      await using storage = await openLocalStorage(folder, { staged })
      await storage.sweep()
      expect(staged.isClean).toBe(true)
    }
    for (const folder of [this.root, this.other]) {
      const names = readdirSync(folder, { recursive: true }).map(String)
      expect(names.filter((name) => name.includes('.fm-tmp'))).toEqual([])
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
    rmSync(this.other, { recursive: true, force: true })
  }
}

async function killOneMover({ root, data }: ServedFiles, ...job: string[]): Promise<void> {
  const script = fileURLToPath(new URL('./mover.ts', import.meta.url))
  const child = spawn(process.execPath, [script, root, data, ...job], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await Promise.race([setTimeout(randomInt(LATEST_KILL)), closed])
  child.kill('SIGKILL')
  await closed
}

describe(`${FOLDERS * FILES} files that a killed process copies or moves`, () => {
  it('are complete in at least one place after a copy, and no leftovers remain, even in a renamed folder', async () => {
    using files = new ServedFiles()
    const [into, renamed] = [join(files.root, 'into'), join(files.root, 'renamed')]
    mkdirSync(into)
    for (let round = 0; round < ROUNDS; round += 1) {
      await killOneMover(files, 'copy', '/from', '/into/to')
      files.expectWhole()
      renameSync(into, renamed)
      await files.expectSwept()
      renameSync(renamed, into)
    }
  })

  it('are complete in at least one place after a move into an existing folder', async () => {
    using files = new ServedFiles()
    for (let folder = 0; folder < FOLDERS; folder += 1)
      mkdirSync(join(files.root, 'to', String(folder)), { recursive: true })
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!existsSync(join(files.root, 'from'))) break
      await killOneMover(files, 'move', '/from', '/to')
      files.expectWhole()
      await files.expectSwept()
    }
  })

  it('are complete in at least one place after a move to another disk', async () => {
    using files = new ServedFiles()
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!existsSync(join(files.root, 'from'))) break
      await killOneMover(files, 'move', '/from', '/disk/to')
      files.expectWhole()
      await files.expectSwept()
    }
  })
})
