import { expect, it } from 'vitest'
import { isFilemgrError } from '../../../../../src/domain/errors.ts'
import { readBackup } from '../../../../../src/services/server/backup/backup-file.ts'
import { storeCodec } from '../../../../../src/store/open-stores.ts'
import { planImport } from '../../../../../src/import/filebrowser/plan-import.ts'
import { importInput } from '../../../../helpers/samples/old-installation.ts'
import { backupOf, inParts, paxHeader, tarFile } from '../../../../helpers/samples/tar-file.ts'

const codec = storeCodec()
const { document } = planImport(importInput())
const sound = backupOf({ 'store.json': await codec.encode(document), 'branding/img/logo.svg': '<svg/>' })

/** Small numbers that follow from the seed alone. */
const numbersOf = (seed: number) => {
  let state = seed
  return (limit: number) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % limit
}

async function read(tar: Uint8Array, part = 4096) {
  try {
    return await readBackup(inParts(tar, part), codec)
  } catch (error) {
    if (isFilemgrError(error) && ['INVALID_INPUT', 'TOO_LARGE'].includes(error.code)) return undefined
    throw error
  }
}

it.each([1, 7, 511, 512, 513, 100_000])('reads a backup that comes in parts of %i bytes', async (part) => {
  const backup = await read(sound.subarray(), part)
  expect(backup?.document).toEqual(document)
  expect([...(backup?.branding.keys() ?? [])]).toEqual(['img/logo.svg'])
})

it('refuses damaged ones, or reads what was saved: never anything else', async () => {
  for (let seed = 1; seed <= 400; seed++) {
    const below = numbersOf(seed)
    const copy = Buffer.from(sound)
    for (let change = below(4); change >= 0; change--) copy.writeUInt8(below(256), below(copy.length))
    const cut = seed % 3 === 0 ? copy.subarray(0, below(copy.length)) : copy
    const backup = await read(cut)
    if (backup !== undefined) expect(backup.document).toEqual(document)
  }
})

it('allocates no memory for a size that a header only claims', async () => {
  const claim = tarFile([{ name: 'store.json', size: 60 * 2 ** 20 }])
  const before = process.memoryUsage().arrayBuffers
  expect(await read(claim)).toBeUndefined()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20)
})

it('CVE-2026-59873 and its like: soon stops reading a tar that holds only headers of headers', async () => {
  let given = 0
  const headers = async function* () {
    for (; given < 1000; given += 1) yield paxHeader('store.json')
  }
  await expect(readBackup(headers(), codec)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(given).toBeLessThan(10)
})

it('reads a file to its last byte, and ignores what follows the end of the backup', async () => {
  expect((await read(Buffer.concat([sound, Buffer.alloc(100_000, 7)])))?.document).toEqual(document)
})
