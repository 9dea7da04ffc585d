import { describe, expect, it } from 'vitest'
import { createCommonPasswords } from '../../../../../src/platform/security/common-passwords.ts'
import { createPasswordPolicy } from '../../../../../src/services/accounts/auth/passwords.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'

const policy = createPasswordPolicy({ minimumLength: () => 12, isCommon: createCommonPasswords() })
const refusal = (message: string) => errorLike('INVALID_INPUT', message)

describe('CVE-2025-52997: a password that is easy to guess', () => {
  it('is too short if it has too few bytes, with the message that clients show', async () => {
    await expect(policy.require('x8Kq2mVw91L')).rejects.toEqual(refusal('password is too short, minimum length is 12'))
    await expect(policy.require('short')).rejects.toMatchObject({ details: { field: 'password', minimum: 12 } })
    await expect(policy.require('éèêëàù')).resolves.toBeUndefined()
  })

  it.each(['qwerty123456', '123456654321', 'superman1234', 'aaaaaaaaaaaa', 'abcdefghijkl'])(
    'is too easy: %s',
    async (password) => await expect(policy.require(password)).rejects.toEqual(refusal('password is too easy')),
  )
})
