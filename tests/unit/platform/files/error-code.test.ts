import { openSync } from 'node:fs'
import { constants } from 'node:os'
import { expect, it } from 'vitest'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { unwritable, errorCode } from '../../../../src/platform/files/error-code.ts'
import { translateError } from '../../../../src/storage/local/system/os-error.ts'
import { diskFailure } from '../../../../src/store/disk/disk.ts'

/** As Node throws it: it has a number, but no name. */
const overQuota = Object.assign(new Error('Unknown system error -122: Unknown system error -122, write'), {
  errno: -constants.errno.EDQUOT,
  code: 'Unknown system error -122',
  syscall: 'write',
})

it('a used-up quota of a disk means no space, for files, the store and the files of commands', () => {
  expect(errorCode(overQuota)).toBe('EDQUOT')
  const errors = [
    translateError(overQuota, '/a'),
    diskFailure(overQuota, 'store.json', 'saved'),
    unwritable('a', overQuota, 'INTERNAL'),
  ]
  for (const error of errors) expect(isFilemgrError(error, 'NO_SPACE')).toBe(true)
})

it('other errors have the code that Node gives them, or none', () => {
  const missing = (() => {
    try {
      return openSync('/does/not/exist', 'r')
    } catch (error) {
      return error
    }
  })()
  expect([missing, new Error('no code'), 'no error', undefined].map(errorCode)).toEqual([
    ...['ENOENT', undefined, undefined, undefined],
  ])
})
