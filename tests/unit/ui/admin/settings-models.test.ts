import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import {
  passwordAdvice,
  problemOfAnswer,
  problemOfEntries,
} from '../../../../ui/src/admin/settings/profile/password-rules.ts'
import type { Translate } from '../../../../ui/src/i18n/use-text.tsx'
import { LANGUAGES } from '../../../../ui/src/i18n/languages.ts'
import { readUserAgent } from '../../../../ui/src/admin/settings/profile/user-agent.ts'

const t: Translate = (id) => id

describe('the advice for a new password', () => {
  it('improves with its strength', () => {
    expect(passwordAdvice('', 12)).toBe('none')
    expect(passwordAdvice('cupboard', 12)).toBe('short')
    expect(passwordAdvice('äöüäöü', 12)).not.toBe('short')
    expect(passwordAdvice('abcabcabcabc', 12)).toBe('predictable')
    expect(passwordAdvice('cupboards', undefined)).toBe('fair')
    expect(passwordAdvice('cupboard & kettle', 12)).toBe('good')
    expect(passwordAdvice('quiet harbour morning, 7 gulls', 12)).toBe('strong')
  })

  it('does not improve with repeated characters', () => {
    expect(passwordAdvice(`kettle${'!'.repeat(6)}`, 12)).toBe('fair')
  })
})

describe('a change of the password', () => {
  const right = { current: 'old', next: 'new one', repeated: 'new one' }

  it('is validated field by field before it is sent', () => {
    expect(problemOfEntries(right, t)).toBeUndefined()
    expect(problemOfEntries({ ...right, current: undefined }, t)).toBeUndefined()
    expect(problemOfEntries({ ...right, current: '' }, t)?.field).toBe('current')
    expect(problemOfEntries({ ...right, next: '', repeated: '' }, t)?.field).toBe('next')
    expect(problemOfEntries({ ...right, repeated: 'new' }, t)?.field).toBe('repeated')
  })

  it('shows a rejection of the server at its field', () => {
    const refused = (status: number, message: string, field?: string, minimum?: number) =>
      problemOfAnswer(new ApiError({ status, message, field, minimum }), t)
    const short = refused(400, 'password is too short, minimum length is 12', 'password', 12)
    expect(short).toMatchObject({ field: 'next', text: 'password.tooShort', least: 12 })
    expect(refused(400, 'password is too easy', 'password')).toMatchObject({ field: 'next', text: 'password.tooEasy' })
    expect(refused(400, 'the current password is incorrect', 'current_password').field).toBe('current')
    expect(refused(403, 'only an administrator may change password', 'password').text).toBe('password.forbidden')
    expect(refused(429, 'wait').text).toBe('password.tooManyAttempts')
    expect(refused(0, '000 No connection').text).toBe('files.noConnection')
    expect(refused(500, 'oh').field).toBeUndefined()
  })
})

describe('the name of a device', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', false],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
      'Edge',
      'Windows',
      false,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      'Safari',
      'macOS',
      false,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 CriOS/150.0 Mobile/15E148 Safari/604.1',
      'Chrome',
      'iPhone',
      true,
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 SamsungBrowser/30.0 Chrome/140.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
      true,
    ],
    ['curl/8.17.0', 'curl', undefined, false],
    ['', undefined, undefined, false],
  ])('is its browser and system: %s', (userAgent, program, system, mobile) => {
    expect(readUserAgent(userAgent)).toEqual({ program, system, mobile })
  })
})

describe('the list of languages', () => {
  it('contains each language once, under its native name', () => {
    const labels = LANGUAGES.map(({ label }) => label)
    expect(new Set(labels).size).toBe(28)
    expect(labels).toEqual(expect.arrayContaining(['Deutsch', 'English', 'Français', 'العربية', '日本語']))
    expect(labels.filter((label) => /^[a-z]{2}(-|$)/.test(label))).toEqual([])
  })
})
