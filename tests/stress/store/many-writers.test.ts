import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createStore, openStores } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from '../../contract/store/folder.ts'
import { sampleDocument } from '../../contract/store/samples.ts'
import { isLong } from '../../helpers/stress-size.ts'
import { startWriter } from './processes.ts'

const EACH = isLong ? 100 : 40

it(`the store loses none of 8 × ${EACH} changes that eight processes make at once`, async () => {
  const folder = await temporaryFolder()
  const document = sampleDocument()
  await createStore(folder, document)

  const writers = Array.from({ length: 8 }, () => startWriter(folder, EACH))
  const numbers = (await Promise.all(writers.map(({ acknowledged }) => acknowledged))).flat()

  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 8 * EACH }, (_, index) => index + 1),
  )
  await using stores = await openStores({ folder })
  const { shares, settings } = stores.store.snapshot()
  expect(shares.map(({ hash }) => hash)).toEqual(Array.from({ length: 8 * EACH }, (_, index) => `share${index + 1}`))
  expect(settings.tus.chunkSize - document.settings.tus.chunkSize).toBe(8 * EACH)
  expect((await readdir(folder)).filter((name) => name.includes('tmp'))).toEqual([])
})
