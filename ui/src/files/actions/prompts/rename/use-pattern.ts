import { useMemo, useState } from 'react'
import type { RenamePattern } from '../../../../../../src/domain/files/renames/rename-pattern.ts'

/** The values of the fields. */
export interface PatternForm {
  readonly template: string
  readonly find: string
  readonly replace: string
  readonly matchCase: boolean
  readonly letters: NonNullable<RenamePattern['letters']>
  readonly extension: boolean
  readonly date: string
  /** As typed, since a field may be empty for a moment. */
  readonly start: string
  readonly step: string
  readonly digits: string
}

export interface PatternState {
  readonly form: PatternForm
  readonly pattern: RenamePattern
  change(change: Partial<PatternForm>): void
}

/** @param count number of entries; by default, all counters get as many digits as the last one needs */
export function usePattern(count: number, onChange: () => void): PatternState {
  const [form, setForm] = useState<PatternForm>({
    template: '{name}',
    find: '',
    replace: '',
    matchCase: false,
    letters: 'keep',
    extension: false,
    date: 'YYYY-MM-DD',
    start: '1',
    step: '1',
    digits: String(count).length.toString(),
  })
  return {
    form,
    pattern: useMemo(() => patternOf(form), [form]),
    change(change) {
      setForm((before) => ({ ...before, ...change }))
      onChange()
    },
  }
}

function patternOf({ matchCase, start, step, digits, ...rest }: PatternForm): RenamePattern {
  return {
    ...rest,
    ignoreCase: !matchCase,
    start: numberIn(start, 0, 1e9),
    step: numberIn(step, 1, 1e6),
    digits: numberIn(digits, 1, 10),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** The number, limited to the range; 1 if the text is not a number. */
function numberIn(text: string, min: number, max: number): number {
  return /^\d{1,15}$/.test(text) ? Math.min(max, Math.max(min, Number(text))) : 1
}
