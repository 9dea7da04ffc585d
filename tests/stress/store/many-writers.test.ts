import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createStore, openStores } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from '../../contract/store/folder.ts'
import { sampleDocument } from '../../contract/store/samples.ts'
import { startWriter } from './processes.ts'

it('loses none of 8 × 100 changes that eight processes make at once', async () => {
  const folder = await temporaryFolder()
  const document = sampleDocument()
  await createStore(folder, document)

  const writers = Array.from({ length: 8 }, () => startWriter(folder, 100))
  const numbers = (await Promise.all(writers.map(({ acknowledged }) => acknowledged))).flat()

  expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 800 }, (_, index) => index + 1))
  await using stores = await openStores({ folder })
  const { shares, settings } = stores.store.snapshot()
  expect(shares.map(({ hash }) => hash)).toEqual(Array.from({ length: 800 }, (_, index) => `share${index + 1}`))
  expect(settings.tus.chunkSize - document.settings.tus.chunkSize).toBe(800)
  expect((await readdir(folder)).filter((name) => name.includes('tmp'))).toEqual([])
})
