import { useLingui } from '@lingui/react'
import { useEffect, useMemo, useState } from 'react'
import { useUser } from '../../api/session-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { createFormatWhen } from '../../lib/format-when.ts'
import { createEntryText, type EntryText } from './grid/entry-text.ts'

const MINUTE = 60_000

/** How entries are written now; "3 minutes ago" moves on while the page is open. */
export function useEntryText(): EntryText {
  const t = useText()
  const format = useFormat()
  const { locale } = useLingui().i18n
  const exactDates = useUser()?.dateFormat ?? false
  const now = useMinute()
  const when = useMemo(() => createFormatWhen(locale), [locale])
  // `t` is another function at each rendering, but says the same as long as the language stays.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- or every row would be drawn again at every key
  return useMemo(() => createEntryText({ t, format, when, now, exactDates }), [format, when, now, exactDates])
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
