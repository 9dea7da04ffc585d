import { readdir, watch } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemRandom } from '../../../src/platform/security/random.ts'
import { createStore, openStores } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from '../../contract/store/folder.ts'
import { countUp, sampleDocument } from '../../contract/store/samples.ts'
import { isLong } from '../../helpers/stress-size.ts'
import { startWriter } from './processes.ts'

const ROUNDS = isLong ? 50 : 5
/** Rounds in which a writer was killed while its temporary file existed. */
const INSIDE = ROUNDS / 5

it(`the store keeps every acknowledged change through ${ROUNDS} rounds of SIGKILL, and opens each time`, async () => {
  const folder = await temporaryFolder()
  await createStore(folder, sampleDocument())
  const acknowledged = new Set<string>()
  let killedInside = 0

  for (let round = 0; round < ROUNDS || killedInside < INSIDE; round++) {
    // Mostly one writer, which holds the lock when it dies; sometimes two, of which one waits for the lock.
    const writers = Array.from({ length: round % 5 === 0 ? 2 : 1 }, () => startWriter(folder, 1e6))
    await Promise.race(writers.map(({ busy }) => busy))
    // At any moment, or in the middle of a write.
    await (round % 2 === 0 ? sleep(systemRandom.below(40)) : untilWriteIn(folder))
    for (const { process } of writers) process.kill('SIGKILL')
    const numbers = await Promise.all(writers.map((writer) => writer.acknowledged))
    expect(numbers.flat()).not.toEqual([])
    for (const number of numbers.flat()) acknowledged.add(`share${number}`)
    if ((await readdir(folder)).some((name) => name.includes('tmp'))) killedInside++

    const started = performance.now()
    await using stores = await openStores({ folder })
    await stores.store.update(countUp)
    expect(performance.now() - started).toBeLessThan(5000)
    const present = new Set<string>(stores.store.snapshot().shares.map(({ hash }) => hash))
    expect([...acknowledged].filter((hash) => !present.has(hash))).toEqual([])
    expect((await readdir(folder)).filter((name) => /tmp|corrupt/.test(name))).toEqual([])
  }
})

/** Resolves when a temporary file appears. */
async function untilWriteIn(folder: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename?.includes('tmp') === true) return
}
