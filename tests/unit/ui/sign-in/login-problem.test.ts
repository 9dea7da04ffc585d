import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import { modeHref, problemOf } from '../../../../ui/src/sign-in/use-login.ts'

const t = (id: string, values: Record<string, string | number> = {}) => [id, ...Object.values(values)].join(' ')
const refused = (status: number, message = '', field?: string, minimum?: number) =>
  new ApiError({ status, message, field, minimum })

describe('the explanation of a refusal', () => {
  it.each([
    [refused(0), { text: 'files.noConnection' }],
    [refused(403), { field: 'password', text: 'login.wrongCredentials' }],
    [refused(403, 'this account is disabled', 'username'), { field: 'username', text: 'login.disabled' }],
    [refused(429), { text: 'login.tooManyAttempts 30' }],
    [refused(500), { text: 'login.failed' }],
  ])('when signing in', (error, problem) => {
    expect(problemOf(error, 'login', t)).toEqual(problem)
  })

  it.each([
    [refused(0), { text: 'files.noConnection' }],
    [
      refused(400, 'password is too short, minimum length is 12', 'password', 12),
      { field: 'password', text: 'login.tooShort 12' },
    ],
    [refused(400, 'password is too easy', 'password'), { field: 'password', text: 'login.tooEasy' }],
    [
      refused(400, 'a user name cannot look like an id of a user', 'username'),
      { field: 'username', text: 'login.nameUnusable' },
    ],
    [refused(403), { text: 'login.captchaRefused' }],
    [refused(405), { text: 'login.signUpOff' }],
    [refused(409), { field: 'username', text: 'login.nameTaken' }],
    [refused(503), { text: 'login.signUpFailed' }],
  ])('when signing up', (error, problem) => {
    expect(problemOf(error, 'signup', t)).toEqual(problem)
  })
})

describe('the address of the login page', () => {
  it('contains the mode and the redirect', () => {
    expect(modeHref('login', undefined)).toBe('/login')
    expect(modeHref('signup', '/files/a b/')).toBe('/login?mode=signup&redirect=%2Ffiles%2Fa+b%2F')
  })
})
