import type { CSSProperties } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './progress.module.css'

interface ProgressProps {
  /** 0 to 1. */
  value: number
  /** The accessible name; or name it with `labelledBy`. */
  label?: string | undefined
  labelledBy?: string | undefined
  /** Read by screen readers instead of the percentage. */
  valueText?: string | undefined
  tone?: 'accent' | 'ok' | 'warning' | 'danger' | 'waiting' | undefined
  /** 3 px, for rows. */
  thin?: boolean | undefined
  className?: string | undefined
}

export function Progress({ value, label, labelledBy, valueText, tone = 'accent', thin, className }: ProgressProps) {
  const percent = Math.round(Math.min(Math.max(value, 0), 1) * 100)
  return (
    <div
      className={classNames(styles['progress'], styles[tone], thin && styles['thin'], className)}
      role="progressbar"
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      style={{ '--value': `${percent}%` } as CSSProperties}
    >
      <span />
    </div>
  )
}

/** Decorative: the busy element itself has `aria-busy` or a status text. */
export function Spinner({ size = 18 }: { size?: 16 | 18 | 24 }) {
  return <span className={styles['spinner']} style={{ inlineSize: size, blockSize: size }} aria-hidden="true" />
}

interface SkeletonProps {
  /** Pixels, or any CSS length. */
  width: number | string
  height?: number | string | undefined
}

/** A grey placeholder for loading text. Show it after 200 ms, so that fast responses do not flicker. */
export function Skeleton({ width, height = 10 }: SkeletonProps) {
  return <span className={styles['skeleton']} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
}
