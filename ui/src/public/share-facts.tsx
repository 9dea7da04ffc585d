import { useLingui } from '@lingui/react'
import { type ReactNode, useMemo, useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useText } from '../i18n/use-text.tsx'
import { createFormatWhen } from '../lib/format-when.ts'
import styles from './share-facts.module.css'

const DAY = 86_400_000

/** What is known of a shared thing, in one line: size, dates. */
export function ShareFacts({ children }: { readonly children: ReactNode }) {
  return <p className={styles['facts']}>{children}</p>
}

/** When a file was changed; the exact moment in the tooltip. */
export function ModifiedFact({ modified }: Pick<Resource, 'modified'>) {
  const t = useText()
  const format = useFormat()
  const { locale } = useLingui().i18n
  const when = useMemo(() => createFormatWhen(locale), [locale])
  const [now] = useState(() => new Date())
  const date = new Date(modified)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={modified} title={format.dateTime(date)}>
      {t('public.modified', { time: when(date, now) })}
    </time>
  )
}

/** Until when a link works; with the hour once that is near. Nothing for one without an end. */
export function ExpiryFact({ expire }: { readonly expire: number | undefined }) {
  const t = useText()
  const format = useFormat()
  const { locale } = useLingui().i18n
  const [now] = useState(() => Date.now())
  if (expire === undefined || expire === 0) return null
  const date = new Date(expire * 1000)
  const exact = format.dateTime(date)
  const near = date.getTime() - now < 2 * DAY
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(date)
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {t('public.validUntil', { date: near ? exact : day })}
    </time>
  )
}
