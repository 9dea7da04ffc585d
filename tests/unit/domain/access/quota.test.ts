import { expect, it } from 'vitest'
import { excess } from '../../../../src/domain/access/quota.ts'
import { roughSize } from '../../../../src/domain/text/units.ts'

const GB = 1024 ** 3
const use = (bytes: number, files: number) => ({
  used: { bytes, files },
  limit: { bytes: 20 * GB, files: 10 },
})

it('accepts what fits exactly', () => {
  expect(excess(use(19 * GB, 9), { bytes: GB, files: 1 })).toBeUndefined()
})

it('says how much is left, of bytes first, then of files', () => {
  expect(excess(use(19.5 * GB, 10), { bytes: GB, files: 1 })).toEqual({
    text: 'your quota has no room for 1 GiB: 512 MiB of 20 GiB are left',
  })
  expect(excess(use(GB, 9), { bytes: 1, files: 2 })).toEqual({
    text: 'your quota has no room for 2 files and folders: 1 of 10 are left',
    reason: 'files',
  })
})

it('says that nothing is left, not less than nothing, if the quota is exceeded', () => {
  expect(excess(use(21 * GB, 0), { bytes: 1, files: 1 })?.text).toContain('0 B of 20 GiB are left')
})

it('accepts what needs no room, however much is used', () => {
  expect(excess(use(21 * GB, 11), { bytes: 0, files: 0 })).toBeUndefined()
})

it('takes a limit of 0 for no limit', () => {
  expect(
    excess({ used: { bytes: 1, files: 1 }, limit: { bytes: 0, files: 0 } }, { bytes: 9, files: 9 }),
  ).toBeUndefined()
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [GB - 1, '1023.9 MiB'],
  [20 * GB, '20 GiB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(roughSize(bytes)).toBe(text)
})
