import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linesBackward } from '../../../../src/platform/logging/rotating-file.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'

describe('the lines of a file, backward', () => {
  const readAll = async (text: string, upTo?: number): Promise<string[]> => {
    await using folder = await tempFolder({ 'x.log': text })
    return await Array.fromAsync(linesBackward(join(folder.path, 'x.log'), upTo))
  }

  it.each([
    ['', []],
    ['one', ['one']],
    ['one\n', ['one']],
    ['\n\none\n\ntwo', ['two', 'one']],
    ['ä\nö\n', ['ö', 'ä']],
  ])('of %j', async (text, lines) => {
    expect(await readAll(text)).toEqual(lines)
  })

  it('are whole where blocks of the file cut them, even through a character', async () => {
    for (const length of [65_534, 65_535, 65_536, 65_537, 200_000]) {
      const lines = ['a', 'ü'.repeat(length), 'b'.repeat(length), 'c']
      expect(await readAll(`${lines.join('\n')}\n`)).toEqual(lines.toReversed())
    }
  })

  it('end at the given offset', async () => {
    expect(await readAll('one\ntwo\nthree\n', 8)).toEqual(['two', 'one'])
  })

  it('are empty if the file does not exist', async () => {
    expect(await Array.fromAsync(linesBackward('/nowhere/x.log'))).toEqual([])
  })
})
