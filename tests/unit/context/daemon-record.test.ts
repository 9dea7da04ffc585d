import { expect, it } from 'vitest'
import { readDaemon, refuseSecondDaemon } from '../../../src/context/daemon-record.ts'
import { OwnRecord } from '../../../src/context/own-record.ts'
import { openStores } from '../../../src/store/open-stores.ts'
import { testStore } from '../../helpers/cli/test-store.ts'

it('the record of a daemon is valid only while the daemon holds the store', async () => {
  await using folder = await testStore()
  const stores = await openStores({ folder: folder.data, daemon: true })
  await using _record = await OwnRecord.write(folder.data, '1.2.3')
  expect(await readDaemon(folder.data)).toMatchObject({ version: '1.2.3', pid: process.pid })
  await expect(refuseSecondDaemon(folder.data)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  await stores[Symbol.asyncDispose]()
  expect(await readDaemon(folder.data)).toBeUndefined()
})
