import { useLingui } from '@lingui/react'
import { useMemo } from 'react'
import { createFormat, type Format } from '../lib/format.ts'
import { directionOf } from './locales.ts'

/** Formats numbers, sizes and dates in the language of the page. */
export function useFormat(): Format {
  const { i18n } = useLingui()
  const { locale } = i18n
  return useMemo(() => createFormat(locale, directionOf(locale)), [locale])
}
