import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
import { openLocalStorage } from '../../src/storage/local-storage.ts'

const FOLDERS = 20
const FILES = 500
const ROUNDS = 8
const LATEST_KILL = 2500
const CONTENT = 'x'.repeat(1000)

/** A folder of another disk, where there is one; else the move between disks is not what is seen here. */
const OTHER_DISK = '/dev/shm'
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev

class Ground implements Disposable {
  readonly base = mkdtempSync(join(tmpdir(), 'filemgr-moved-'))
  readonly root = join(this.base, 'root')
  readonly journal = join(this.base, 'staging.log')
  readonly other = hasOtherDisk ? mkdtempSync(join(OTHER_DISK, 'filemgr-moved-')) : join(this.base, 'other')

  constructor() {
    mkdirSync(this.root)
    mkdirSync(this.other, { recursive: true })
    symlinkSync(this.other, join(this.root, 'disk'))
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      mkdirSync(join(this.root, 'from', String(folder)), { recursive: true })
      for (let file = 0; file < FILES; file += 1)
        writeFileSync(join(this.root, 'from', String(folder), String(file)), CONTENT)
    }
  }

  /** Each file once at least, and whole wherever it is. */
  expectWhole(): void {
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      for (let file = 0; file < FILES; file += 1) {
        const name = `${folder}/${file}`
        const places = [join(this.root, 'from', name), join(this.root, 'to', name), join(this.other, 'to', name)]
        const found = places.filter((place) => existsSync(place))
        expect(found.length).toBeGreaterThan(0)
        for (const place of found) expect(readFileSync(place, 'utf8') === CONTENT).toBe(true)
      }
    }
  }

  async expectSwept(): Promise<void> {
    await using _storage = await openLocalStorage(this.root, { journal: this.journal })
    const names = [...readdirSync(this.root, { recursive: true }), ...readdirSync(this.other, { recursive: true })]
    expect(names.filter((name) => String(name).includes('.fm-tmp'))).toEqual([])
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
    rmSync(this.other, { recursive: true, force: true })
  }
}

async function killOneMover({ root, journal }: Ground, ...what: string[]): Promise<void> {
  const script = fileURLToPath(new URL('./storage-mover.ts', import.meta.url))
  const child = spawn(process.execPath, [script, root, journal, ...what], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await Promise.race([setTimeout(randomInt(LATEST_KILL)), closed])
  child.kill('SIGKILL')
  await closed
}

describe('ten thousand files whose process is killed', () => {
  it('are whole at one place at least while they are copied, and nothing half-made stays', async () => {
    using ground = new Ground()
    for (let round = 0; round < ROUNDS; round += 1) {
      await killOneMover(ground, 'copy', '/from', '/to')
      ground.expectWhole()
      await ground.expectSwept()
    }
  })

  it('are whole at the one end or the other while they are moved into a folder that is there', async () => {
    using ground = new Ground()
    for (let folder = 0; folder < FOLDERS; folder += 1)
      mkdirSync(join(ground.root, 'to', String(folder)), { recursive: true })
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!existsSync(join(ground.root, 'from'))) break
      await killOneMover(ground, 'move', '/from', '/to')
      ground.expectWhole()
      await ground.expectSwept()
    }
  })

  it('are whole at the one end or the other while they are moved to another disk', async () => {
    using ground = new Ground()
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!existsSync(join(ground.root, 'from'))) break
      await killOneMover(ground, 'move', '/from', '/disk/to')
      ground.expectWhole()
      await ground.expectSwept()
    }
  })
})
