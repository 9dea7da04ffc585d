import { describe, expect, it } from 'vitest'
import { createCommonPasswords } from '../../../../src/platform/security/common-passwords.ts'

const isCommon = createCommonPasswords()

describe('passwords that everybody tries first', () => {
  it.each(['qwerty123456', 'justinbieber', '123456654321', 'passwordpassword', 'JustinBieber'])(
    'are known, in any case: %s',
    async (password) => expect(await isCommon(password)).toBe(true),
  )

  it.each(['Monkey2024!!', '!!superman1234', '123dragon!456'])(
    'are known with digits and signs around them: %s',
    async (password) => expect(await isCommon(password)).toBe(true),
  )

  it.each(['correct horse battery staple', 'a long passphrase', 'Tr0ub4dor-and-3-more', 'monkey-93847502984', ''])(
    'are not confused with others: %s',
    async (password) => expect(await isCommon(password)).toBe(false),
  )
})
