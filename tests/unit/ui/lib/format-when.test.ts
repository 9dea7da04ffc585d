import { describe, expect, it } from 'vitest'
import { createFormatWhen } from '../../../../ui/src/lib/format.ts'

const when = createFormatWhen('en-GB')
const now = new Date(2025, 10, 21, 10, 12)
const ago = (seconds: number): string => when(new Date(now.getTime() - seconds * 1000), now)

describe('the time of a change', () => {
  it('is relative within a week', () => {
    expect(ago(5)).toBe('Now')
    expect(ago(600)).toBe('10 minutes ago')
    expect(ago(2 * 3600)).toBe('2 hours ago')
    expect(ago(17.5 * 3600)).toBe('Yesterday')
    expect(ago(3 * 86_400)).toBe('3 days ago')
  })

  it('is a date after that, with the year if it differs', () => {
    expect(when(new Date(2025, 10, 12), now)).toBe('12 Nov')
    expect(when(new Date(2021, 2, 3), now)).toBe('3 Mar 2021')
  })

  it('is a date in the future, since "in 3 days" would be wrong for a file', () => {
    expect(when(new Date(2025, 11, 24), now)).toBe('24 Dec')
  })

  it('starts with a capital letter in every language', () => {
    expect(createFormatWhen('fr')(new Date(2025, 10, 20, 9), now)).toBe('Hier')
  })

  it('is empty for an invalid date', () => {
    expect(when(new Date('x'), now)).toBe('')
  })
})
