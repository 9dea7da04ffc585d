import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { hasContent } from '../../../src/store/disk/atomic-file.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const pieces = [Buffer.from('a'), Buffer.alloc(300_000, 'b'), Buffer.from('c')]
const whole = Buffer.concat(pieces)
const other = Buffer.from(whole)
other[299_999] = 0

it.each([
  ['the same', whole, true],
  ['nothing', Buffer.alloc(0), false],
  ['less', whole.subarray(0, -1), false],
  ['more', Buffer.concat([whole, Buffer.from('d')]), false],
  ['another byte', other, false],
])('compares the content of a file with pieces: %s', async (_, bytes, isSame) => {
  await using folder = await tempFolder({})
  await writeFile(folder.at('file'), bytes)
  expect(await hasContent(folder.at('file'), pieces)).toBe(isSame)
  expect(await hasContent(folder.at('file'), [whole])).toBe(isSame)
})
