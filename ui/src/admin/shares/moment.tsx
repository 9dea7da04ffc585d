import { useFormat } from '../../i18n/use-format.ts'

interface MomentProps {
  /** Unix seconds; 0 = not known. */
  readonly seconds: number
  readonly now: Date
}

/** "3 days ago", with the exact time on hover. Nothing where it is not known. */
export function Moment({ seconds, now }: MomentProps) {
  const format = useFormat()
  if (seconds === 0) return null
  const date = new Date(seconds * 1000)
  return (
    <time dateTime={date.toISOString()} title={format.dateTime(date)}>
      {format.relativeTime(date, now)}
    </time>
  )
}
