import { closeSync, lstatSync, mkdirSync, openSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseSeconds } from '../../../src/domain/files/file-time.ts'
import {
  mayBeUnheld,
  setFileTimes,
  setFolderTimes,
  setLinkTimes,
  settableTime,
} from '../../../src/storage/local/system/file-times.ts'
import { hold, HOLD_FOLDER } from '../../../src/storage/local/system/handle.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** All within what ext4 holds: 1901 to 2446. */
const TIMES = [
  '-2000000000.75',
  '-114912000.123456',
  '-1.5',
  '-0.000001',
  '0',
  '1700000000.123456',
  '4102444800.5',
  '13569465600.25',
]

it.each(TIMES)('gives a file, a folder and a link the time %s', async (text) => {
  await using folder = await tempFolder()
  const modified = parseSeconds(text) ?? 0n
  const times = { accessed: modified, modified }
  writeFileSync(folder.at('file'), '')
  mkdirSync(folder.at('folder'))
  symlinkSync('file', folder.at('link'))
  const fd = openSync(folder.at('file'), 'r+')
  await setFileTimes(fd, times)
  closeSync(fd)
  using around = await hold(folder.path, HOLD_FOLDER)
  using held = await hold(folder.at('folder'), HOLD_FOLDER)
  await setFolderTimes(held, times)
  await setLinkTimes({ folder: around, name: 'link' }, times)
  const expected = settableTime(modified)
  for (const name of ['file', 'folder'])
    expect(statSync(folder.at(name), { bigint: true }).mtimeNs, name).toBe(expected)
  expect(lstatSync(folder.at('link'), { bigint: true }).mtimeNs).toBe(expected)
  // The digits that people see stay.
  expect(expected - modified).toBeLessThan(2000n)
  expect(expected).toBeGreaterThanOrEqual(modified)
})

it('is exact to a quarter of a microsecond in this century', () => {
  for (let nanos = 0n; nanos < 1_000_000_000n; nanos += 12_345_679n) {
    const time = 1_700_000_000_000_000_000n + nanos
    expect(settableTime(time) - time).toBeLessThan(250n)
    expect(settableTime(time)).toBeGreaterThanOrEqual(time)
    expect(settableTime(-time)).toBeGreaterThanOrEqual(-time)
    expect(settableTime(settableTime(time))).toBe(settableTime(time))
  }
})

it('knows which times some disks cannot hold', () => {
  expect([-1n, 0n, 4_102_444_800_000_000_000n].map(mayBeUnheld)).toEqual([true, true, true])
  expect(mayBeUnheld(1_700_000_000_000_000_000n)).toBe(false)
})
