import { useLocale } from './use-text.tsx'
import { useMemo } from 'react'
import { createFormat, type Format } from '../lib/format.ts'
import { directionOf } from './locales.ts'

/** Formats numbers, sizes and dates in the language of the page. */
export function useFormat(): Format {
  const locale = useLocale()
  return useMemo(() => createFormat(locale, directionOf(locale)), [locale])
}
