import { useLocale } from './use-text.tsx'
import { useEffect, useMemo, useState } from 'react'
import { createFormat, type Format } from '../lib/format.ts'
import { directionOf } from './locales.ts'

/** Formats numbers, sizes and dates in the language of the page. */
export function useFormat(): Format {
  const locale = useLocale()
  return useMemo(() => createFormat(locale, directionOf(locale)), [locale])
}

const TICK = 15_000

/** The current time, updated regularly, for relative times. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
