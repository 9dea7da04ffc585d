import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isFilemgrError } from '../../../src/domain/errors.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import { createStore, openStores } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from '../../contract/store/folder.ts'
import { addUser, sampleDocument } from '../../contract/store/samples.ts'
import { seeded } from '../../helpers/seeded.ts'

const SEED = 20_240_229
/** For each of four kinds of damage: 52 cases in all. */
const PLACES = 13

const DAMAGES: Record<string, (bytes: Buffer, at: number, bit: number) => Buffer> = {
  'cut off': (bytes, at) => bytes.subarray(0, at),
  'overwritten with zeros to the end': (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
  'overwritten with a block of zeros': (bytes, at) => Buffer.from(bytes).fill(0, at, Math.min(at + 512, bytes.length)),
  'flipped in one bit': (bytes, at, bit) => {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
    return flipped
  },
}

/** Opens the store. @returns its document, or the message of the refusal */
async function openDamaged(folder: string): Promise<StoreDocument | string> {
  try {
    await using stores = await openStores({ folder })
    return stores.store.snapshot()
  } catch (error) {
    if (isFilemgrError(error, 'STORE_INVALID')) return error.message
    throw error
  }
}

describe.each(Object.entries(DAMAGES))(`store.json %s at ${PLACES} places`, (_, damage) => {
  const random = seeded(SEED)
  const places = Array.from({ length: PLACES }, () => [random(), Math.floor(random() * 8)] as const)

  it('opens with its users, from the last recovery copy if the damage shows', async () => {
    const folder = await temporaryFolder()
    const document = sampleDocument()
    addUser(document)
    await createStore(folder, document)
    const path = join(folder, 'store.json')
    const good = await readFile(path)
    let repaired = 0
    for (const [share, bit] of places) {
      await writeFile(path, damage(good, Math.floor(share * good.length), bit))
      const opened = await openDamaged(folder)
      expect(opened).toMatchObject({
        users: [{ id: expect.any(Number) as number }, { id: expect.any(Number) as number }],
      })
      if ((await readFile(path)).equals(good)) repaired++
    }
    // A bit that flips inside a value can leave a valid document, which looks like an edit by hand.
    expect(repaired).toBeGreaterThan(PLACES / 2)
    expect((await readdir(folder)).filter((name) => name.includes('.corrupt-')).length).toBe(repaired)
  })

  it('is refused with a line that says what is wrong, if no recovery copy is left', async () => {
    const folder = await temporaryFolder()
    await createStore(folder, sampleDocument())
    const path = join(folder, 'store.json')
    const good = await readFile(path)
    for (const copy of [1, 2, 3]) await writeFile(`${path}.${copy}`, '')
    for (const [share, bit] of places.slice(0, 5)) {
      const damaged = damage(good, Math.floor(share * good.length), bit)
      await writeFile(path, damaged)
      const opened = await openDamaged(folder)
      if (typeof opened === 'string') {
        expect(opened).toMatch(/^store\.json is not valid: .+ repair the file, or restore a backup\.$/)
        expect(await readFile(path)).toEqual(damaged)
      } else expect(opened.users).toHaveLength(1)
    }
  })
})
