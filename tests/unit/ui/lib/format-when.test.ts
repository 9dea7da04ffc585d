import { describe, expect, it } from 'vitest'
import { createFormatWhen } from '../../../../ui/src/lib/format.ts'

const when = createFormatWhen('en-GB')
const now = new Date(2025, 10, 21, 10, 12)
const ago = (seconds: number): string => when(new Date(now.getTime() - seconds * 1000), now)

describe('when a file was changed', () => {
  it('is relative within a week', () => {
    expect(ago(5)).toBe('Now')
    expect(ago(600)).toBe('10 minutes ago')
    expect(ago(2 * 3600)).toBe('2 hours ago')
    expect(ago(17.5 * 3600)).toBe('Yesterday')
    expect(ago(3 * 86_400)).toBe('3 days ago')
  })

  it('is a date after that, with the year when it is another', () => {
    expect(when(new Date(2025, 10, 12), now)).toBe('12 Nov')
    expect(when(new Date(2021, 2, 3), now)).toBe('3 Mar 2021')
  })

  it('is a date in the future, where "in 3 days" would be wrong about a file', () => {
    expect(when(new Date(2025, 11, 24), now)).toBe('24 Dec')
  })

  it('begins with a capital in every language', () => {
    expect(createFormatWhen('fr')(new Date(2025, 10, 20, 9), now)).toBe('Hier')
  })

  it('is empty for what is no date', () => {
    expect(when(new Date('x'), now)).toBe('')
  })
})
