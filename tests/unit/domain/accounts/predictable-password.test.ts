import { describe, expect, it } from 'vitest'
import { isPredictable } from '../../../../src/domain/accounts/predictable-password.ts'

describe('a long password', () => {
  it.each(['aaaaaaaaaaaa', 'abcabcabcabc', '123123123123', 'xyZXYzxyzxYZ', 'ab12ab12ab12ab'])(
    'that repeats one short unit is predictable: %s',
    (password) => expect(isPredictable(password)).toBe(true),
  )

  it.each(['123456789012', 'qwertyuiopasdf', 'qwerty123456', 'abcdefGHIJKL', '098765432100', 'zyxwvu987654'])(
    'that runs along the keyboard or the alphabet is predictable: %s',
    (password) => expect(isPredictable(password)).toBe(true),
  )

  it.each(['correct horse battery', 'Tr0ub4dor-and-3-more', 'a long passphrase', 'éééééé', 'x8Kq2mVw91Lp', ''])(
    'without such a pattern is not predictable: %s',
    (password) => expect(isPredictable(password)).toBe(false),
  )
})
